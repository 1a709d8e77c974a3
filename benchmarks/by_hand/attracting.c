/* N bodies in a plane spiral that attract one another, softened as in clusters of stars. With -DALL every body looks at all others, which needs no sum
 * across the inner loop and so suits vectors; otherwise each pair is looked at once, with half of the operations. */
#include "integrate.h"

static const double softening = 0.1;
static double mass[N];

#ifdef ALL
static void rates(double t, const double *restrict y, double *restrict slope)
{
    (void)t;
    static double x[3][N], a[3][N];
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 3; k++) x[k][i] = y[3 * i + k], a[k][i] = 0;
    for (int j = 0; j < N; j++) {
        const double x_j = x[0][j], y_j = x[1][j], z_j = x[2][j], m = mass[j];
        for (int i = 0; i < N; i++) {
            const double dx = x_j - x[0][i], dy = y_j - x[1][i], dz = z_j - x[2][i];
            const double inverse = 1 / sqrt(dx * dx + dy * dy + dz * dz + softening * softening);
            const double pull = m * inverse * inverse * inverse;
            a[0][i] += pull * dx, a[1][i] += pull * dy, a[2][i] += pull * dz;
        }
    }
    memcpy(slope, y + 3 * N, 3 * N * sizeof(double));
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 3; k++) slope[3 * N + 3 * i + k] = a[k][i];
}
#else
static void rates(double t, const double *restrict y, double *restrict slope)
{
    (void)t;
    double *a = slope + 3 * N;
    memcpy(slope, y + 3 * N, 3 * N * sizeof(double));
    memset(a, 0, 3 * N * sizeof(double));
    for (int i = 0; i < N; i++) {
        double ax = 0, ay = 0, az = 0;
        for (int j = i + 1; j < N; j++) {
            const double dx = y[3 * j] - y[3 * i], dy = y[3 * j + 1] - y[3 * i + 1], dz = y[3 * j + 2] - y[3 * i + 2];
            const double inverse = 1 / sqrt(dx * dx + dy * dy + dz * dz + softening * softening);
            const double pull = inverse * inverse * inverse, on_i = pull * mass[j], on_j = pull * mass[i];
            ax += on_i * dx, ay += on_i * dy, az += on_i * dz;
            a[3 * j] -= on_j * dx, a[3 * j + 1] -= on_j * dy, a[3 * j + 2] -= on_j * dz;
        }
        a[3 * i] += ax, a[3 * i + 1] += ay, a[3 * i + 2] += az;
    }
}
#endif

static double y[6 * N];

static statistics run(double until, double tolerance)
{
    memset(y, 0, sizeof y);
    for (int i = 0; i < N; i++) {
        y[3 * i] = (i + 1) * cos(i + 1), y[3 * i + 1] = (i + 1) * sin(i + 1);
        mass[i] = 1 + (i + 1) % 7 / 10.0;
    }
    return integrate(rates, NULL, 6 * N, until, tolerance, y);
}

int main(int count, char **arguments)
{
    if (count != 4) return 2;
    MEASURE(atoi(arguments[3]), run(atof(arguments[1]), atof(arguments[2])), y[0]);
    return 0;
}
