/* Numbers of LANES runs side by side. Compile without contraction: then every lane has the bits of a run by itself. */
#include <math.h>
#include <stdint.h>
#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#else
/* gcc 12 joins a subtraction and an addition to one fused operation, although contraction is off. */
#pragma GCC optimize("no-tree-slp-vectorize")
#endif

typedef double reals __attribute__((vector_size(8 * LANES)));
typedef int64_t integers __attribute__((vector_size(8 * LANES)));
typedef uint64_t naturals __attribute__((vector_size(8 * LANES)));
#define INLINE static inline __attribute__((always_inline))
#define EACH for (int lane = 0; lane < LANES; lane++)

#if LANES == 8
INLINE reals all_real(double a) { return (reals){a, a, a, a, a, a, a, a}; }
INLINE integers all_integer(int64_t a) { return (integers){a, a, a, a, a, a, a, a}; }
#elif LANES == 4
INLINE reals all_real(double a) { return (reals){a, a, a, a}; }
INLINE integers all_integer(int64_t a) { return (integers){a, a, a, a}; }
#else
INLINE reals all_real(double a) { return (reals){a, a}; }
INLINE integers all_integer(int64_t a) { return (integers){a, a}; }
#endif

INLINE integers bits_of(reals a) { return (integers)a; }
INLINE reals of_bits(integers a) { return (reals)a; }

/* Masks are bits of a register of their own where the machine has such, and else vectors of ones and zeros. */
#if LANES == 8 && defined(__AVX512F__) && defined(__AVX512DQ__)
typedef uint8_t mask;
INLINE mask mask_of_bits(int64_t bits) { return (mask)bits; }
INLINE mask mask_if(int holds) { return holds ? 255 : 0; }
INLINE mask mask_not(mask a) { return (mask)~a; }
INLINE mask mask_without(mask a, mask b) { return (mask)(a & ~b); }
INLINE int any(mask a) { return a != 0; }
INLINE int is_in(mask a, int lane) { return a >> lane & 1; }
INLINE reals select_real(mask m, reals a, reals b) { return (reals)_mm512_mask_blend_pd(m, (__m512d)b, (__m512d)a); }
INLINE integers select_integer(mask m, integers a, integers b) { return (integers)_mm512_mask_blend_epi64(m, (__m512i)b, (__m512i)a); }
INLINE integers number_if(mask m) { return (integers)_mm512_maskz_set1_epi64(m, 1); }
#define REAL(name, how) INLINE mask real_##name(reals a, reals b) { return _mm512_cmp_pd_mask((__m512d)a, (__m512d)b, how); }
#define INTEGER(name, how) INLINE mask integer_##name(integers a, integers b) { return _mm512_cmp_epi64_mask((__m512i)a, (__m512i)b, how); }
REAL(equals, _CMP_EQ_OQ)
REAL(differs, _CMP_NEQ_UQ)
REAL(less, _CMP_LT_OQ)
REAL(at_most, _CMP_LE_OQ)
REAL(greater, _CMP_GT_OQ)
REAL(at_least, _CMP_GE_OQ)
INTEGER(equals, _MM_CMPINT_EQ)
INTEGER(differs, _MM_CMPINT_NE)
INTEGER(less, _MM_CMPINT_LT)
INTEGER(at_most, _MM_CMPINT_LE)
INTEGER(greater, _MM_CMPINT_NLE)
INTEGER(at_least, _MM_CMPINT_NLT)
#define ROUNDED(a, how) (reals)_mm512_roundscale_pd((__m512d)(a), how)
INLINE reals square_root(reals a) { return (reals)_mm512_sqrt_pd((__m512d)a); }
/* As the machine has it: the second if either is not a number, or both are zero. */
INLINE reals minimum_of(reals a, reals b) { return (reals)_mm512_min_pd((__m512d)a, (__m512d)b); }
INLINE reals maximum_of(reals a, reals b) { return (reals)_mm512_max_pd((__m512d)a, (__m512d)b); }
#else
typedef integers mask;
INLINE mask mask_of_bits(int64_t bits)
{
    mask a;
    EACH a[lane] = -(bits >> lane & 1);
    return a;
}
INLINE mask mask_if(int holds) { return all_integer(holds ? -1 : 0); }
INLINE mask mask_not(mask a) { return ~a; }
INLINE mask mask_without(mask a, mask b) { return a & ~b; }
INLINE int is_in(mask a, int lane) { return a[lane] != 0; }
#define REAL(name, how) INLINE mask real_##name(reals a, reals b) { return (integers)(a how b); }
#define INTEGER(name, how) INLINE mask integer_##name(integers a, integers b) { return (integers)(a how b); }
REAL(equals, ==)
REAL(differs, !=)
REAL(less, <)
REAL(at_most, <=)
REAL(greater, >)
REAL(at_least, >=)
INTEGER(equals, ==)
INTEGER(differs, !=)
INTEGER(less, <)
INTEGER(at_most, <=)
INTEGER(greater, >)
INTEGER(at_least, >=)
#if LANES == 4 && defined(__AVX2__)
INLINE int any(mask a) { return _mm256_movemask_pd((__m256d)a) != 0; }
INLINE reals select_real(mask m, reals a, reals b) { return (reals)_mm256_blendv_pd((__m256d)b, (__m256d)a, (__m256d)m); }
#define ROUNDED(a, how) (reals)_mm256_round_pd((__m256d)(a), how)
INLINE reals square_root(reals a) { return (reals)_mm256_sqrt_pd((__m256d)a); }
INLINE reals minimum_of(reals a, reals b) { return (reals)_mm256_min_pd((__m256d)a, (__m256d)b); }
INLINE reals maximum_of(reals a, reals b) { return (reals)_mm256_max_pd((__m256d)a, (__m256d)b); }
#else
INLINE int any(mask a)
{
    int64_t found = 0;
    EACH found |= a[lane];
    return found != 0;
}
INLINE reals select_real(mask m, reals a, reals b) { return of_bits((m & bits_of(a)) | (~m & bits_of(b))); }
INLINE reals square_root(reals a)
{
    EACH a[lane] = sqrt(a[lane]);
    return a;
}
INLINE reals minimum_of(reals a, reals b) { return select_real(real_less(a, b), a, b); }
INLINE reals maximum_of(reals a, reals b) { return select_real(real_greater(a, b), a, b); }
#endif
INLINE integers select_integer(mask m, integers a, integers b) { return bits_of(select_real(m, of_bits(a), of_bits(b))); }
INLINE integers number_if(mask m) { return m & 1; }
#endif

