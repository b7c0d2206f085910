//! The X-Rudder engine.

fn main() -> std::process::ExitCode {
    engine::main("xrudder")
}
