//! The Andantino engine.

fn main() -> std::process::ExitCode {
    engine::main("andantino")
}
