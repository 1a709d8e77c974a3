/* benchmarks/scenes/coaster_constrained.anz by hand: three angles and three heights with five constraints. Accelerations and
 * forces come from one linear system of eleven equations, solved with pivoting; after each step positions and velocities are
 * moved back onto the constraints by the smallest change. */
#include "coaster.h"

enum { CARS = 3, Q = 6, C = 5, N = Q + C };

/* In place, with partial pivoting. */
INLINE void solve(int n, double a[n][n], double *b)
{
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(a[i][k]) > fabs(a[pivot][k])) pivot = i;
        if (pivot != k) {
            for (int j = k; j < n; j++) {
                const double swapped = a[k][j];
                a[k][j] = a[pivot][j], a[pivot][j] = swapped;
            }
            const double swapped = b[k];
            b[k] = b[pivot], b[pivot] = swapped;
        }
        const double inverse = 1 / a[k][k];
        for (int i = k + 1; i < n; i++) {
            const double factor = a[i][k] * inverse;
            if (factor == 0) continue;
            for (int j = k + 1; j < n; j++) a[i][j] -= factor * a[k][j];
            b[i] -= factor * b[k];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) b[i] -= a[i][j] * b[j];
        b[i] /= a[i][i];
    }
}

/* What the constraints leave, their derivatives by the coordinates, and what their second rates have besides accelerations. */
static void constraints(const double *q, const double *v, double *left, double jacobian[C][Q], double *bias)
{
    double s[CARS], c[CARS];
    memset(jacobian, 0, sizeof(double[C][Q]));
    for (int i = 0; i < CARS; i++) {
        sincos(q[i], &s[i], &c[i]);
        const double c2 = c[i] * c[i] - s[i] * s[i], s2 = 2 * s[i] * c[i], c4 = c2 * c2 - s2 * s2, s4 = 2 * s2 * c2;
        left[i] = q[3 + i] - AMPLITUDE * c4;
        jacobian[i][i] = 4 * AMPLITUDE * s4;
        jacobian[i][3 + i] = 1;
        bias[i] = 16 * AMPLITUDE * c4 * v[i] * v[i];
    }
    for (int i = 0; i + 1 < CARS; i++) {
        const int j = i + 1;
        const double gap[3] = {RADIUS * (c[i] - c[j]), RADIUS * (s[i] - s[j]), q[3 + i] - q[3 + j]};
        const double front[3] = {-RADIUS * s[i], RADIUS * c[i], 0}, back[3] = {-RADIUS * s[j], RADIUS * c[j], 0};
        const double relative[3] = {front[0] * v[i] - back[0] * v[j], front[1] * v[i] - back[1] * v[j], v[3 + i] - v[3 + j]};
        const double turning[3] = {
            RADIUS * (c[j] * v[j] * v[j] - c[i] * v[i] * v[i]), RADIUS * (s[j] * v[j] * v[j] - s[i] * v[i] * v[i]), 0};
        left[3 + i] = 0.5 * (dot(gap, gap) - CHORD * CHORD);
        jacobian[3 + i][i] = dot(gap, front), jacobian[3 + i][j] = -dot(gap, back);
        jacobian[3 + i][3 + i] = gap[2], jacobian[3 + i][3 + j] = -gap[2];
        bias[3 + i] = dot(relative, relative) + dot(gap, turning);
    }
}

static void slope(double t, const double *y, double *d)
{
    (void)t;
    double left[C], jacobian[C][Q], bias[C], a[N][N], b[N];
    constraints(y, y + Q, left, jacobian, bias);
    memset(a, 0, sizeof a);
    for (int i = 0; i < CARS; i++) {
        a[i][i] = RADIUS * RADIUS, a[3 + i][3 + i] = 1;
        b[i] = 0, b[3 + i] = -GRAVITY;
    }
    b[0] -= DRAG * RADIUS * RADIUS * y[Q];
    b[3] -= DRAG * y[Q + 3];
    for (int i = 0; i < C; i++) {
        for (int j = 0; j < Q; j++) a[Q + i][j] = a[j][Q + i] = jacobian[i][j];
        b[Q + i] = -bias[i];
    }
    solve(N, a, b);
    for (int i = 0; i < Q; i++) d[i] = y[Q + i], d[Q + i] = b[i];
}

/* The smallest change of x that takes `left` away, to first order. */
static void change(double *x, double jacobian[C][Q], const double *left)
{
    double a[C][C], b[C];
    for (int i = 0; i < C; i++) {
        b[i] = left[i];
        for (int j = 0; j < C; j++) {
            a[i][j] = 0;
            for (int k = 0; k < Q; k++) a[i][j] += jacobian[i][k] * jacobian[j][k];
        }
    }
    solve(C, a, b);
    for (int k = 0; k < Q; k++)
        for (int i = 0; i < C; i++) x[k] -= jacobian[i][k] * b[i];
}

static void correct(double *y)
{
    double left[C], jacobian[C][Q], bias[C];
    for (int round = 0; round < 5; round++) {
        constraints(y, y + Q, left, jacobian, bias);
        double worst = 0;
        for (int i = 0; i < C; i++) worst = fmax(worst, fabs(left[i]));
        if (worst < 1e-12) break;
        change(y, jacobian, left);
    }
    for (int i = 0; i < C; i++) {
        left[i] = 0;
        for (int k = 0; k < Q; k++) left[i] += jacobian[i][k] * y[Q + k];
    }
    change(y + Q, jacobian, left);
}

static double y[2 * Q];

static statistics run(double until, double tolerance)
{
    double rate = OMEGA, angle = 0;
    for (int i = 0; i < CARS; i++) {
        const place here = track(angle);
        y[i] = angle, y[3 + i] = here.x[2], y[Q + i] = rate, y[Q + 3 + i] = rate * here.d[2];
        double ratio, bias;
        angle = behind(here, angle - CHORD / RADIUS);
        const place next = track(angle);
        follow(&here, &next, rate, &ratio, &bias);
        rate *= ratio;
    }
    return integrate(slope, correct, 2 * Q, until, tolerance, y);
}

/* Arguments: seconds to simulate, tolerance, repetitions. The result is the angle of the first car. */
int main(int count, char **arguments)
{
    if (count != 4) return 2;
    const double until = atof(arguments[1]), tolerance = atof(arguments[2]);
    MEASURE(atoi(arguments[3]), run(until, tolerance), y[0]);
    return 0;
}
