//! Work in progress: what somebody wrote and did not save yet, and the plots asked for by hand, one record for each scene.
//!
//! Records are kept outside of the opened folder, among the state of the user's programs, because the page's own storage belongs to an
//! address, which is another one whenever the server starts. Here they outlive a reload, a closed tab and a crash of either side.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{SystemTime, UNIX_EPOCH};

use axum::http::StatusCode;

use super::files::{self, FileError};
use crate::protocol::{Recent, Work};

/// Records of scenes without unsaved text beyond this number are forgotten, the oldest first.
const MOST_RECENT: usize = 40;

pub struct Works {
    /// None where the user's state has no place: then nothing is kept, and the page is told so.
    place: Option<PathBuf>,
    /// Two tabs may keep the same scene at the same time.
    lock: Mutex<()>,
}

impl Works {
    /// The records of an opened folder, below the folder for the state of this program.
    pub fn new(state: Option<&Path>, opened: &Path) -> Works {
        let name = format!("{:016x}", base::fingerprint(opened.as_os_str().as_encoded_bytes().iter().copied()));
        Works { place: state.map(|state| state.join("studio").join(name)), lock: Mutex::new(()) }
    }

    pub fn read(&self, path: &str) -> Option<Work> {
        let bytes = fs::read(self.record(path)?).ok()?;
        let work: Work = serde_json::from_slice(&bytes).ok()?;
        (work.path == path).then_some(work)
    }

    /// Keeps a record and gives the time of it. Whoever does not know the last one, because another tab wrote it, is refused: the two tabs would
    /// replace each other's texts in turn.
    pub fn keep(&self, work: Work) -> Result<f64, FileError> {
        let Some(record) = self.record(&work.path) else {
            let (message, hint) = ("there is no place to keep drafts", "save the text; or set XDG_STATE_HOME or HOME");
            return Err(FileError::new(StatusCode::INSUFFICIENT_STORAGE, message, hint));
        };
        let _guard = self.lock.lock().expect("nothing panics while it is held");
        let known = self.read(&work.path);
        let written_elsewhere = |known: &Work| known.at > work.at && known.text.is_some() && known.text != work.text;
        if known.as_ref().is_some_and(written_elsewhere) {
            let message = format!("`{}` is being changed in another tab", work.path);
            return Err(FileError::new(StatusCode::CONFLICT, message, "save one of the two under another name"));
        }
        let work = Work { at: now().max(known.map_or(0.0, |known| known.at + 1.0)), ..work };
        let bytes = serde_json::to_vec(&work).expect("plain data");
        let kept = record.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| files::replace(&record, &bytes));
        kept.map_err(|error| files::failed(&work.path, "kept as a draft", &error))?;
        self.tidy();
        Ok(work.at)
    }

    /// What somebody worked on, the newest first.
    pub fn recent(&self) -> Vec<Recent> {
        let mut recent: Vec<Recent> = self.all().into_iter().map(|(_, work)| Recent::from(work)).collect();
        recent.sort_by(|one, other| other.at.total_cmp(&one.at).then_with(|| one.path.cmp(&other.path)));
        recent
    }

    fn tidy(&self) {
        let mut old: Vec<(PathBuf, Work)> = self.all();
        old.retain(|(_, work)| work.text.is_none() && work.plots.is_empty());
        old.sort_by(|(_, one), (_, other)| other.at.total_cmp(&one.at));
        for (record, _) in old.into_iter().skip(MOST_RECENT) {
            let _ = fs::remove_file(record);
        }
    }

    fn all(&self) -> Vec<(PathBuf, Work)> {
        let entries = self.place.iter().filter_map(|place| fs::read_dir(place).ok()).flatten().flatten();
        let read = |entry: fs::DirEntry| {
            let work = serde_json::from_slice(&fs::read(entry.path()).ok()?).ok()?;
            Some((entry.path(), work))
        };
        entries.filter_map(read).collect()
    }

    fn record(&self, path: &str) -> Option<PathBuf> {
        Some(self.place.as_ref()?.join(format!("{:016x}.json", base::fingerprint(path.bytes()))))
    }
}

impl From<Work> for Recent {
    fn from(work: Work) -> Recent {
        Recent { title: files::title(&work.path), path: work.path, unsaved: work.text.is_some(), at: work.at }
    }
}

/// In milliseconds since 1970, as JavaScript counts.
fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64() * 1e3).round()
}