/* All of a vector is stored: what is loaded soon after would have to wait for a part. */
INLINE void put_real(mask m, reals *place, reals a) { *place = select_real(m, a, *place); }
INLINE void put_integer(mask m, integers *place, integers a) { *place = select_integer(m, a, *place); }

#ifdef ROUNDED
INLINE reals round_down(reals a) { return ROUNDED(a, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC); }
INLINE reals round_up(reals a) { return ROUNDED(a, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC); }
INLINE reals round_to_zero(reals a) { return ROUNDED(a, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC); }
INLINE reals round_to_nearest(reals a) { return ROUNDED(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }
#else
#define ROUNDING(name, how) INLINE reals name(reals a) { EACH a[lane] = how(a[lane]); return a; }
ROUNDING(round_down, floor)
ROUNDING(round_up, ceil)
ROUNDING(round_to_zero, trunc)
ROUNDING(round_to_nearest, rint)
#endif

INLINE reals absolute(reals a) { return of_bits(bits_of(a) & INT64_MAX); }
INLINE reals copy_sign(reals a, reals b) { return of_bits((bits_of(a) & INT64_MAX) | (bits_of(b) & INT64_MIN)); }
INLINE integers left(integers a, integers by) { return (integers)((naturals)a << (naturals)(by & 63)); }
INLINE integers right(integers a, integers by) { return a >> (by & 63); }
INLINE integers right_logical(integers a, integers by) { return (integers)((naturals)a >> (naturals)(by & 63)); }
INLINE reals real_of(integers a) { return __builtin_convertvector(a, reals); }
/* Towards zero; saturates, and gives 0 for what is not a number. */
INLINE integers integer_of(reals a)
{
    const mask low = real_at_least(a, all_real(-9223372036854775808.0)), high = real_at_least(a, all_real(9223372036854775808.0));
    const reals safe = select_real(mask_without(low, high), a, all_real(0));
    const integers near = select_integer(high, all_integer(INT64_MAX), __builtin_convertvector(safe, integers));
    return select_integer(real_less(a, all_real(-9223372036854775808.0)), all_integer(INT64_MIN), near);
}

/* Lanes beside the mask have no place of their own. */
#define PLACES(of, vectors, number) \
INLINE vectors gather_##of(mask m, const vectors *array, integers at) \
{ \
    vectors found = all_##of(0); \
    EACH if (is_in(m, lane)) found[lane] = array[at[lane]][lane]; \
    return found; \
} \
INLINE void scatter_##of(mask m, vectors *array, integers at, vectors a) \
{ \
    EACH if (is_in(m, lane)) array[at[lane]][lane] = a[lane]; \
} \
INLINE vectors look_up_##of(mask m, const number *table, integers at) \
{ \
    vectors found = all_##of(0); \
    EACH if (is_in(m, lane)) found[lane] = table[at[lane]]; \
    return found; \
} \
INLINE vectors gather_apart_##of(mask m, int64_t *const *memories, int64_t cell, integers at) \
{ \
    integers found = all_integer(0); \
    EACH if (is_in(m, lane)) found[lane] = memories[lane][cell + at[lane]]; \
    return (vectors)found; \
} \
INLINE void scatter_apart_##of(mask m, int64_t *const *memories, int64_t cell, integers at, vectors a) \
{ \
    EACH if (is_in(m, lane)) memories[lane][cell + at[lane]] = ((integers)a)[lane]; \
}
PLACES(real, reals, double)
PLACES(integer, integers, int64_t)

