//! Shares of a run, each of which another machine can play.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A share of a run's pairs of games: those whose index gives `number - 1` modulo `of`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Shard {
    /// Which share, from 1 to `of`.
    pub number: u64,
    /// Number of shares.
    pub of: u64,
}

impl Shard {
    /// Whether it has its number between 1 and the number of shares.
    pub fn is_sound(&self) -> bool {
        (1..=self.of).contains(&self.number)
    }
}

impl FromStr for Shard {
    type Err = &'static str;

    /// Reads `2/8`.
    fn from_str(text: &str) -> Result<Shard, &'static str> {
        let read = || {
            let (number, of) = text.split_once('/')?;
            Some(Shard { number: number.parse().ok()?, of: of.parse().ok()? })
        };
        read().filter(Shard::is_sound).ok_or("expected I/N with I from 1 to N, such as 2/8")
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_read_and_printed() {
        for text in ["1/1", "2/8", "8/8"] {
            assert_eq!(text.parse::<Shard>().unwrap().to_string(), text);
        }
        for text in ["", "1", "/", "0/4", "5/4", "0/0", "-1/4", "1/x", "1/2/3", "1/99999999999999999999"] {
            assert!(text.parse::<Shard>().is_err(), "{text:?}");
        }
    }
}
