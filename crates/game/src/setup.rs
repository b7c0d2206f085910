/// One key of a game's set-up. Values are decimal integers; a key with `auto` also takes the word `auto`, which
/// [`crate::Family::resolve`] replaces by the number it stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Param {
    /// The key, as in `setup GAME key value`.
    pub key: &'static str,
    /// The default; `None` means `auto`.
    pub default: Option<i64>,
    /// Smallest value.
    pub min: i64,
    /// Largest value.
    pub max: i64,
    /// Whether `auto` is a value.
    pub auto: bool,
    /// What the key means, for people.
    pub about: &'static str,
}

/// A complete, checked set-up: one number per [`Param`], in the order of the game's list.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Setup(pub Vec<i64>);

impl Setup {
    /// `key value key value …` for the keys of `params`, complete and canonical.
    pub fn text(&self, params: &[Param]) -> String {
        let pairs = params.iter().zip(&self.0).map(|(p, v)| format!("{} {v}", p.key));
        pairs.collect::<Vec<_>>().join(" ")
    }
}

/// Why a set-up is refused: the offending key, its value as given, and what was expected.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("set-up key {key}, value {value}: {expected}")]
pub struct SetupError {
    /// The key that is unknown, or whose value is bad.
    pub key: String,
    /// The value as given, or the default that clashes with it.
    pub value: String,
    /// What was expected, for people.
    pub expected: String,
}

/// Why a position string is refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("field {field} of the position: {message}")]
pub struct FenError {
    /// The bad field, counted from 1.
    pub field: usize,
    /// What is wrong with it and what was expected.
    pub message: String,
}

impl FenError {
    /// An error in `field`, counted from 1.
    pub fn new(field: usize, message: impl Into<String>) -> FenError {
        FenError { field, message: message.into() }
    }
}

/// Reads the pairs of a `setup` line: every key known and given once, every value within its range; missing keys are
/// `default` (where `defaults` is given, its values instead). `None` stands for `auto`.
pub(crate) fn read_pairs(params: &[Param], pairs: &[(&str, &str)]) -> Result<Vec<Option<i64>>, SetupError> {
    let mut values: Vec<Option<i64>> = params.iter().map(|p| p.default).collect();
    let mut given = vec![false; params.len()];
    for &(key, value) in pairs {
        let error = |expected: String| SetupError { key: key.into(), value: value.into(), expected };
        let Some(i) = params.iter().position(|p| p.key == key) else {
            let keys: Vec<_> = params.iter().map(|p| p.key).collect();
            return Err(error(format!("unknown key, expected one of {}", keys.join(", "))));
        };
        if std::mem::replace(&mut given[i], true) {
            return Err(error("key given twice".into()));
        }
        values[i] = read_value(&params[i], value).map_err(error)?;
    }
    Ok(values)
}

/// Reads one value of a key: a decimal integer within the range, or `auto` where the key has it.
pub(crate) fn read_value(param: &Param, value: &str) -> Result<Option<i64>, String> {
    if param.auto && value == "auto" {
        return Ok(None);
    }
    let auto = if param.auto { "auto or " } else { "" };
    match value.parse::<i64>() {
        Ok(n) if (param.min..=param.max).contains(&n) => Ok(Some(n)),
        _ => Err(format!("expected {auto}an integer from {} to {}", param.min, param.max)),
    }
}
