//! Constants that a tuner may set: each declared once, with its meaning, its value and the range worth trying.

use std::fmt::Debug;

use crate::{OptionSpec, Options};

/// What the names of options that only a tuner sets begin with.
pub const TUNE: &str = "Tune.";

/// A set of constants, each of which an option sets; [`weights!`](crate::weights) declares one.
pub trait Weights: Copy + PartialEq + Debug + Default + Send + Sync {
    /// The options that set them; their names begin with [`TUNE`].
    const OPTIONS: &'static [OptionSpec];

    /// The values of `options`; those that are missing take their defaults.
    fn new(options: &Options) -> Self;
}

/// No constants.
impl Weights for () {
    const OPTIONS: &'static [OptionSpec] = &[];

    fn new(_: &Options) {}
}

/// Declares a set of constants and the options that set them, from one list:
/// `/// What it means.` and `field "Option" = default in least..=greatest;` for each.
#[macro_export]
macro_rules! weights {
    (
        $(#[$about:meta])+
        $visible:vis struct $set:ident {
            $($(#[$doc:meta])+ $field:ident $name:literal = $default:literal in $min:literal..=$max:literal;)+
        }
    ) => {
        $(#[$about])+
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        $visible struct $set {
            $($(#[$doc])+ $visible $field: i32,)+
        }

        impl Default for $set {
            fn default() -> $set {
                $set { $($field: $default,)+ }
            }
        }

        impl $crate::Weights for $set {
            const OPTIONS: &'static [$crate::OptionSpec] = &[$($crate::OptionSpec {
                name: concat!("Tune.", $name),
                kind: $crate::OptionKind::Spin { default: $default, min: $min, max: $max },
            },)+];

            fn new(options: &$crate::Options) -> $set {
                let value = |name, default| options.int(name).map_or(default, |value| value as i32);
                $set { $($field: value(concat!("Tune.", $name), $default),)+ }
            }
        }
    };
}
