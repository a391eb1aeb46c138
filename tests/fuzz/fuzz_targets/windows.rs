//! Every window against its oracle, on whatever the fuzzer comes up with.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| windowlimit_tests::script::run(data));
