//! In what the C of a program differs from that of one of many threads of a GPU.

pub struct Dialect {
    /// Before functions for the world outside, before others, and before those that are welcome to be copied to where they are called.
    pub entry: &'static str,
    pub function: &'static str,
    pub inline: &'static str,
    /// Before tables of numbers.
    pub table: &'static str,
    /// What functions take stands behind the name of the module.
    pub record: &'static str,
}

pub static C: Dialect =
    Dialect { entry: "", function: "static ", inline: "static inline ", table: "static const ", record: "" };

/// All functions are copied to where they are called, so that the compiler sees which parts of the record can stay in registers.
pub static CUDA: Dialect = Dialect {
    entry: "static __device__ __forceinline__ ",
    function: "static __device__ __forceinline__ ",
    inline: "static __device__ __forceinline__ ",
    table: "static __device__ const ",
    record: "_parts",
};
