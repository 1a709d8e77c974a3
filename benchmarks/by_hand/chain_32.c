/* benchmarks/scenes/chain_32.anz by hand: angles between rods, and articulated bodies from the tip to the root and back, so
 * that the cost grows with the number of links (Featherstone), in the plane and for point masses. */
#include "integrate.h"

enum { N = 32 };
static const double G = 9.81;

/* Link frames lie at the joints with the first axis along the rod, at whose end the unit mass is. */
static void slope(double t, const double *y, double *d)
{
    (void)t;
    double s[N], c[N], turning_x[N], turning_y[N];
    double inertia[N], coupling_x[N], coupling_y[N], mass_xx[N], mass_xy[N], mass_yy[N], torque[N], force_x[N], force_y[N];
    double spin = 0, vx = 0, vy = 0;
    for (int i = 0; i < N; i++) {
        const double rate = y[N + i];
        sincos(y[i], &s[i], &c[i]);
        const double ax = c[i] * vx + s[i] * vy, ay = -s[i] * vx + c[i] * vy;
        spin += rate;
        turning_x[i] = rate * ay, turning_y[i] = -rate * ax;
        vx = ax, vy = ay + spin;
        inertia[i] = 1, coupling_x[i] = 0, coupling_y[i] = 1, mass_xx[i] = 1, mass_xy[i] = 0, mass_yy[i] = 1;
        force_x[i] = -spin * vy, force_y[i] = spin * vx, torque[i] = ax * vy - ay * vx;
    }
    for (int i = N - 1; i > 0; i--) {
        const double inverse = 1 / inertia[i];
        const double xx = mass_xx[i] - coupling_x[i] * coupling_x[i] * inverse;
        const double xy = mass_xy[i] - coupling_x[i] * coupling_y[i] * inverse;
        const double yy = mass_yy[i] - coupling_y[i] * coupling_y[i] * inverse;
        const double fx = force_x[i] + xx * turning_x[i] + xy * turning_y[i] - coupling_x[i] * torque[i] * inverse;
        const double fy = force_y[i] + xy * turning_x[i] + yy * turning_y[i] - coupling_y[i] * torque[i] * inverse;
        const double cc = c[i] * c[i], ss = s[i] * s[i], cs = c[i] * s[i];
        const double pxx = cc * xx - 2 * cs * xy + ss * yy, pxy = cs * (xx - yy) + (cc - ss) * xy,
                     pyy = ss * xx + 2 * cs * xy + cc * yy;
        const double px = c[i] * fx - s[i] * fy, py = s[i] * fx + c[i] * fy;
        mass_xx[i - 1] += pxx, mass_xy[i - 1] += pxy, mass_yy[i - 1] += pyy;
        coupling_x[i - 1] += pxy, coupling_y[i - 1] += pyy, inertia[i - 1] += pyy;
        force_x[i - 1] += px, force_y[i - 1] += py, torque[i - 1] += py;
    }
    double acceleration = 0, ax = -G, ay = 0;
    for (int i = 0; i < N; i++) {
        const double bx = c[i] * ax + s[i] * ay + turning_x[i], by = -s[i] * ax + c[i] * ay + turning_y[i];
        const double own =
            -(torque[i] + inertia[i] * acceleration + coupling_x[i] * bx + coupling_y[i] * by) / inertia[i];
        acceleration += own;
        d[i] = y[N + i], d[N + i] = own;
        ax = bx, ay = by + acceleration;
    }
}

static double y[2 * N];

static statistics run(double until, double tolerance)
{
    memset(y, 0, sizeof y);
    y[0] = acos(-1) / 2;
    return integrate(slope, NULL, 2 * N, until, tolerance, y);
}

/* Arguments: seconds to simulate, tolerance, repetitions. The result is the angle of the first rod. */
int main(int count, char **arguments)
{
    if (count != 4) return 2;
    const double until = atof(arguments[1]), tolerance = atof(arguments[2]);
    MEASURE(atoi(arguments[3]), run(until, tolerance), y[0]);
    return 0;
}
