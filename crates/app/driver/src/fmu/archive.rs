//! The archive: the same files give the same bytes, whenever and wherever they are packed.

use std::io::{Cursor, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

/// Needs: names with slashes, in the order in which they are to stand.
pub fn pack(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default())
        .unix_permissions(0o644);
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        archive.start_file(name.as_str(), options).expect("names are short and plain");
        archive.write_all(content).expect("there is room in memory");
    }
    archive.finish().expect("there is room in memory").into_inner()
}
