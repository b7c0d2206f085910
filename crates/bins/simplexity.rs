//! The Simplexity engine.

fn main() -> std::process::ExitCode {
    engine::main("simplexity")
}
