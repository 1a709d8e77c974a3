/* Dormand and Prince's method of order 5(4), adaptive, as one writes it by hand: the last slope of a step is the first of
 * the next, and everything is visible to the compiler, which sees the size and the right-hand side as constants.
 * The error of a component is measured by 1 or by its magnitude, whichever is more. (Hairer, Norsett and Wanner, II.4, II.5) */
#ifndef INTEGRATE_H
#define INTEGRATE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define INLINE static inline __attribute__((always_inline))

typedef struct {
    long steps, evaluations;
} statistics;

typedef void derivative(double t, const double *y, double *slope);
/* Moves a state back onto the constraints after a step. */
typedef void correction(double *y);

INLINE statistics integrate(derivative *f, correction *correct, int n, double until, double tolerance, double *y)
{
    double k[7][n], stage[n], end[n];
    statistics count = {0, 1};
    double t = 0, h = 1e-3, before = 1e-4;
    f(t, y, k[0]);
    while (t < until) {
        const int last = t + 1.01 * h >= until;
        const double step = last ? until - t : h;
        for (int i = 0; i < n; i++) stage[i] = y[i] + step * (0.2 * k[0][i]);
        f(t + 0.2 * step, stage, k[1]);
        for (int i = 0; i < n; i++) stage[i] = y[i] + step * (3. / 40 * k[0][i] + 9. / 40 * k[1][i]);
        f(t + 0.3 * step, stage, k[2]);
        for (int i = 0; i < n; i++)
            stage[i] = y[i] + step * (44. / 45 * k[0][i] - 56. / 15 * k[1][i] + 32. / 9 * k[2][i]);
        f(t + 0.8 * step, stage, k[3]);
        for (int i = 0; i < n; i++)
            stage[i] = y[i] + step * (19372. / 6561 * k[0][i] - 25360. / 2187 * k[1][i] + 64448. / 6561 * k[2][i] -
                                      212. / 729 * k[3][i]);
        f(t + 8. / 9 * step, stage, k[4]);
        for (int i = 0; i < n; i++)
            stage[i] = y[i] + step * (9017. / 3168 * k[0][i] - 355. / 33 * k[1][i] + 46732. / 5247 * k[2][i] +
                                      49. / 176 * k[3][i] - 5103. / 18656 * k[4][i]);
        f(t + step, stage, k[5]);
        for (int i = 0; i < n; i++)
            end[i] = y[i] + step * (35. / 384 * k[0][i] + 500. / 1113 * k[2][i] + 125. / 192 * k[3][i] -
                                    2187. / 6784 * k[4][i] + 11. / 84 * k[5][i]);
        f(t + step, end, k[6]);
        count.evaluations += 6;
        double sum = 0;
        for (int i = 0; i < n; i++) {
            const double error = step * (71. / 57600 * k[0][i] - 71. / 16695 * k[2][i] + 71. / 1920 * k[3][i] -
                                         17253. / 339200 * k[4][i] + 22. / 525 * k[5][i] - 1. / 40 * k[6][i]);
            const double part = error / (tolerance * fmax(1, fmax(fabs(y[i]), fabs(end[i]))));
            sum += part * part;
        }
        const double error = sqrt(sum / n), power = pow(fmax(error, 1e-10), 0.17);
        if (error > 1) {
            h = step * fmax(0.2, 0.9 / power);
            continue;
        }
        t = last ? until : t + step;
        memcpy(y, end, sizeof end);
        memcpy(k[0], k[6], sizeof end);
        if (correct) {
            correct(y);
            f(t, y, k[0]);
            count.evaluations++;
        }
        count.steps++;
        h = step * fmin(10, fmax(0.2, 0.9 * pow(before, 0.04) / power));
        before = fmax(error, 1e-4);
    }
    return count;
}

/* Processor time in seconds: what others do on the machine counts less. */
INLINE double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Prints the time of one run, the best of so many; evaluations; and what the run ends with. */
#define MEASURE(REPEAT, RUN, RESULT)                                                                        \
    do {                                                                                                    \
        double best = INFINITY;                                                                             \
        statistics count = {0, 0};                                                                          \
        for (int i = 0; i < (REPEAT); i++) {                                                                \
            const double begin = seconds();                                                                 \
            count = (RUN);                                                                                  \
            best = fmin(best, seconds() - begin);                                                           \
        }                                                                                                   \
        printf("%.9g %ld %ld %.17g\n", best, count.steps, count.evaluations, (RESULT));                     \
    } while (0)

#endif
