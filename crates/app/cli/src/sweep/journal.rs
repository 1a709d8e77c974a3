//! A file of finished runs beside the table that they will make, so that a sweep can be interrupted at any moment and continued.
//!
//! It begins with the question that the runs answer, as JSON; then come the runs in the order in which they were done. Where the file was
//! cut off within a run, that run is done again.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde_json::Value;

/// What is kept of a run that is over.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kept {
    pub run: usize,
    /// Each with the time first.
    pub rows: Vec<Vec<f64>>,
    pub events: Vec<(f64, String)>,
    /// The code and the message of why it failed.
    pub failure: Option<[String; 2]>,
    /// Those of what it met that is no reason to end it.
    pub warnings: Vec<[String; 2]>,
}

pub struct Journal {
    path: PathBuf,
    out: BufWriter<File>,
    /// Where the next run goes.
    end: u64,
    /// Where each run is.
    places: Vec<(usize, u64)>,
}

/// `runs.parquet.unfinished`
pub fn name_beside(output: &Path) -> PathBuf {
    let mut name = output.file_name().unwrap_or_default().to_os_string();
    name.push(".unfinished");
    output.with_file_name(name)
}

impl Journal {
    /// An empty one.
    pub fn create(path: &Path, question: &Value) -> io::Result<Journal> {
        let mut out = BufWriter::new(File::options().create(true).truncate(true).read(true).write(true).open(path)?);
        let question = question.to_string();
        out.write_all(&(question.len() as u64).to_le_bytes())?;
        out.write_all(question.as_bytes())?;
        out.flush()?;
        Ok(Journal { path: path.to_path_buf(), out, end: 8 + question.len() as u64, places: Vec::new() })
    }

    /// One that was begun before, and the question that it answers; the journal goes on behind its last whole run.
    pub fn open(path: &Path) -> io::Result<(Value, Journal)> {
        let mut file = File::options().read(true).write(true).open(path)?;
        let (mut reader, mut places) = (BufReader::new(&file), Vec::new());
        let question = read_part(&mut reader)?.ok_or(io::ErrorKind::UnexpectedEof)?;
        let mut end = 8 + question.len() as u64;
        while let Some(bytes) = read_part(&mut reader)? {
            let Some(run) = bytes.first_chunk().map(|run| u64::from_le_bytes(*run)) else { break };
            places.push((run as usize, end));
            end += 8 + bytes.len() as u64;
        }
        let question = serde_json::from_slice(&question)?;
        file.set_len(end)?;
        file.seek(SeekFrom::Start(end))?;
        Ok((question, Journal { path: path.to_path_buf(), out: BufWriter::new(file), end, places }))
    }

    pub fn runs(&self) -> impl Iterator<Item = usize> {
        self.places.iter().map(|(run, _)| *run)
    }

    pub fn append(&mut self, kept: &Kept) -> io::Result<()> {
        let bytes = encode(kept);
        self.out.write_all(&(bytes.len() as u64).to_le_bytes())?;
        self.out.write_all(&bytes)?;
        self.places.push((kept.run, self.end));
        self.end += 8 + bytes.len() as u64;
        Ok(())
    }

    /// Whatever ends the program now, the runs so far are there.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// All runs by their numbers.
    pub fn each(&mut self, mut take: impl FnMut(Kept) -> io::Result<()>) -> io::Result<()> {
        self.out.flush()?;
        self.places.sort_unstable();
        let mut reader = BufReader::new(self.out.get_ref());
        let mut at = reader.stream_position()?;
        for (_, place) in &self.places {
            // Runs that were done one after the other are read so, without losing what is buffered.
            reader.seek_relative(*place as i64 - at as i64)?;
            let bytes = read_part(&mut reader)?.ok_or(io::ErrorKind::UnexpectedEof)?;
            at = place + 8 + bytes.len() as u64;
            take(decode(&bytes).ok_or(io::ErrorKind::InvalidData)?)?;
        }
        Ok(())
    }

    pub fn remove(self) -> io::Result<()> {
        std::fs::remove_file(&self.path)
    }
}

