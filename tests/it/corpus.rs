//! What the fuzzer found of interest (`tests/fuzz/corpus`), replayed.

use std::{fs, path::Path};

#[test]
fn every_input_of_the_corpus_is_answered_as_by_the_oracles() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus/windows");
    let mut inputs = 0;
    for entry in fs::read_dir(folder).expect("the corpus is there") {
        windowlimit_tests::script::run(
            &fs::read(entry.expect("it can be read").path()).expect("it can be read"),
        );
        inputs += 1;
    }
    assert!(inputs > 50, "{inputs} inputs");
}
