/// The rows of a file of `tests/data/xrudder`, split at ` | `.
pub(crate) fn rows(file: &str) -> Vec<Vec<String>> {
    let path = format!("{}/../../tests/data/xrudder/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect("the file is readable");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split(" | ").map(str::to_owned).collect()).collect()
}
