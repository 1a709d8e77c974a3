/*
 * FMI 3.0: all functions of the standard, over fmu.h. It needs no header of the standard.
 * Built into a library, functions have their own names; linked with other programs, define FMI3_FUNCTION_PREFIX.
 */
#include "fmu.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef bool flag;
typedef uint8_t byte;
#include "calls.h"

typedef enum { NOT_YET_KNOWN, UNCHANGED, CHANGED } qualifier;
typedef uint32_t reference;
typedef void (*log_message)(void *, status, const char *, const char *);
typedef void (*intermediate_update)(void *, double, bool, bool, bool, bool, bool *, double *);

static void say(fmu *it, const char *message)
{
    log_message log;
    memcpy(&log, &it->logger, sizeof log);
    if (log != NULL) log(it->environment, ERROR, "logStatusError", message);
}

EXPORT const char *NAMED(fmi3GetVersion)(void) { return "3.0"; }

static void *make(const char *name, const char *token, void *environment, log_message log, bool talks)
{
    fmu *const it = fmu_new(name, token);
    if (it == NULL) {
        if (log != NULL) log(environment, ERROR, "logStatusError", "the instantiation token is that of another program, or there is no memory");
        return NULL;
    }
    it->environment = environment;
    memcpy(&it->logger, &log, sizeof log);
    it->say = say;
    it->talks = talks;
    return it;
}

EXPORT void *NAMED(fmi3InstantiateModelExchange)(const char *name, const char *token, const char *resources, bool visible, bool talks,
                                                 void *environment, log_message log)
{
    (void)resources, (void)visible;
#if FMU_EXCHANGE
    fmu *const it = make(name, token, environment, log, talks);
    if (it != NULL) it->is_exchange = 1;
    return it;
#else
    (void)name, (void)token, (void)talks, (void)make;
    if (log != NULL) log(environment, ERROR, "logStatusError", "this program is for co-simulation only");
    return NULL;
#endif
}

EXPORT void *NAMED(fmi3InstantiateCoSimulation)(const char *name, const char *token, const char *resources, bool visible, bool talks,
                                                bool event_mode, bool early_return, const reference intermediate[], size_t count,
                                                void *environment, log_message log, intermediate_update update)
{
    (void)resources, (void)visible, (void)intermediate, (void)count, (void)update;
    fmu *const it = make(name, token, environment, log, talks);
    if (it == NULL) return NULL;
    it->event_mode = event_mode;
    it->early_return = early_return;
    return it;
}

EXPORT void *NAMED(fmi3InstantiateScheduledExecution)(const char *name, const char *token, const char *resources, bool visible, bool talks,
                                                      void *environment, log_message log, void (*clock)(void *), void (*lock)(void),
                                                      void (*unlock)(void))
{
    (void)name, (void)token, (void)resources, (void)visible, (void)talks, (void)clock, (void)lock, (void)unlock;
    if (log != NULL) log(environment, ERROR, "logStatusError", "this program is not for scheduled execution");
    return NULL;
}

/* --- from one mode to the next --------------------------------------------------------------------------------------------- */

FUNCTION(fmi3EnterInitializationMode, bool has_tolerance, double tolerance, double begin, bool has_end, double end)
{
    GIVEN;
    REQUIRE("fmi3EnterInitializationMode", it->now.phase == FMU_MADE);
    if (fmu_set_up(it, has_tolerance ? tolerance : FMU_TOLERANCE, begin, has_end ? end : INFINITY)) return ERROR;
    it->now.phase = FMU_INITIALIZING;
    return OK;
}

LONE(fmi3EnterEventMode)
{
    GIVEN;
    REQUIRE("fmi3EnterEventMode", it->now.phase == FMU_CONTINUOUS || (it->now.phase == FMU_STEP && it->event_mode));
    it->now.phase = FMU_EVENT;
    return OK;
}

LONE(fmi3EnterConfigurationMode) { REFUSE("there is nothing to configure"); }
LONE(fmi3ExitConfigurationMode) { REFUSE("there is nothing to configure"); }

/* --- numbers --------------------------------------------------------------------------------------------------------------- */

FUNCTION(fmi3GetFloat64, const reference references[], size_t count, double values[], size_t value_count)
{
    GIVEN;
    if (count != value_count) return fmu_refuse(it, "%d values for %d variables", (int)value_count, (int)count), ERROR;
    for (size_t i = 0; i < count; i++) {
        if (fmu_find(references[i]).kind == FMU_WORD) return fmu_refuse(it, "variable %u is an enumeration", references[i]), ERROR;
        if (fmu_get(it, references[i], &values[i])) return ERROR;
    }
    return OK;
}

