/* Units of the kinds that the Modelica Association publishes as Reference FMUs, written for the tests from the equations in their public description; the
   names of variables are theirs. FMI says for which version of the standard, MODEL which unit:
   1 BouncingBall, 2 VanDerPol, 3 Dahlquist, 4 Stair, 5 Resource, 6 Feedthrough, 7 StateSpace, 8 a counter that a clock ticks. */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if FMI == 2
#include "fmi2Functions.h"
#define NAMED(name) fmi2##name
typedef fmi2Component Handle;
typedef fmi2Status Status;
#define OK fmi2OK
#define ERROR fmi2Error
#else
#include "fmi3Functions.h"
#define NAMED(name) fmi3##name
typedef fmi3Instance Handle;
typedef fmi3Status Status;
#define OK fmi3OK
#define ERROR fmi3Error
#endif

#define MOST 40
/* Room for each variable: arrays have up to nine numbers. */
#define ROOM 9

typedef struct {
    double r[MOST][ROOM];
    double time;
    bool in_event_mode, ticks, ended;
    double next;
    char where[1000];
} Unit;

#define V(which) (unit->r[which][0])

/* Numbers of a variable. */
static size_t length(unsigned which) {
#if MODEL == 7
    static const size_t lengths[] = {1, 1, 9, 9, 9, 9, 3, 3, 3, 3, 3};
    return lengths[which];
#else
    (void)which;
    return 1;
#endif
}

/* Where the states are, and their rates: 1 h, 2 der(h), 3 v, 4 der(v); 1 x0, 2 der(x0), 3 x1, 4 der(x1); 1 x, 2 der(x); 9 x, 10 der(x). */
#if MODEL == 1 || MODEL == 2
static const unsigned states[] = {1, 3}, rates[] = {2, 4};
#define STATES 2
#elif MODEL == 3
static const unsigned states[] = {1}, rates[] = {2};
#define STATES 1
#elif MODEL == 7
static const unsigned states[] = {9}, rates[] = {10};
#define STATES 1
#else
static const unsigned states[1], rates[1];
#define STATES 0
#endif

static void begin(Unit *unit) {
#if MODEL == 1
    V(1) = 1, V(5) = -9.81, V(6) = 0.7, V(7) = 0.1;
#elif MODEL == 2
    V(1) = 2, V(3) = 0, V(5) = 1;
#elif MODEL == 3
    V(1) = 1, V(3) = 1;
#elif MODEL == 4
    V(1) = 1;
    unit->next = 1;
#elif MODEL == 7
    for (int i = 0; i < 3; i++) {
        unit->r[2][4 * i] = unit->r[3][4 * i] = unit->r[4][4 * i] = 1;
        unit->r[6][i] = i + 1;
    }
#endif
    (void)unit;
}

static void compute(Unit *unit) {
#if MODEL == 1
    V(2) = V(3), V(4) = V(5);
#elif MODEL == 2
    V(2) = V(3), V(4) = V(5) * ((1 - V(1) * V(1)) * V(3)) - V(1);
#elif MODEL == 3
    V(2) = -V(3) * V(1);
#elif MODEL == 6
    for (int i = 0; i < 14; i++) V(20 + i) = V(1 + i);
#elif MODEL == 7
    for (int i = 0; i < 3; i++) {
        unit->r[10][i] = unit->r[8][i] = 0;
        for (int j = 0; j < 3; j++) {
            unit->r[10][i] += unit->r[2][3 * i + j] * unit->r[9][j] + unit->r[3][3 * i + j] * unit->r[7][j];
            unit->r[8][i] += unit->r[4][3 * i + j] * unit->r[9][j] + unit->r[5][3 * i + j] * unit->r[7][j];
        }
    }
#endif
    (void)unit;
}

static void happen(Unit *unit) {
#if MODEL == 1
    if (V(1) <= 0 && V(3) < 0) {
        V(1) = DBL_MIN;
        V(3) *= -V(6);
        if (V(3) < V(7)) V(3) = 0, V(5) = 0;
    }
#elif MODEL == 4
    if (unit->time >= unit->next - 1e-9) {
        V(1) += 1;
        unit->next += 1;
        unit->ended = V(1) >= 10;
    }
#elif MODEL == 8
    if (unit->ticks) V(2) += V(1), V(3) = unit->time;
    unit->ticks = false;
#endif
    (void)unit;
}

