/* A ball that bounces ever lower, as one writes it for any motion: Dormand and Prince's method of order 5(4), the crossing of the floor located
 * on its dense output, and after a bounce the steps go on as long as they were. It ends where a bounce is slower than 1e-9 m/s.
 * Prints seconds of the best run, bounces, right-hand sides, and the time of the last bounce.
 * Usage: bouncing_ball UNTIL TOLERANCE RUNS (Hairer, Norsett and Wanner, II.5 and II.6) */
#include "integrate.h"

enum { N = 2 };

static void fall(double t, const double *y, double *slope)
{
    (void)t;
    slope[0] = y[1];
    slope[1] = -9.81;
}

/* The dense output of order 4 at a part of a step. */
INLINE void between(const double *y, const double *end, double (*k)[N], double h, double part, double *found)
{
    const double rest = 1 - part;
    for (int i = 0; i < N; i++) {
        const double whole = end[i] - y[i], bulge = h * k[0][i] - whole, bend = whole - h * k[6][i] - bulge;
        const double last = h * (-12715105075. / 11282082432 * k[0][i] + 87487479700. / 32700410799 * k[2][i] -
                                 10690763975. / 1880347072 * k[3][i] + 701980252875. / 199316789632 * k[4][i] -
                                 1453857185. / 822651844 * k[5][i] + 69997945. / 29380423 * k[6][i]);
        found[i] = y[i] + part * (whole + rest * (bulge + part * (bend + rest * last)));
    }
}

/* Where the height crosses zero from above within a step, by regula falsi in the variant of Illinois. */
INLINE double crossing(const double *y, const double *end, double (*k)[N], double h, double *found)
{
    double low = 0, high = 1, above = y[0], below = end[0], part = 1;
    /* A ball that has just left the floor is above it a little later. */
    for (part = 0.5; above <= 0 && part > 1e-12; part /= 2) {
        between(y, end, k, h, part, found);
        above = found[0];
        if (above > 0)
            low = part;
        else
            high = part, below = above;
    }
    for (int round = 0, side = 0; round < 60; round++) {
        part = (low * below - high * above) / (below - above);
        between(y, end, k, h, part, found);
        if (found[0] == 0 || high - low < 1e-14) break;
        if (found[0] > 0) {
            low = part, above = found[0];
            if (side == 1) below /= 2;
            side = 1;
        } else {
            high = part, below = found[0];
            if (side == -1) above /= 2;
            side = -1;
        }
    }
    return part;
}

INLINE statistics bounce(double until, double tolerance, double *last)
{
    double k[7][N], stage[N], end[N], y[N] = {1, 0}, t = 0, h = 1e-3, before = 1e-4;
    statistics count = {0, 1};
    fall(t, y, k[0]);
    while (t < until) {
        const double step = fmin(h, until - t);
        for (int i = 0; i < N; i++) stage[i] = y[i] + step * (0.2 * k[0][i]);
        fall(t + 0.2 * step, stage, k[1]);
        for (int i = 0; i < N; i++) stage[i] = y[i] + step * (3. / 40 * k[0][i] + 9. / 40 * k[1][i]);
        fall(t + 0.3 * step, stage, k[2]);
        for (int i = 0; i < N; i++)
            stage[i] = y[i] + step * (44. / 45 * k[0][i] - 56. / 15 * k[1][i] + 32. / 9 * k[2][i]);
        fall(t + 0.8 * step, stage, k[3]);
        for (int i = 0; i < N; i++)
            stage[i] = y[i] + step * (19372. / 6561 * k[0][i] - 25360. / 2187 * k[1][i] + 64448. / 6561 * k[2][i] -
                                      212. / 729 * k[3][i]);
        fall(t + 8. / 9 * step, stage, k[4]);
        for (int i = 0; i < N; i++)
            stage[i] = y[i] + step * (9017. / 3168 * k[0][i] - 355. / 33 * k[1][i] + 46732. / 5247 * k[2][i] +
                                      49. / 176 * k[3][i] - 5103. / 18656 * k[4][i]);
        fall(t + step, stage, k[5]);
        for (int i = 0; i < N; i++)
            end[i] = y[i] + step * (35. / 384 * k[0][i] + 500. / 1113 * k[2][i] + 125. / 192 * k[3][i] -
                                    2187. / 6784 * k[4][i] + 11. / 84 * k[5][i]);
        fall(t + step, end, k[6]);
        count.evaluations += 6;
        double sum = 0;
        for (int i = 0; i < N; i++) {
            const double error = step * (71. / 57600 * k[0][i] - 71. / 16695 * k[2][i] + 71. / 1920 * k[3][i] -
                                         17253. / 339200 * k[4][i] + 22. / 525 * k[5][i] - 1. / 40 * k[6][i]);
            const double part = error / (tolerance * fmax(1, fmax(fabs(y[i]), fabs(end[i]))));
            sum += part * part;
        }
        const double error = sqrt(sum / N), power = pow(fmax(error, 1e-10), 0.17);
        if (error > 1) {
            h = step * fmax(0.2, 0.9 / power);
            continue;
        }
        h = step * fmin(10, fmax(0.2, 0.9 * pow(before, 0.04) / power));
        before = fmax(error, 1e-4);
        if (end[0] <= 0 && end[1] < 0) {
            t += step * crossing(y, end, k, step, stage);
            *last = t;
            count.steps++;
            if (stage[1] > -1e-9) break;
            y[0] = 0, y[1] = -0.8 * stage[1];
            h = step;
            fall(t, y, k[0]);
            count.evaluations++;
            continue;
        }
        t += step;
        memcpy(y, end, sizeof end);
        memcpy(k[0], k[6], sizeof end);
    }
    return count;
}

int main(int count, char **words)
{
    if (count < 4) return 1;
    double last = 0;
    MEASURE(atoi(words[3]), bounce(atof(words[1]), atof(words[2]), &last), last);
    return 0;
}
