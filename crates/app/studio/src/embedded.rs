//! The page, the page that stands alone and the examples, as they were when the program was built.

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));
