//! In what the C of a program differs from that of one of many threads of a GPU.

pub struct Dialect {
    /// Before functions for the world outside, and before others.
    pub entry: &'static str,
    pub function: &'static str,
    /// Before functions of their arguments alone: such as are welcome to be copied to where they are called, and such as are too large.
    pub inline: &'static str,
    pub large: &'static str,
    /// Before tables of numbers.
    pub table: &'static str,
    /// What functions take stands behind the name of the module.
    pub record: &'static str,
}

pub static C: Dialect = Dialect {
    entry: "",
    function: "static ",
    inline: "static inline ",
    large: "static ",
    table: "static const ",
    record: "",
};

/// How a run begins: on the record in memory. Compilers for GPUs copy functions to where they are called unless they are told not to, and never
/// end where there are many.
pub static BEGINNING: Dialect = Dialect {
    entry: "static __device__ __noinline__ ",
    function: "static __device__ __noinline__ ",
    inline: "static __device__ __forceinline__ ",
    large: "static __device__ __noinline__ ",
    table: "static __device__ const ",
    record: "",
};

/// How it goes on: on what the thread has of the record.
pub static GOING: Dialect = Dialect { record: "_parts", ..BEGINNING };

/// All functions of the record are copied to where they are called, so that the compiler sees which parts of it can stay in registers.
pub static COPIED: Dialect =
    Dialect { entry: "static __device__ __forceinline__ ", function: "static __device__ __forceinline__ ", ..GOING };
