//! Enums whose stable words stand in the rows of their variants.

/// Defines an enum from rows that end in a stable word: `Take = "take",`. The
/// name after the enum's is that of the method which gives the word. `ALL`
/// after it lists the variants, where none has fields; another name is that of a
/// second method, which gives what a row has after `=>`.
#[macro_export]
macro_rules! worded {
    (
        $(#[$($meta:tt)*])*
        pub enum $name:ident: $word:ident {
            $(
                $(#[$($about:tt)*])*
                $variant:ident $({ $($fields:tt)* })? $(( $($types:tt)* ))? = $is:literal,
            )+
        }
    ) => {
        $(#[$($meta)*])*
        pub enum $name {
            $($(#[$($about)*])* $variant $({ $($fields)* })? $(( $($types)* ))?,)+
        }

        impl $name {
            /// A stable word.
            #[must_use]
            pub const fn $word(&self) -> &'static str {
                match self { $($name::$variant { .. } => $is,)+ }
            }
        }
    };
    (
        $(#[$($meta:tt)*])*
        pub enum $name:ident: $word:ident, ALL {
            $($(#[$($about:tt)*])* $variant:ident = $is:literal,)+
        }
    ) => {
        $crate::worded! {
            $(#[$($meta)*])*
            pub enum $name: $word { $($(#[$($about)*])* $variant = $is,)+ }
        }

        impl $name {
            /// Every one, in order.
            pub const ALL: [$name; [$($is),+].len()] = [$($name::$variant),+];
        }
    };
    (
        $(#[$($meta:tt)*])*
        pub enum $name:ident: $word:ident, $second:ident {
            $(
                $(#[$($about:tt)*])*
                $variant:ident $({ $($fields:tt)* })? $(( $($types:tt)* ))?
                    = $is:literal => $says:literal,
            )+
        }
    ) => {
        $crate::worded! {
            $(#[$($meta)*])*
            pub enum $name: $word {
                $($(#[$($about)*])* $variant $({ $($fields)* })? $(( $($types)* ))? = $is,)+
            }
        }

        impl $name {
            #[doc = concat!("Its ", stringify!($second), ".")]
            #[must_use]
            pub const fn $second(&self) -> &'static str {
                match self { $($name::$variant { .. } => $says,)+ }
            }
        }
    };
}