/// A length and as many bytes; nothing at the end of the file, or where it was cut off.
fn read_part(reader: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut length = Vec::new();
    reader.take(8).read_to_end(&mut length)?;
    let Some(length) = length.first_chunk().map(|length| u64::from_le_bytes(*length)) else { return Ok(None) };
    let mut bytes = Vec::new();
    reader.take(length).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 == length).then_some(bytes))
}

fn encode(kept: &Kept) -> Vec<u8> {
    let mut out = Vec::new();
    let count = |count: usize, out: &mut Vec<u8>| out.extend((count as u64).to_le_bytes());
    let text = |text: &str, out: &mut Vec<u8>| {
        out.extend((text.len() as u64).to_le_bytes());
        out.extend(text.as_bytes());
    };
    count(kept.run, &mut out);
    count(kept.rows.len(), &mut out);
    count(kept.rows.first().map_or(0, Vec::len), &mut out);
    out.extend(kept.rows.iter().flatten().flat_map(|value| value.to_le_bytes()));
    count(kept.events.len(), &mut out);
    for (t, name) in &kept.events {
        out.extend(t.to_le_bytes());
        text(name, &mut out);
    }
    for told in [kept.failure.as_slice(), &kept.warnings] {
        count(told.len(), &mut out);
        told.iter().flatten().for_each(|part| text(part, &mut out));
    }
    out
}

fn decode(bytes: &[u8]) -> Option<Kept> {
    let mut reader = Reader(bytes);
    let (run, rows, width) = (reader.count()?, reader.count()?, reader.count()?);
    let rows = (0..rows).map(|_| (0..width).map(|_| reader.number()).collect()).collect::<Option<_>>()?;
    let events = reader.count()?;
    let events = (0..events).map(|_| Some((reader.number()?, reader.text()?))).collect::<Option<_>>()?;
    let mut told = || -> Option<Vec<[String; 2]>> {
        let count = reader.count()?;
        (0..count).map(|_| Some([reader.text()?, reader.text()?])).collect()
    };
    Some(Kept { run, rows, events, failure: told()?.into_iter().next(), warnings: told()? })
}

struct Reader<'b>(&'b [u8]);

impl Reader<'_> {
    fn count(&mut self) -> Option<usize> {
        let (bytes, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        usize::try_from(u64::from_le_bytes(*bytes)).ok()
    }

    fn number(&mut self) -> Option<f64> {
        let (bytes, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(f64::from_le_bytes(*bytes))
    }

    fn text(&mut self) -> Option<String> {
        let length = self.count()?;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        String::from_utf8(text.to_vec()).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn kept(run: usize) -> Kept {
        Kept {
            run,
            rows: vec![vec![0.0, 1.5], vec![run as f64, -0.0]],
            events: vec![(0.25, "bounce".to_string())],
            failure: (run == 3).then(|| ["step-collapse".to_string(), "no".to_string()]),
            warnings: vec![["energy-drift".to_string(), "some".to_string()]],
        }
    }

    #[test]
    fn runs_come_back_in_order_and_one_that_was_cut_off_is_missing() {
        let path = std::env::temp_dir().join(format!("ansatz-journal-{}", std::process::id()));
        let mut journal = Journal::create(&path, &json!({"until": 1})).expect("a file");
        [3, 1, 2].into_iter().for_each(|run| journal.append(&kept(run)).expect("room"));
        journal.flush().expect("room");
        let all = std::fs::read(&path).expect("the file");
        drop(journal);
        for cut in 0..40 {
            std::fs::write(&path, &all[..all.len() - cut]).expect("room");
            let (question, mut journal) = Journal::open(&path).expect("a journal");
            assert_eq!(question, json!({"until": 1}));
            assert_eq!(journal.runs().collect::<Vec<_>>(), if cut == 0 { vec![3, 1, 2] } else { vec![3, 1] });
            journal.append(&kept(0)).expect("room");
            let mut read = Vec::new();
            journal
                .each(|kept| {
                    read.push(kept);
                    Ok(())
                })
                .expect("runs");
            let expected: Vec<Kept> = [0, 1, 2, 3].into_iter().filter(|run| cut == 0 || *run != 2).map(kept).collect();
            assert_eq!(read, expected);
        }
        std::fs::remove_file(&path).expect("the file goes");
    }
}
