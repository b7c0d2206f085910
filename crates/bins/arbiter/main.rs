use std::process::ExitCode;

fn main() -> ExitCode {
    if let Some(code) = arbiter::process::helper_main(std::env::args_os()) {
        return code;
    }
    ExitCode::SUCCESS
}
