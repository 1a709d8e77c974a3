/*
 * One running instance of the program, as simulators know it: what both versions of FMI have in common.
 * Numbers are in SI units. What gives an `int` gives 0, or another number after it has said what is wrong.
 */
#ifndef FMU_H
#define FMU_H

#include "@NAME@.h"
#include "tables.h"

#include <stddef.h>

/* What the calls of the standard have led to. */
typedef enum { FMU_MADE, FMU_INITIALIZING, FMU_EVENT, FMU_CONTINUOUS, FMU_STEP, FMU_TERMINATED } fmu_phase;

/* All that a run can be continued from, bit for bit: there are no pointers in it. */
typedef struct {
    uint64_t token; /* of this program and no other */
    @NAME@ model;
    double time, begin, tolerance, horizon;
    int phase;
    int begun; /* whether a consistent start has been found from what was set */
    int seen; /* whether outputs, rates and indicators belong to the present time and state */
    int moved; /* whether an input or a parameter has changed since the motion was last begun */
    int stopped; /* whether a `stop` of the scene has ended the run */
#if FMU_EXCHANGE
    double states[FMU_STATES + 1], rates[FMU_STATES + 1];
#endif
} fmu_state;

typedef struct fmu fmu;
struct fmu {
    fmu_state now;
    int is_exchange, event_mode, early_return, talks;
    char *name;
    void *environment;
    void *logger;
    void (*say)(fmu *, const char *message);
};

/* What a value reference stands for. */
typedef enum { FMU_TIME, FMU_PARAMETER, FMU_CONTROL, FMU_OUTPUT, FMU_WORD, FMU_STATE, FMU_RATE, FMU_INDICATOR, FMU_NOTHING } fmu_kind;

typedef struct {
    fmu_kind kind;
    size_t at;
} fmu_variable;

fmu_variable fmu_find(uint64_t reference);

fmu *fmu_new(const char *name, const char *token);
void fmu_free(fmu *);
void fmu_reset(fmu *);
/* Says what is wrong, and gives 1. */
int fmu_refuse(fmu *, const char *format, ...);
int fmu_needs(fmu *, const char *function, int allowed);

int fmu_set_up(fmu *, double tolerance, double begin, double horizon);
/* Finds a consistent start, unless that is done. */
int fmu_begin(fmu *);
int fmu_get(fmu *, uint64_t reference, double *value);
int fmu_set(fmu *, uint64_t reference, double value);
/* Goes on to a time; to the first transition on the way where `to_event` says so. `reached` is how far it came. */
int fmu_step(fmu *, double target, int to_event, double *reached, int *happened);

#if FMU_EXCHANGE
/* Whether the states have drifted off the constraints, so that an event has to move them back. */
int fmu_complete_step(fmu *, int *has_drifted);
/* About how large each state is: errors are measured by that. */
int fmu_nominals(fmu *, double nominals[]);
/* Lets happen what happens here; whether that changed the states, and when the next event is that is known; infinite if none is. */
int fmu_happen(fmu *, int *changed, double *next);
#endif

/*
 * How rates and outputs change with states, inputs, parameters and the time: as a whole along a direction of `knowns`, or, for the adjoint, with each of
 * `knowns`, summed up over `unknowns` with a weight for each.
 */
int fmu_slopes(fmu *, const uint32_t unknowns[], size_t unknown_count, const uint32_t knowns[], size_t known_count, const double seed[], double slopes[]);
int fmu_adjoint(fmu *, const uint32_t unknowns[], size_t unknown_count, const uint32_t knowns[], size_t known_count, const double weights[], double slopes[]);

/* Saved states. */
fmu_state *fmu_save(const fmu *, fmu_state *into);
int fmu_restore(fmu *, const fmu_state *from);

#endif
