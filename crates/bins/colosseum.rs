//! The Colosseum Survival! engine.

fn main() -> std::process::ExitCode {
    engine::main("colosseum")
}
