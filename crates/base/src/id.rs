//! Ids: numbers that cannot be mistaken for one another.

/// Declares types of ids, each the place of something in a list of its own kind.
///
/// ```
/// base::ids! {
///     /// Names a frame.
///     FrameId;
///     BodyId;
/// }
/// assert_eq!(FrameId(3).index(), 3);
/// ```
#[macro_export]
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}
