/* N × N bodies in the plane with springs between neighbours, each spring once. */
#include "integrate.h"

static const double stiffness = 20, length = 0.9;

INLINE void spring(const double *y, double *a, int p, int q)
{
    const double dx = y[p] - y[q], dy = y[p + 1] - y[q + 1];
    const double r = sqrt(dx * dx + dy * dy), tension = stiffness * (r - length) / r;
    a[p] -= tension * dx, a[p + 1] -= tension * dy;
    a[q] += tension * dx, a[q + 1] += tension * dy;
}

#define AT(i, j) (2 * ((i) * N + (j)))

static void rates(double t, const double *restrict y, double *restrict slope)
{
    (void)t;
    double *a = slope + 2 * N * N;
    memcpy(slope, y + 2 * N * N, 2 * N * N * sizeof(double));
    memset(a, 0, 2 * N * N * sizeof(double));
    for (int i = 1; i < N; i++)
        for (int j = 0; j < N; j++) spring(y, a, AT(i, j), AT(i - 1, j));
    for (int i = 0; i < N; i++)
        for (int j = 1; j < N; j++) spring(y, a, AT(i, j), AT(i, j - 1));
}

static double y[4 * N * N];

static statistics run(double until, double tolerance)
{
    memset(y, 0, sizeof y);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) y[AT(i, j)] = i + 1, y[AT(i, j) + 1] = j + 1;
    return integrate(rates, NULL, 4 * N * N, until, tolerance, y);
}

int main(int count, char **arguments)
{
    if (count != 4) return 2;
    MEASURE(atoi(arguments[3]), run(atof(arguments[1]), atof(arguments[2])), y[0]);
    return 0;
}
