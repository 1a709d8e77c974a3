/* A small unit for FMI 2.0, written for the tests: a ball that bounces, a decay with an input, or an integrator that steps by itself, as MODEL says. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int again, terminate, nominals, states, has_next;
    double next;
} Events;

#ifndef MODEL
#define MODEL 1
#endif

/* value references: 0 time, 1 h, 2 v, 3 der(v), 4 e, 5 bounces; of the decay: 1 x, 2 u, 3 der(x), 4 k, 5 y; of the integrator: 2 u, 4 gain, 5 y */
typedef struct {
    double value[8];
    double time;
    int bounces;
    int event_mode;
} Unit;

void *fmi2Instantiate(const char *name, int kind, const char *guid, const char *where, const void *calls, int visible, int logging) {
    Unit *unit = calloc(1, sizeof(Unit));
    (void)name, (void)kind, (void)where, (void)calls, (void)visible, (void)logging;
    if (strcmp(guid, "{test}") != 0) return NULL;
#if MODEL == 1
    unit->value[1] = 1.0;
    unit->value[4] = 0.8;
#else
    unit->value[1] = 2.0;
    unit->value[4] = 0.5;
#endif
    unit->event_mode = 1;
    return unit;
}
void fmi2FreeInstance(void *unit) { free(unit); }
int fmi2SetupExperiment(void *unit, int a, double b, double start, int c, double d) {
    (void)a, (void)b, (void)c, (void)d;
    ((Unit *)unit)->time = start;
    return 0;
}
int fmi2EnterInitializationMode(void *unit) { (void)unit; return 0; }
int fmi2ExitInitializationMode(void *unit) { (void)unit; return 0; }
int fmi2SetReal(void *unit, const unsigned *which, size_t count, const double *values) {
    for (size_t i = 0; i < count; i++) ((Unit *)unit)->value[which[i]] = values[i];
    return 0;
}

static void rates(Unit *unit, double *rate) {
    double *value = unit->value;
#if MODEL == 1
    rate[0] = value[2];
    rate[1] = -9.81;
#else
    rate[0] = -value[4] * value[1] + value[2];
#endif
}

int fmi2GetReal(void *self, const unsigned *which, size_t count, double *values) {
    Unit *unit = self;
    double rate[2] = {0, 0};
    rates(unit, rate);
    for (size_t i = 0; i < count; i++) {
        values[i] = unit->value[which[i]];
#if MODEL == 1
        if (which[i] == 3) values[i] = rate[1];
#elif MODEL == 2
        if (which[i] == 3) values[i] = rate[0];
        if (which[i] == 5) values[i] = 3 * unit->value[1] + unit->value[2];
#endif
#ifdef BAD
        if (unit->time > 0.5) values[i] = NAN;
#endif
    }
    return 0;
}
int fmi2GetInteger(void *unit, const unsigned *which, size_t count, int *values) {
    (void)which;
    for (size_t i = 0; i < count; i++) values[i] = ((Unit *)unit)->bounces;
    return 0;
}

#if MODEL != 3
#define STATES (MODEL == 1 ? 2 : 1)
int fmi2SetTime(void *unit, double time) { ((Unit *)unit)->time = time; return 0; }
int fmi2SetContinuousStates(void *unit, const double *x, size_t count) {
    for (size_t i = 0; i < count; i++) ((Unit *)unit)->value[1 + i] = x[i];
    return count == STATES ? 0 : 3;
}
int fmi2GetContinuousStates(void *unit, double *x, size_t count) {
    for (size_t i = 0; i < count; i++) x[i] = ((Unit *)unit)->value[1 + i];
    return 0;
}
#ifndef LACKING
int fmi2GetDerivatives(void *unit, double *x, size_t count) {
#ifdef CRASH
    if (((Unit *)unit)->time > 5) {
#if CRASH == 1
        *(volatile int *)8 = 1;
#elif CRASH == 2
        abort();
#elif CRASH == 3
        for (volatile int i = 0;; i = !i) continue;
#else
        exit(7);
#endif
    }
#endif
    double rate[2] = {0, 0};
    rates(unit, rate);
    for (size_t i = 0; i < count; i++) x[i] = rate[i];
#ifdef BAD
    if (((Unit *)unit)->time > 0.5) x[0] = NAN;
#endif
    return 0;
}
#endif
int fmi2GetEventIndicators(void *unit, double *z, size_t count) {
    if (count > 0) z[0] = ((Unit *)unit)->value[1];
    return 0;
}
int fmi2EnterEventMode(void *unit) { ((Unit *)unit)->event_mode = 1; return 0; }
int fmi2EnterContinuousTimeMode(void *unit) { ((Unit *)unit)->event_mode = 0; return 0; }
int fmi2NewDiscreteStates(void *self, Events *events) {
    Unit *unit = self;
    memset(events, 0, sizeof *events);
#if MODEL == 1
    if (unit->value[1] <= 0 && unit->value[2] < 0) {
        unit->value[1] = 1e-300;
        unit->value[2] = -unit->value[4] * unit->value[2];
        unit->bounces++;
        events->states = 1;
    }
#endif
    return unit->event_mode ? 0 : 3;
}
#else
/* y grows by gain * u * h, and only forwards. */
int fmi2DoStep(void *self, double time, double length, int forwards) {
    Unit *unit = self;
    (void)forwards;
    if (fabs(time - unit->time) > 1e-9) return 3;
    unit->value[5] += unit->value[4] * unit->value[2] * length;
    unit->time = time + length;
    return 0;
}
#endif