static Handle made(const char *token, const char *where) {
    if (strcmp(token, "{reference}") != 0) return NULL;
    Unit *unit = calloc(1, sizeof *unit);
    snprintf(unit->where, sizeof unit->where, "%s", where ? where : "");
    unit->in_event_mode = true;
    begin(unit);
    return unit;
}

Status NAMED(EnterEventMode)(Handle self) {
    ((Unit *)self)->in_event_mode = true;
    return OK;
}
Status NAMED(EnterContinuousTimeMode)(Handle self) {
    ((Unit *)self)->in_event_mode = false;
    return OK;
}
Status NAMED(ExitInitializationMode)(Handle self) {
    Unit *unit = self;
#if MODEL == 5
    char path[1100];
    const char *folder = strncmp(unit->where, "file://", 7) == 0 ? unit->where + 7 : unit->where;
    snprintf(path, sizeof path, "%s/y.txt", folder);
    FILE *file = fopen(path, "r");
    if (!file) return ERROR;
    V(1) = fgetc(file);
    fclose(file);
#elif MODEL == 7
    memcpy(unit->r[9], unit->r[6], sizeof unit->r[9]);
#endif
    compute(unit);
    return OK;
}
void NAMED(FreeInstance)(Handle self) { free(self); }
Status NAMED(SetTime)(Handle self, double time) {
    ((Unit *)self)->time = time;
    return OK;
}
Status NAMED(SetContinuousStates)(Handle self, const double x[], size_t count) {
    Unit *unit = self;
    for (unsigned i = 0; i < STATES; i++) {
        memcpy(unit->r[states[i]], x, length(states[i]) * sizeof *x);
        x += length(states[i]), count -= length(states[i]);
    }
    return count == 0 ? OK : ERROR;
}
static Status all(Unit *unit, const unsigned *which, double *x) {
    compute(unit);
    for (unsigned i = 0; i < STATES; i++) {
        memcpy(x, unit->r[which[i]], length(which[i]) * sizeof *x);
        x += length(which[i]);
    }
    return OK;
}
Status NAMED(GetContinuousStates)(Handle self, double x[], size_t count) {
    (void)count;
    return all(self, states, x);
}
Status NAMED(GetEventIndicators)(Handle self, double z[], size_t count) {
    Unit *unit = self;
    if (count > 0) z[0] = V(1);
    return OK;
}
/* Euler's method, in one step: what tests expect of a step is known in closed form. */
static void step(Unit *unit, double time, double length_of_step) {
    compute(unit);
    for (unsigned i = 0; i < STATES; i++)
        for (size_t j = 0; j < length(states[i]); j++) unit->r[states[i]][j] += length_of_step * unit->r[rates[i]][j];
    unit->time = time + length_of_step;
    happen(unit);
    compute(unit);
}

#if FMI == 2
Handle fmi2Instantiate(fmi2String name, fmi2Type kind, fmi2String token, fmi2String where, const fmi2CallbackFunctions *calls, fmi2Boolean a, fmi2Boolean b) {
    (void)name, (void)kind, (void)calls, (void)a, (void)b;
    return made(token, where);
}
Status fmi2SetupExperiment(Handle self, fmi2Boolean a, double b, double start, fmi2Boolean c, double d) {
    (void)a, (void)b, (void)c, (void)d;
    return fmi2SetTime(self, start);
}
Status fmi2EnterInitializationMode(Handle self) { return self ? OK : ERROR; }
Status fmi2GetDerivatives(Handle self, double x[], size_t count) {
    (void)count;
    return all(self, rates, x);
}
Status fmi2NewDiscreteStates(Handle self, fmi2EventInfo *info) {
    Unit *unit = self;
    memset(info, 0, sizeof *info);
    happen(unit);
    info->terminateSimulation = unit->ended;
    info->nextEventTimeDefined = unit->next > 0;
    info->nextEventTime = unit->next;
    return OK;
}
Status fmi2DoStep(Handle self, double time, double length_of_step, fmi2Boolean a) {
    (void)a;
    step(self, time, length_of_step);
    return OK;
}
#define ACCESS(Name, Type)                                                                        \
    Status fmi2Get##Name(Handle self, const unsigned which[], size_t count, Type values[]) {      \
        Unit *unit = self;                                                                        \
        compute(unit);                                                                            \
        for (size_t i = 0; i < count; i++) values[i] = (Type)V(which[i]);                         \
        return OK;                                                                                \
    }                                                                                             \
    Status fmi2Set##Name(Handle self, const unsigned which[], size_t count, const Type values[]) { \
        Unit *unit = self;                                                                        \
        for (size_t i = 0; i < count; i++) V(which[i]) = values[i];                               \
        return OK;                                                                                \
    }
