/* The track of benchmarks/scenes/coaster_*.anz: a circle with four hills. */
#ifndef COASTER_H
#define COASTER_H

#include "integrate.h"

static const double RADIUS = 50, AMPLITUDE = 12.5, GRAVITY = 9.81, CHORD = 4, DRAG = 1e-4;
#define OMEGA (5 * acos(-1) / 180)

/* A place on the track, and its first and second derivatives by the angle. */
typedef struct {
    double x[3], d[3], dd[3];
} place;

INLINE place track(double angle)
{
    double s, c;
    sincos(angle, &s, &c);
    const double c2 = c * c - s * s, s2 = 2 * s * c, c4 = c2 * c2 - s2 * s2, s4 = 2 * s2 * c2;
    return (place){
        {RADIUS * c, RADIUS * s, AMPLITUDE * c4},
        {-RADIUS * s, RADIUS * c, -4 * AMPLITUDE * s4},
        {-RADIUS * c, -RADIUS * s, -16 * AMPLITUDE * c4},
    };
}

INLINE double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* The angle of the car behind, by Newton's method from a guess. */
INLINE double behind(place front, double guess)
{
    for (int i = 0; i < 20; i++) {
        const place back = track(guess);
        const double gap[3] = {front.x[0] - back.x[0], front.x[1] - back.x[1], front.x[2] - back.x[2]};
        const double step = (dot(gap, gap) - CHORD * CHORD) / (2 * dot(gap, back.d));
        guess += step;
        if (fabs(step) < 1e-9) break;
    }
    return guess;
}

/* How the car behind follows: its rate is ratio times that of the car in front, its acceleration that plus the bias. */
INLINE void follow(const place *front, const place *back, double rate, double *ratio, double *bias)
{
    double gap[3], relative[3], turning[3];
    for (int i = 0; i < 3; i++) gap[i] = front->x[i] - back->x[i];
    const double inverse = 1 / dot(gap, back->d);
    *ratio = dot(gap, front->d) * inverse;
    const double own = *ratio * rate;
    for (int i = 0; i < 3; i++) {
        relative[i] = rate * front->d[i] - own * back->d[i];
        turning[i] = rate * rate * front->dd[i] - own * own * back->dd[i];
    }
    *bias = (dot(relative, relative) + dot(gap, turning)) * inverse;
}

#endif
