//! The list of games.

use game::{Family, Rules, Ruleset};

/// Code that works on any [`Family`].
pub trait FamilyVisitor {
    /// What it gives back.
    type Output;

    /// Called once, with the game as a type.
    fn visit<F: Family>(self) -> Self::Output;
}

macro_rules! games {
    ($($family:ty),+ $(,)?) => {
        /// All games, as rules that are learnt at run time.
        pub const GAMES: &[&dyn Rules] = &[$(&Ruleset::<$family>::new()),+];

        /// Visits the game of that name as a type; `None` if there is none.
        pub fn visit<V: FamilyVisitor>(name: &str, visitor: V) -> Option<V::Output> {
            $(if name == <$family>::NAME {
                return Some(visitor.visit::<$family>());
            })+
            None
        }
    };
}

// Adding a game takes one line here.
games! {
    andantino::Andantino,
    colosseum::Colosseum,
    simplexity::Simplexity,
    xrudder::XRudder,
}

/// The rules of the game of that name; `None` if there is none.
pub fn find(name: &str) -> Option<&'static dyn Rules> {
    GAMES.iter().copied().find(|rules| rules.name() == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Title;

    impl FamilyVisitor for Title {
        type Output = &'static str;
        fn visit<F: Family>(self) -> &'static str {
            F::TITLE
        }
    }

    #[test]
    fn every_game_is_found_by_its_name() {
        for rules in GAMES {
            assert_eq!(find(rules.name()).map(Rules::title), Some(rules.title()));
            assert_eq!(visit(rules.name(), Title), Some(rules.title()));
        }
        assert!(find("chess").is_none());
        assert!(visit("chess", Title).is_none());
    }
}
