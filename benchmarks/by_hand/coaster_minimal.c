/* benchmarks/scenes/coaster_minimal.anz by hand: one equation of motion, for the first car; the others are carried along
 * with it and pulled back to their distances after each step. */
#include "coaster.h"

/* Angle and rate of the first car, angles of the others. */
static void slope(double t, const double *y, double *d)
{
    (void)t;
    const place car[3] = {track(y[0]), track(y[2]), track(y[3])};
    double ratio[3] = {1, 0, 0}, bias[3] = {0, 0, 0}, step_ratio, step_bias;
    follow(&car[0], &car[1], y[1], &ratio[1], &bias[1]);
    follow(&car[1], &car[2], ratio[1] * y[1], &step_ratio, &step_bias);
    ratio[2] = step_ratio * ratio[1];
    bias[2] = step_ratio * bias[1] + step_bias;
    double force = 0, mass = 0;
    for (int i = 0; i < 3; i++) {
        const double rate = ratio[i] * y[1], square = dot(car[i].d, car[i].d);
        mass += ratio[i] * ratio[i] * square;
        force -= ratio[i] * (square * bias[i] + dot(car[i].d, car[i].dd) * rate * rate + GRAVITY * car[i].d[2]);
    }
    force -= DRAG * dot(car[0].d, car[0].d) * y[1];
    d[0] = y[1];
    d[1] = force / mass;
    d[2] = ratio[1] * y[1];
    d[3] = ratio[2] * y[1];
}

static void correct(double *y)
{
    y[2] = behind(track(y[0]), y[2]);
    y[3] = behind(track(y[2]), y[3]);
}

static double y[4];

static statistics run(double until, double tolerance)
{
    y[0] = 0, y[1] = OMEGA, y[2] = -CHORD / RADIUS, y[3] = -2 * CHORD / RADIUS;
    correct(y);
    return integrate(slope, correct, 4, until, tolerance, y);
}

/* Arguments: seconds to simulate, tolerance, repetitions. The result is the angle of the first car. */
int main(int count, char **arguments)
{
    if (count != 4) return 2;
    const double until = atof(arguments[1]), tolerance = atof(arguments[2]);
    MEASURE(atoi(arguments[3]), run(until, tolerance), y[0]);
    return 0;
}
