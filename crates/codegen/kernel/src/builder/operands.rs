//! Argument lists: one value, a tuple of mixed ones, an array, a vector, or `()`.

use crate::{Expression, LocalId};

pub trait Operands {
    fn expressions(self) -> Vec<Expression>;
}

impl<T: Into<Expression>, const N: usize> Operands for [T; N] {
    fn expressions(self) -> Vec<Expression> {
        self.into_iter().map(Into::into).collect()
    }
}

impl<T: Into<Expression>> Operands for Vec<T> {
    fn expressions(self) -> Vec<Expression> {
        self.into_iter().map(Into::into).collect()
    }
}

impl<T: Clone + Into<Expression>> Operands for &[T] {
    fn expressions(self) -> Vec<Expression> {
        self.iter().cloned().map(Into::into).collect()
    }
}

impl Operands for () {
    fn expressions(self) -> Vec<Expression> {
        Vec::new()
    }
}

macro_rules! single {
    ($($kind:ty),+) => {$(
        impl Operands for $kind {
            fn expressions(self) -> Vec<Expression> {
                vec![self.into()]
            }
        }
    )+};
}

single!(Expression, &Expression, LocalId, f64, i32, i64, usize);

macro_rules! tuple {
    ($($kind:ident)+) => {
        impl<$($kind: Into<Expression>),+> Operands for ($($kind,)+) {
            #[allow(non_snake_case, reason = "values are called as their types are")]
            fn expressions(self) -> Vec<Expression> {
                let ($($kind,)+) = self;
                vec![$($kind.into()),+]
            }
        }
    };
}

tuple!(A);
tuple!(A B);
tuple!(A B C);
tuple!(A B C D);
tuple!(A B C D E);
tuple!(A B C D E F);
tuple!(A B C D E F G);
tuple!(A B C D E F G H);
