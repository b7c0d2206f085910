//! See [`ludus_fuzz::reply`].

#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| ludus_fuzz::reply(data));

#[cfg(not(fuzzing))]
fn main() -> std::io::Result<()> {
    ludus_fuzz::replay(ludus_fuzz::reply)
}