ACCESS(Real, fmi2Real)
ACCESS(Integer, fmi2Integer)
ACCESS(Boolean, fmi2Boolean)
#else
Handle fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String where, fmi3Boolean a, fmi3Boolean b, fmi3InstanceEnvironment c, fmi3LogMessageCallback d) {
    (void)name, (void)a, (void)b, (void)c, (void)d;
    return made(token, where);
}
Handle fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String where, fmi3Boolean a, fmi3Boolean b, fmi3Boolean c, fmi3Boolean d,
    const fmi3ValueReference e[], size_t f, fmi3InstanceEnvironment g, fmi3LogMessageCallback h, fmi3IntermediateUpdateCallback i) {
    (void)name, (void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h, (void)i;
    return made(token, where);
}
Status fmi3EnterInitializationMode(Handle self, fmi3Boolean a, double b, double start, fmi3Boolean c, double d) {
    (void)a, (void)b, (void)c, (void)d;
    return fmi3SetTime(self, start);
}
Status fmi3GetContinuousStateDerivatives(Handle self, double x[], size_t count) {
    (void)count;
    return all(self, rates, x);
}
Status fmi3UpdateDiscreteStates(Handle self, fmi3Boolean *again, fmi3Boolean *terminate, fmi3Boolean *a, fmi3Boolean *b, fmi3Boolean *has_next, double *next) {
    Unit *unit = self;
    *again = *a = *b = false;
    happen(unit);
    *terminate = unit->ended;
    *has_next = unit->next > 0;
    *next = unit->next;
    return OK;
}
Status fmi3DoStep(Handle self, double time, double length_of_step, fmi3Boolean a, fmi3Boolean *events, fmi3Boolean *terminate, fmi3Boolean *early, double *reached) {
    (void)a;
    step(self, time, length_of_step);
    *events = *early = *terminate = false;
    *reached = time + length_of_step;
    return OK;
}
Status fmi3SetClock(Handle self, const unsigned which[], size_t count, const fmi3Clock values[]) {
    Unit *unit = self;
    if (count != 1 || which[0] != 4 || !unit->in_event_mode) return ERROR;
    unit->ticks = values[0];
    return OK;
}
#define ACCESS(Name, Type)                                                                                        \
    Status fmi3Get##Name(Handle self, const unsigned which[], size_t count, Type values[], size_t numbers) {      \
        Unit *unit = self;                                                                                        \
        compute(unit);                                                                                            \
        for (size_t i = 0; i < count; i++)                                                                        \
            for (size_t j = 0; j < length(which[i]); j++, numbers--) *values++ = (Type)unit->r[which[i]][j];      \
        return numbers == 0 ? OK : ERROR;                                                                         \
    }                                                                                                             \
    Status fmi3Set##Name(Handle self, const unsigned which[], size_t count, const Type values[], size_t numbers) { \
        Unit *unit = self;                                                                                        \
        for (size_t i = 0; i < count; i++)                                                                        \
            for (size_t j = 0; j < length(which[i]); j++, numbers--) unit->r[which[i]][j] = (double)*values++;    \
        return numbers == 0 ? OK : ERROR;                                                                         \
    }
ACCESS(Float64, fmi3Float64)
ACCESS(Float32, fmi3Float32)
ACCESS(Int8, fmi3Int8)
ACCESS(UInt8, fmi3UInt8)
ACCESS(Int16, fmi3Int16)
ACCESS(UInt16, fmi3UInt16)
ACCESS(Int32, fmi3Int32)
ACCESS(UInt32, fmi3UInt32)
ACCESS(Int64, fmi3Int64)
ACCESS(UInt64, fmi3UInt64)
ACCESS(Boolean, fmi3Boolean)
#endif
