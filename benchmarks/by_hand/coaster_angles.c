/* benchmarks/scenes/coaster_minimal.anz by hand, in the coordinates of the scene: three angles, and a force in each of the two links.
 * The accelerations are eliminated, which leaves two equations for the forces; after each step angles and rates are moved back
 * onto the constraints by the smallest change. */
#include "coaster.h"

enum { CARS = 3, LINKS = 2 };

/* The derivatives of half the square of a link's length by the angles in front and behind. */
typedef struct {
    double front, back;
} link_slopes;

INLINE void gap_between(const place *front, const place *back, double *gap)
{
    for (int i = 0; i < 3; i++) gap[i] = front->x[i] - back->x[i];
}

INLINE link_slopes slopes_of(const place *front, const place *back, const double *gap)
{
    return (link_slopes){dot(gap, front->d), -dot(gap, back->d)};
}

/* Two forces from a symmetric matrix, by Cramer's rule. */
INLINE void solve2(double a, double b, double c, const double *right, double *force)
{
    const double inverse = 1 / (a * c - b * b);
    force[0] = (c * right[0] - b * right[1]) * inverse;
    force[1] = (a * right[1] - b * right[0]) * inverse;
}

/* Angles, then rates. */
static void slope(double t, const double *y, double *d)
{
    (void)t;
    const double *rate = y + CARS;
    const place car[CARS] = {track(y[0]), track(y[1]), track(y[2])};
    double inverse[CARS], free[CARS], right[LINKS], force[LINKS];
    link_slopes link[LINKS];
    for (int i = 0; i < CARS; i++) {
        const double square = dot(car[i].d, car[i].d);
        inverse[i] = 1 / square;
        const double drag = i == 0 ? DRAG * square * rate[0] : 0;
        free[i] = -(dot(car[i].d, car[i].dd) * rate[i] * rate[i] + GRAVITY * car[i].d[2] + drag) * inverse[i];
    }
    for (int i = 0; i < LINKS; i++) {
        const int j = i + 1;
        double gap[3], relative[3], turning[3];
        gap_between(&car[i], &car[j], gap);
        link[i] = slopes_of(&car[i], &car[j], gap);
        for (int k = 0; k < 3; k++) {
            relative[k] = rate[i] * car[i].d[k] - rate[j] * car[j].d[k];
            turning[k] = rate[i] * rate[i] * car[i].dd[k] - rate[j] * rate[j] * car[j].dd[k];
        }
        right[i] = link[i].front * free[i] + link[i].back * free[j] + dot(relative, relative) + dot(gap, turning);
    }
    solve2(link[0].front * link[0].front * inverse[0] + link[0].back * link[0].back * inverse[1],
           link[0].back * link[1].front * inverse[1],
           link[1].front * link[1].front * inverse[1] + link[1].back * link[1].back * inverse[2], right, force);
    for (int i = 0; i < CARS; i++) d[i] = rate[i];
    d[3] = free[0] - inverse[0] * link[0].front * force[0];
    d[4] = free[1] - inverse[1] * (link[0].back * force[0] + link[1].front * force[1]);
    d[5] = free[2] - inverse[2] * link[1].back * force[1];
}

/* The smallest change of three numbers by which two constraints lose what is left of them. */
INLINE void move(const link_slopes *link, const double *left, double *y)
{
    double force[LINKS];
    solve2(link[0].front * link[0].front + link[0].back * link[0].back, link[0].back * link[1].front,
           link[1].front * link[1].front + link[1].back * link[1].back, left, force);
    y[0] -= link[0].front * force[0];
    y[1] -= link[0].back * force[0] + link[1].front * force[1];
    y[2] -= link[1].back * force[1];
}

static void correct(double *y)
{
    link_slopes link[LINKS];
    for (int round = 0; round < 20; round++) {
        const place car[CARS] = {track(y[0]), track(y[1]), track(y[2])};
        double left[LINKS];
        for (int i = 0; i < LINKS; i++) {
            double gap[3];
            gap_between(&car[i], &car[i + 1], gap);
            link[i] = slopes_of(&car[i], &car[i + 1], gap);
            left[i] = 0.5 * (dot(gap, gap) - CHORD * CHORD);
        }
        if (fabs(left[0]) < 1e-9 && fabs(left[1]) < 1e-9) break;
        move(link, left, y);
    }
    double *rate = y + CARS;
    const double left[LINKS] = {link[0].front * rate[0] + link[0].back * rate[1],
                                link[1].front * rate[1] + link[1].back * rate[2]};
    move(link, left, rate);
}

static double y[2 * CARS];

static statistics run(double until, double tolerance)
{
    y[0] = 0, y[1] = behind(track(0), -CHORD / RADIUS), y[2] = behind(track(y[1]), -2 * CHORD / RADIUS);
    y[3] = OMEGA;
    for (int i = 0; i < LINKS; i++) {
        double ratio, bias;
        const place front = track(y[i]), back = track(y[i + 1]);
        follow(&front, &back, y[CARS + i], &ratio, &bias);
        y[CARS + i + 1] = ratio * y[CARS + i];
    }
    return integrate(slope, correct, 2 * CARS, until, tolerance, y);
}

/* Arguments: seconds to simulate, tolerance, repetitions. The result is the angle of the first car. */
int main(int count, char **arguments)
{
    if (count != 4) return 2;
    const double until = atof(arguments[1]), tolerance = atof(arguments[2]);
    MEASURE(atoi(arguments[3]), run(until, tolerance), y[0]);
    return 0;
}
