/*
 * FMI 2.0: all functions of the standard, over fmu.h. It needs no header of the standard.
 * Built into a library, functions have their own names; linked with other programs, define FMI2_FUNCTION_PREFIX.
 */
#include "fmu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef int flag;
typedef char byte;
#include "calls.h"

typedef enum { EXCHANGE, COSIMULATION } interface_kind;
typedef enum { DO_STEP_STATUS, PENDING_STATUS, LAST_SUCCESSFUL_TIME, TERMINATED } status_kind;
typedef uint32_t reference;
typedef void (*logger)(void *, const char *, status, const char *, const char *, ...);
typedef struct {
    logger log;
    void *(*allocate)(size_t, size_t);
    void (*release)(void *);
    void (*finished)(void *, status);
    void *environment;
} callbacks;
typedef struct {
    int again, ends, nominals, values, has_next;
    double next;
} event_info;

static void say(fmu *it, const char *message)
{
    logger log;
    memcpy(&log, &it->logger, sizeof log);
    if (log != NULL) log(it->environment, it->name, ERROR, "logStatusError", "%s", message);
}

EXPORT const char *NAMED(fmi2GetTypesPlatform)(void) { return "default"; }
EXPORT const char *NAMED(fmi2GetVersion)(void) { return "2.0"; }

EXPORT void *NAMED(fmi2Instantiate)(const char *name, interface_kind kind, const char *token, const char *resources,
                                    const callbacks *functions, int visible, int talks)
{
    (void)resources, (void)visible;
    const logger log = functions == NULL ? NULL : functions->log;
    fmu *const it = kind == COSIMULATION || FMU_EXCHANGE ? fmu_new(name, token) : NULL;
    if (it == NULL) {
        if (log != NULL)
            log(functions->environment, name, ERROR, "logStatusError", "%s",
                kind == COSIMULATION || FMU_EXCHANGE ? "the GUID is that of another program, or there is no memory"
                                                     : "this program is for co-simulation only");
        return NULL;
    }
    it->is_exchange = kind == EXCHANGE;
    it->environment = functions == NULL ? NULL : functions->environment;
    memcpy(&it->logger, &log, sizeof log);
    it->say = say;
    it->talks = talks;
    return it;
}

/* --- from one mode to the next --------------------------------------------------------------------------------------------- */

FUNCTION(fmi2SetupExperiment, int has_tolerance, double tolerance, double begin, int has_end, double end)
{
    GIVEN;
    REQUIRE("fmi2SetupExperiment", it->now.phase == FMU_MADE);
    return of(fmu_set_up(it, has_tolerance ? tolerance : FMU_TOLERANCE, begin, has_end ? end : INFINITY));
}

LONE(fmi2EnterInitializationMode)
{
    GIVEN;
    REQUIRE("fmi2EnterInitializationMode", it->now.phase == FMU_MADE);
    it->now.phase = FMU_INITIALIZING;
    return OK;
}

/* --- numbers --------------------------------------------------------------------------------------------------------------- */

FUNCTION(fmi2GetReal, const reference references[], size_t count, double values[])
{
    GIVEN;
    for (size_t i = 0; i < count; i++) {
        if (fmu_find(references[i]).kind == FMU_WORD) return fmu_refuse(it, "variable %u is an enumeration", references[i]), ERROR;
        if (fmu_get(it, references[i], &values[i])) return ERROR;
    }
    return OK;
}

FUNCTION(fmi2SetReal, const reference references[], size_t count, const double values[])
{
    GIVEN;
    for (size_t i = 0; i < count; i++)
        if (fmu_set(it, references[i], values[i])) return ERROR;
    return OK;
}

FUNCTION(fmi2GetInteger, const reference references[], size_t count, int values[])
{
    GIVEN;
    for (size_t i = 0; i < count; i++) {
        double value;
        if (fmu_find(references[i]).kind != FMU_WORD) return fmu_refuse(it, "variable %u is no enumeration", references[i]), ERROR;
        if (fmu_get(it, references[i], &value)) return ERROR;
        values[i] = (int)value + 1;
    }
    return OK;
}

