/* Measures a synthesized program: compiled with -DPROGRAM=name, and with the folder of its header known. */
#include "integrate.h"

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define TEXT_(a) #a
#define TEXT(a) TEXT_(a)
#define HEADER_(a) TEXT_(a.h)
#define HEADER(a) HEADER_(a)
#include HEADER(PROGRAM)

static PROGRAM simulation;

static void check(int64_t status)
{
    if (status != 0) exit(1);
}

static statistics run(double until, double tolerance)
{
    JOIN(PROGRAM, reset)(&simulation);
    check(JOIN(PROGRAM, configure)(&simulation, tolerance, until));
    check(JOIN(PROGRAM, initialize)(&simulation));
    check(JOIN(PROGRAM, advance)(&simulation, until, INT64_MAX));
    check(JOIN(PROGRAM, sample)(&simulation, until));
    check(JOIN(PROGRAM, observe)(&simulation, until));
    check(JOIN(PROGRAM, tally)(&simulation));
    return (statistics){(long)simulation.statistics.accepted, (long)simulation.statistics.evaluations};
}

/* Arguments: seconds to simulate, tolerance, repetitions. The result is the first output. */
int main(int count, char **arguments)
{
    if (count != 4) return 2;
    const double until = atof(arguments[1]), tolerance = atof(arguments[2]);
    MEASURE(atoi(arguments[3]), run(until, tolerance), *(double *)&simulation.outputs);
    return 0;
}