FUNCTION(fmi3SetFloat64, const reference references[], size_t count, const double values[], size_t value_count)
{
    GIVEN;
    if (count != value_count) return fmu_refuse(it, "%d values for %d variables", (int)value_count, (int)count), ERROR;
    for (size_t i = 0; i < count; i++)
        if (fmu_set(it, references[i], values[i])) return ERROR;
    return OK;
}

FUNCTION(fmi3GetInt64, const reference references[], size_t count, int64_t values[], size_t value_count)
{
    GIVEN;
    if (count != value_count) return fmu_refuse(it, "%d values for %d variables", (int)value_count, (int)count), ERROR;
    for (size_t i = 0; i < count; i++) {
        double value;
        if (fmu_find(references[i]).kind != FMU_WORD) return fmu_refuse(it, "variable %u is no enumeration", references[i]), ERROR;
        if (fmu_get(it, references[i], &value)) return ERROR;
        values[i] = (int64_t)value + 1;
    }
    return OK;
}

/* There are no variables of other types, so that nobody can ask for one. */
#define NO_TYPE(type, c_type)                                                                                                      \
    FUNCTION(fmi3Get##type, const reference r[], size_t n, c_type v[], size_t m)                                                   \
    {                                                                                                                              \
        (void)r, (void)v;                                                                                                          \
        if (n == 0 && m == 0) return OK;                                                                                           \
        REFUSE("no variable is a " #type);                                                                                         \
    }                                                                                                                              \
    NO_SETTER(type, c_type)
#define NO_SETTER(type, c_type)                                                                                                    \
    FUNCTION(fmi3Set##type, const reference r[], size_t n, const c_type v[], size_t m)                                             \
    {                                                                                                                              \
        (void)r, (void)v;                                                                                                          \
        if (n == 0 && m == 0) return OK;                                                                                           \
        REFUSE("no variable that can be set is a " #type);                                                                         \
    }
typedef const char *string;
NO_TYPE(Float32, float)
NO_TYPE(Int8, int8_t)
NO_TYPE(UInt8, uint8_t)
NO_TYPE(Int16, int16_t)
NO_TYPE(UInt16, uint16_t)
NO_TYPE(Int32, int32_t)
NO_TYPE(UInt32, uint32_t)
NO_SETTER(Int64, int64_t)
NO_TYPE(UInt64, uint64_t)
NO_TYPE(Boolean, bool)
NO_TYPE(String, string)

FUNCTION(fmi3GetBinary, const reference r[], size_t n, size_t sizes[], const uint8_t *v[], size_t m)
{
    (void)r, (void)sizes, (void)v;
    if (n == 0 && m == 0) return OK;
    REFUSE("no variable is binary");
}

FUNCTION(fmi3SetBinary, const reference r[], size_t n, const size_t sizes[], const uint8_t *const v[], size_t m)
{
    (void)r, (void)sizes, (void)v;
    if (n == 0 && m == 0) return OK;
    REFUSE("no variable is binary");
}

#define NO_CLOCK(name, unused, ...)                                                                                                \
    FUNCTION(name, const reference r[], size_t n, __VA_ARGS__)                                                                     \
    {                                                                                                                              \
        (void)r, unused;                                                                                                           \
        if (n == 0) return OK;                                                                                                     \
        REFUSE("no variable is a clock");                                                                                          \
    }
NO_CLOCK(fmi3GetClock, ((void)a), bool a[])
NO_CLOCK(fmi3SetClock, ((void)a), const bool a[])
NO_CLOCK(fmi3GetIntervalDecimal, ((void)a, (void)b), double a[], qualifier b[])
NO_CLOCK(fmi3GetIntervalFraction, ((void)a, (void)b, (void)c), uint64_t a[], uint64_t b[], qualifier c[])
NO_CLOCK(fmi3GetShiftDecimal, ((void)a), double a[])
NO_CLOCK(fmi3GetShiftFraction, ((void)a, (void)b), uint64_t a[], uint64_t b[])
NO_CLOCK(fmi3SetIntervalDecimal, ((void)a), const double a[])
NO_CLOCK(fmi3SetIntervalFraction, ((void)a, (void)b), const uint64_t a[], const uint64_t b[])
NO_CLOCK(fmi3SetShiftDecimal, ((void)a), const double a[])
NO_CLOCK(fmi3SetShiftFraction, ((void)a, (void)b), const uint64_t a[], const uint64_t b[])

FUNCTION(fmi3ActivateModelPartition, reference clock, double time)
{
    (void)clock, (void)time;
    REFUSE("no variable is a clock");
}

/* Nothing is an array, so that dependencies are those of the description. */
FUNCTION(fmi3GetNumberOfVariableDependencies, reference variable, size_t *count)
{
    (void)variable, (void)count;
    REFUSE("dependencies are those of the description");
}

FUNCTION(fmi3GetVariableDependencies, reference dependent, size_t elements[], reference independents[], size_t others[],
         int kinds[], size_t count)
{
    (void)dependent, (void)elements, (void)independents, (void)others, (void)kinds, (void)count;
    REFUSE("dependencies are those of the description");
}

/* --- derivatives ----------------------------------------------------------------------------------------------------------- */

/* Nothing is an array: there is a number for each variable. */
#define DERIVATIVE(name, of_fmu, seeds, sensitivities)                                                                             \
    FUNCTION(name, const reference unknowns[], size_t unknown_count, const reference knowns[], size_t known_count,                 \
             const double seed[], size_t seed_count, double sensitivity[], size_t sensitivity_count)                               \
    {                                                                                                                              \
        GIVEN;                                                                                                                     \
        if (seed_count != seeds || sensitivity_count != sensitivities)                                                             \
            return fmu_refuse(it, "there are %d seeds and %d sensitivities", (int)seed_count, (int)sensitivity_count), ERROR;       \
        return of(of_fmu(it, unknowns, unknown_count, knowns, known_count, seed, sensitivity));                                    \
    }
DERIVATIVE(fmi3GetDirectionalDerivative, fmu_slopes, known_count, unknown_count)
DERIVATIVE(fmi3GetAdjointDerivative, fmu_adjoint, unknown_count, known_count)

FUNCTION(fmi3GetOutputDerivatives, const reference r[], size_t n, const int32_t orders[], double values[], size_t m)
{
    (void)r, (void)n, (void)orders, (void)values, (void)m;
    REFUSE("there are no derivatives of outputs");
}

/* --- events ---------------------------------------------------------------------------------------------------------------- */

LONE(fmi3EvaluateDiscreteStates)
{
    GIVEN;
    return OK;
}

FUNCTION(fmi3UpdateDiscreteStates, bool *again, bool *ends, bool *nominals, bool *values, bool *has_next, double *next)
{
    GIVEN;
    REQUIRE("fmi3UpdateDiscreteStates", it->now.phase == FMU_EVENT);
    int changed = 0;
    *again = *nominals = *has_next = false;
    *next = INFINITY;
#if FMU_EXCHANGE
    if (it->is_exchange && fmu_happen(it, &changed, next)) return ERROR;
#endif
    *has_next = isfinite(*next);
    *values = changed;
    *ends = it->now.stopped;
    return OK;
}

LONE(fmi3EnterContinuousTimeMode)
{
    GIVEN;
    REQUIRE("fmi3EnterContinuousTimeMode", it->is_exchange && it->now.phase == FMU_EVENT);
    it->now.phase = FMU_CONTINUOUS;
    return OK;
}

/* --- model exchange -------------------------------------------------------------------------------------------------------- */

FUNCTION(fmi3GetNumberOfEventIndicators, size_t *count)
{
    GIVEN;
    *count = FMU_INDICATORS;
    return OK;
}

FUNCTION(fmi3GetNumberOfContinuousStates, size_t *count)
{
    GIVEN;
    *count = FMU_STATES;
    return OK;
}

/* --- co-simulation --------------------------------------------------------------------------------------------------------- */

LONE(fmi3EnterStepMode)
{
    GIVEN;
    REQUIRE("fmi3EnterStepMode", !it->is_exchange && it->now.phase == FMU_EVENT);
    it->now.phase = FMU_STEP;
    return OK;
}

FUNCTION(fmi3DoStep, double from, double length, bool last, bool *event, bool *ends, bool *early, double *reached)
{
    GIVEN;
    (void)last;
    REQUIRE("fmi3DoStep", !it->is_exchange && it->now.phase == FMU_STEP);
    if (!(length >= 0) || fabs(from - it->now.time) > 1e-9 * (fabs(from) + 1))
        return fmu_refuse(it, "a step of %g s from %.9g s does not begin at %.9g s", length, from, it->now.time), ERROR;
    int happened;
    const int to_event = it->event_mode && it->early_return;
    if (fmu_step(it, from + length, to_event, reached, &happened)) return ERROR;
    *event = it->event_mode && happened;
    *ends = it->now.stopped;
    *early = it->early_return && *reached < from + length;
    return OK;
}
