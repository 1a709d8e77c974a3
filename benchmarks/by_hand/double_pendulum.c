/* examples/double_pendulum.anz by hand: angles from the vertical, the equations of the textbook. */
#include "integrate.h"

static const double G = 9.81;

static void slope(double t, const double *y, double *d)
{
    (void)t;
    double s1, c1, s2, c2;
    sincos(y[0], &s1, &c1);
    sincos(y[1], &s2, &c2);
    const double s = s1 * c2 - c1 * s2, c = c1 * c2 + s1 * s2;
    const double a = -s * y[3] * y[3] - 2 * G * s1, b = s * y[2] * y[2] - G * s2;
    const double inverse = 1 / (2 - c * c);
    d[0] = y[2];
    d[1] = y[3];
    d[2] = (a - c * b) * inverse;
    d[3] = (2 * b - c * a) * inverse;
}

static double y[4];

static statistics run(double until, double tolerance)
{
    y[0] = acos(-1) / 2, y[1] = acos(-1) / 3, y[2] = 0, y[3] = 0;
    return integrate(slope, NULL, 4, until, tolerance, y);
}

/* Arguments: seconds to simulate, tolerance, repetitions. The result is the first angle. */
int main(int count, char **arguments)
{
    if (count != 4) return 2;
    const double until = atof(arguments[1]), tolerance = atof(arguments[2]);
    MEASURE(atoi(arguments[3]), run(until, tolerance), y[0]);
    return 0;
}