/* There are no variables of other types, so that nobody can ask for one. */
#define NO_SETTER(type, c_type)                                                                                                    \
    FUNCTION(fmi2Set##type, const reference r[], size_t n, const c_type v[])                                                       \
    {                                                                                                                              \
        (void)r, (void)v;                                                                                                          \
        if (n == 0) return OK;                                                                                                     \
        REFUSE("no variable that can be set is a " #type);                                                                         \
    }
#define NO_TYPE(type, c_type)                                                                                                      \
    FUNCTION(fmi2Get##type, const reference r[], size_t n, c_type v[])                                                             \
    {                                                                                                                              \
        (void)r, (void)v;                                                                                                          \
        if (n == 0) return OK;                                                                                                     \
        REFUSE("no variable is a " #type);                                                                                         \
    }                                                                                                                              \
    NO_SETTER(type, c_type)
typedef const char *string;
NO_SETTER(Integer, int)
NO_TYPE(Boolean, int)
NO_TYPE(String, string)

/* --- derivatives ----------------------------------------------------------------------------------------------------------- */

FUNCTION(fmi2GetDirectionalDerivative, const reference unknowns[], size_t unknown_count, const reference knowns[], size_t known_count,
         const double seed[], double sensitivity[])
{
    GIVEN;
    return of(fmu_slopes(it, unknowns, unknown_count, knowns, known_count, seed, sensitivity));
}

FUNCTION(fmi2SetRealInputDerivatives, const reference r[], size_t n, const int orders[], const double values[])
{
    (void)r, (void)n, (void)orders, (void)values;
    REFUSE("inputs are held, not extrapolated");
}

FUNCTION(fmi2GetRealOutputDerivatives, const reference r[], size_t n, const int orders[], double values[])
{
    (void)r, (void)n, (void)orders, (void)values;
    REFUSE("there are no derivatives of outputs");
}

/* --- model exchange -------------------------------------------------------------------------------------------------------- */

#if FMU_EXCHANGE
LONE(fmi2EnterEventMode)
{
    GIVEN;
    REQUIRE("fmi2EnterEventMode", it->now.phase == FMU_CONTINUOUS);
    it->now.phase = FMU_EVENT;
    return OK;
}

FUNCTION(fmi2NewDiscreteStates, event_info *info)
{
    GIVEN;
    REQUIRE("fmi2NewDiscreteStates", it->is_exchange && it->now.phase == FMU_EVENT);
    memset(info, 0, sizeof *info);
    if (fmu_happen(it, &info->values, &info->next)) return ERROR;
    info->has_next = isfinite(info->next);
    info->ends = it->now.stopped;
    return OK;
}

LONE(fmi2EnterContinuousTimeMode)
{
    GIVEN;
    REQUIRE("fmi2EnterContinuousTimeMode", it->is_exchange && it->now.phase == FMU_EVENT);
    it->now.phase = FMU_CONTINUOUS;
    return OK;
}
#else
LONE(fmi2EnterEventMode) { ONLY_STEPS; }
FUNCTION(fmi2NewDiscreteStates, event_info *info) { (void)info; ONLY_STEPS; }
LONE(fmi2EnterContinuousTimeMode) { ONLY_STEPS; }
#endif

/* --- co-simulation --------------------------------------------------------------------------------------------------------- */

FUNCTION(fmi2DoStep, double from, double length, int last)
{
    GIVEN;
    (void)last;
    REQUIRE("fmi2DoStep", !it->is_exchange && it->now.phase == FMU_STEP);
    if (!(length >= 0) || fabs(from - it->now.time) > 1e-9 * (fabs(from) + 1))
        return fmu_refuse(it, "a step of %g s from %.9g s does not begin at %.9g s", length, from, it->now.time), ERROR;
    double reached;
    int happened;
    if (fmu_step(it, from + length, 0, &reached, &happened)) return ERROR;
    return it->now.stopped && reached < from + length ? DISCARD : OK;
}

LONE(fmi2CancelStep) { REFUSE("steps are never pending"); }

FUNCTION(fmi2GetStatus, status_kind kind, status *value)
{
    GIVEN;
    if (kind != DO_STEP_STATUS) return DISCARD;
    *value = it->now.stopped ? DISCARD : OK;
    return OK;
}

FUNCTION(fmi2GetRealStatus, status_kind kind, double *value)
{
    GIVEN;
    if (kind != LAST_SUCCESSFUL_TIME) return DISCARD;
    *value = it->now.time;
    return OK;
}

FUNCTION(fmi2GetIntegerStatus, status_kind kind, int *value) { (void)instance, (void)kind, (void)value; return DISCARD; }

FUNCTION(fmi2GetBooleanStatus, status_kind kind, int *value)
{
    GIVEN;
    if (kind != TERMINATED) return DISCARD;
    *value = it->now.stopped;
    return OK;
}

FUNCTION(fmi2GetStringStatus, status_kind kind, const char **value)
{
    GIVEN;
    if (kind != PENDING_STATUS) return DISCARD;
    *value = "";
    return OK;
}
