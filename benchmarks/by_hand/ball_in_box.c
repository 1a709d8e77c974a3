/* A ball in a box with smooth walls that lose nothing, by someone who knows that it flies along parabolas: the next wall is found in closed
 * form. Prints seconds of the best run, events, events again, and where the ball is. Usage: ball_in_box UNTIL TOLERANCE RUNS */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

/* Time until x + v t + a t^2 / 2 leaves [-room, room], moving outwards. */
static double leaves(double x, double v, double a, double room) {
  double first = INFINITY;
  for (int side = -1; side <= 1; side += 2) {
    double wall = side * room - x;
    if (a == 0) {
      if (side * v > 0) first = fmin(first, wall / v);
      continue;
    }
    double under = v * v + 2 * a * wall;
    if (under < 0) continue;
    double root = sqrt(under);
    for (int sign = -1; sign <= 1; sign += 2) {
      double t = (-v + sign * root) / a;
      if (t > 1e-12 && side * (v + a * t) > 0) first = fmin(first, t);
    }
    if (side * v > 0 && side * wall <= 0) first = 0;
  }
  return first;
}

int main(int count, char **words) {
  double until = atof(words[1]), best = INFINITY, result = 0;
  int runs = atoi(words[3]);
  long events = 0;
  for (int run = 0; run < runs && count > 3; run++) {
    double x[3] = {0.1, 0.2, 0.3}, v[3] = {3, 2, 5}, a[3] = {0, 0, -9.81}, t = 0, start = now();
    for (events = 0;; events++) {
      double next[3], step = until - t;
      int wall = -1;
      for (int i = 0; i < 3; i++) {
        next[i] = leaves(x[i], v[i], a[i], 0.9);
        if (next[i] < step) step = next[i], wall = i;
      }
      for (int i = 0; i < 3; i++) x[i] += step * (v[i] + step * a[i] / 2), v[i] += step * a[i];
      t += step;
      if (wall < 0) break;
      v[wall] = -v[wall];
    }
    best = fmin(best, now() - start);
    result = x[0];
  }
  printf("%.9e %ld %ld %.12f\n", best, events, events, result);
  return 0;
}
