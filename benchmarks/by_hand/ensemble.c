/* Many double pendulums of unit rods and masses from rest, by hand in the vectors of the processor: each lane has its own step, and gets the next
 * pendulum when its own has come to the end. Dormand and Prince's method of order 5, sine and cosine from their series. Contraction is allowed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LANES 4
typedef double reals __attribute__((vector_size(8 * LANES)));
typedef long integers __attribute__((vector_size(8 * LANES)));
#define INLINE static inline __attribute__((always_inline))
#define ALL(x) ((reals){} + (x))
#define PI 3.14159265358979323846
static const double G = 9.81, UNTIL = 10;

INLINE reals choose(integers m, reals a, reals b) { return (reals)((m & (integers)a) | (~m & (integers)b)); }
INLINE reals absolute(reals a) { return (reals)((integers)a & 0x7fffffffffffffffL); }
INLINE void sine_and_cosine(reals x, reals *s, reals *c)
{
    reals q = x * (2 / PI) + 6755399441055744.0;
    const integers k = (integers)q;
    q -= 6755399441055744.0;
    const reals r = x - q * 1.57079632673412561417e+00 - q * 6.07710050630396597660e-11 - q * 2.02226624879595063154e-21;
    const reals z = r * r;
    const reals sine = r + r * z * (-1. / 6 + z * (1. / 120 + z * (-1. / 5040 + z * (1. / 362880 + z * (-1. / 39916800 + z * (1. / 6227020800.))))));
    const reals cosine = 1 + z * (-0.5 + z * (1. / 24 + z * (-1. / 720 + z * (1. / 40320 + z * (-1. / 3628800 + z * (1. / 479001600. - z * (1. / 87178291200.)))))));
    const integers odd = -(k & 1);
    *s = (reals)((integers)choose(odd, cosine, sine) ^ ((k & 2) << 62));
    *c = (reals)((integers)choose(odd, sine, cosine) ^ (((k + 1) & 2) << 62));
}

INLINE void slope(const reals *y, reals *d)
{
    reals s1, c1, s2, c2;
    sine_and_cosine(y[0], &s1, &c1);
    sine_and_cosine(y[1], &s2, &c2);
    const reals s = s1 * c2 - c1 * s2, c = c1 * c2 + s1 * s2;
    const reals a = -s * y[3] * y[3] - 2 * G * s1, b = s * y[2] * y[2] - G * s2, inverse = 1 / (2 - c * c);
    d[0] = y[2], d[1] = y[3], d[2] = (a - c * b) * inverse, d[3] = (2 * b - c * a) * inverse;
}

static void start(long k, double *y)
{
    const double u = k * 0.6180339887498949, v = k * 1.4142135623730951;
    y[0] = PI * (2 * (u - floor(u)) - 1), y[1] = PI * (2 * (v - floor(v)) - 1), y[2] = y[3] = 0;
}

static void run(long count, double tolerance, double *out)
{
    reals y[4], k1[4], k2[4], k3[4], k4[4], k5[4], k6[4], k7[4], w[4], z[4], t, h, old;
    long id[LANES], next = 0;
    int live = 0;
    for (int l = 0; l < LANES; l++) {
        double first[4] = {0};
        id[l] = next < count ? next++ : -1;
        if (id[l] >= 0) start(id[l] + 1, first), live++;
        for (int i = 0; i < 4; i++) y[i][l] = first[i];
        t[l] = 0, h[l] = 0.01, old[l] = 1e-4;
    }
    slope(y, k1);
    while (live) {
        const reals H = choose(t + 1.01 * h >= ALL(UNTIL), UNTIL - t, h);
#define STAGE(K, E) do { for (int i = 0; i < 4; i++) w[i] = y[i] + H * (E); slope(w, K); } while (0)
        STAGE(k2, 0.2 * k1[i]);
        STAGE(k3, 3. / 40 * k1[i] + 9. / 40 * k2[i]);
        STAGE(k4, 44. / 45 * k1[i] - 56. / 15 * k2[i] + 32. / 9 * k3[i]);
        STAGE(k5, 19372. / 6561 * k1[i] - 25360. / 2187 * k2[i] + 64448. / 6561 * k3[i] - 212. / 729 * k4[i]);
        STAGE(k6, 9017. / 3168 * k1[i] - 355. / 33 * k2[i] + 46732. / 5247 * k3[i] + 49. / 176 * k4[i] - 5103. / 18656 * k5[i]);
        for (int i = 0; i < 4; i++)
            z[i] = y[i] + H * (35. / 384 * k1[i] + 500. / 1113 * k3[i] + 125. / 192 * k4[i] - 2187. / 6784 * k5[i] + 11. / 84 * k6[i]);
        slope(z, k7);
        reals e = ALL(0);
        for (int i = 0; i < 4; i++) {
            reals q = H * (71. / 57600 * k1[i] - 71. / 16695 * k3[i] + 71. / 1920 * k4[i] - 17253. / 339200 * k5[i] + 22. / 525 * k6[i] - 1. / 40 * k7[i]);
            const reals a = absolute(y[i]), b = absolute(z[i]);
            q /= tolerance + tolerance * choose(a > b, a, b);
            e += q * q;
        }
        const integers ok = e <= ALL(4.0);
        int refill = 0;
        for (int l = 0; l < LANES; l++) {
            if (id[l] < 0) continue;
            const double error = sqrt(e[l] / 4), power = powf(fmax(error, 1e-10), 0.17f);
            if (ok[l]) {
                const double factor = fmax(0.1, fmin(5.0, power / powf(old[l], 0.04f) / 0.9));
                t[l] += H[l], old[l] = fmax(error, 1e-4), h[l] = H[l] / factor;
                if (t[l] >= UNTIL - 1e-12) refill = 1;
            } else
                h[l] = H[l] / fmin(10.0, power / 0.9);
        }
        for (int i = 0; i < 4; i++) y[i] = choose(ok, z[i], y[i]), k1[i] = choose(ok, k7[i], k1[i]);
        if (!refill) continue;
        for (int l = 0; l < LANES; l++)
            if (id[l] >= 0 && t[l] >= UNTIL - 1e-12) {
                double first[4] = {0};
                for (int i = 0; i < 4; i++) out[4 * id[l] + i] = y[i][l];
                id[l] = next < count ? next++ : -1;
                if (id[l] >= 0) start(id[l] + 1, first); else live--;
                for (int i = 0; i < 4; i++) y[i][l] = first[i];
                t[l] = 0, h[l] = 0.01, old[l] = 1e-4;
            }
        slope(y, k1);
    }
}

/* Arguments: how many, tolerance. Prints seconds of the processor, and the sum of all last angles of first rods. */
int main(int count, char **arguments)
{
    if (count != 3) return 2;
    const long runs = atol(arguments[1]);
    double *const out = calloc(4 * runs, sizeof *out), sum = 0;
    const clock_t begin = clock();
    run(runs, atof(arguments[2]), out);
    const double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    for (long k = 0; k < runs; k++) sum += out[4 * k];
    printf("%.6e %.17g\n", seconds, sum);
    return 0;
}
