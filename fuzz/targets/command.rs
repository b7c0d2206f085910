//! See [`ludus_fuzz::command`].

#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| ludus_fuzz::command(data));

#[cfg(not(fuzzing))]
fn main() -> std::io::Result<()> {
    ludus_fuzz::replay(ludus_fuzz::command)
}
