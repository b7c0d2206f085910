//! What reading any game's position strings takes.

use crate::FenError;

/// Splits at single blanks into from `fewest` to `most` fields. A missing, empty or surplus field is the first one that
/// is not as it should be; `expected` says what the fields are, for people.
pub fn fields<'a>(
    text: &'a str,
    fewest: usize,
    most: usize,
    expected: &str,
) -> Result<Vec<&'a str>, FenError> {
    let fields: Vec<&str> = text.split(' ').take(most + 1).collect();
    if let Some(i) = fields.iter().position(|field| field.is_empty()) {
        return Err(FenError::new(i + 1, "expected single blanks between the fields and none outside"));
    }
    match fields.len() {
        n if n < fewest => Err(FenError::new(n + 1, expected)),
        n if n > most => Err(FenError::new(n, expected)),
        _ => Ok(fields),
    }
}

/// As [`fields`], where their number is fixed.
pub fn all_fields<'a, const N: usize>(text: &'a str, expected: &str) -> Result<[&'a str; N], FenError> {
    let fields = fields(text, N, N, expected)?;
    Ok(std::array::from_fn(|i| fields[i]))
}

/// A decimal number without sign or leading zero, of at most `digits` digits, at most 9.
pub fn number(text: &str, digits: usize) -> Option<u32> {
    let plain = (1..=digits.min(9)).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    if plain && (text == "0" || !text.starts_with('0')) { text.parse().ok() } else { None }
}

/// Foreign text for an error message: printable, and short whatever was sent.
pub fn clip(text: &str) -> String {
    const LONGEST: usize = 30;
    let mut shown: String = text.chars().take(LONGEST).flat_map(char::escape_default).collect();
    if text.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bad_field_is_named() {
        let bad = |text| fields(text, 2, 3, "two or three").map_err(|error| error.field);
        assert_eq!(bad("a b"), Ok(vec!["a", "b"]));
        assert_eq!(bad("a b c"), Ok(vec!["a", "b", "c"]));
        assert_eq!(
            [bad(""), bad("a"), bad("a  b"), bad("a b c d"), bad("a b c ")].map(Result::unwrap_err),
            [1, 2, 2, 4, 4]
        );
        assert_eq!(all_fields::<2>("a b", ""), Ok(["a", "b"]));
        assert_eq!(all_fields::<2>("a b c", "two"), Err(FenError::new(3, "two")));
    }

    #[test]
    fn numbers_are_plain() {
        assert_eq!([number("0", 3), number("999", 3), number("7", 1)], [Some(0), Some(999), Some(7)]);
        for text in ["", "00", "07", "+7", "-7", " 7", "7 ", "1000", "\u{661}"] {
            assert_eq!(number(text, 3), None, "{text:?}");
        }
        assert_eq!(number("9999999999", 20), None);
    }

    #[test]
    fn foreign_text_is_short_and_printable() {
        assert_eq!(clip("a\tb"), "a\\tb");
        assert_eq!(clip(&"x".repeat(31)), "x".repeat(30) + "…");
    }
}
