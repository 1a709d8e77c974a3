/*
 * What both versions of FMI have, under their own names. Before this, a version says what it calls true and false (`flag`) and a part of a
 * saved state (`byte`).
 */
#if defined _WIN32 || defined __CYGWIN__
#define EXPORT __declspec(dllexport)
#elif defined __GNUC__
#define EXPORT __attribute__((visibility("default")))
#else
#define EXPORT
#endif
#if defined @VERSION@_FUNCTION_PREFIX && !defined @VERSION@_OVERRIDE_FUNCTION_PREFIX
#define PASTE(a, b) a##b
#define PASTED(a, b) PASTE(a, b)
#define NAMED(name) PASTED(@VERSION@_FUNCTION_PREFIX, name)
#else
#define NAMED(name) name
#endif

/* The last is known to 2.0 only, and nothing here gives it. */
typedef enum { OK, WARNING, DISCARD, ERROR, FATAL, PENDING } status;

/* A function of the standard that gives a status. */
#define FUNCTION(name, ...) EXPORT status NAMED(name)(void *instance, __VA_ARGS__)
#define LONE(name) EXPORT status NAMED(name)(void *instance)
#define GIVEN fmu *const it = instance; if (it == NULL) return ERROR
#define REQUIRE(name, condition) do { if (fmu_needs(it, name, condition)) return ERROR; } while (0)
#define REFUSE(...) do { GIVEN; return fmu_refuse(it, __VA_ARGS__), ERROR; } while (0)

static status of(int failed) { return failed ? ERROR : OK; }

FUNCTION(@FMI@SetDebugLogging, flag on, size_t count, const char *const categories[])
{
    GIVEN;
    for (size_t i = 0; i < count; i++)
        if (strcmp(categories[i], "logStatusError") != 0) return fmu_refuse(it, "there is no category `%s`", categories[i]), ERROR;
    it->talks = on;
    return OK;
}

EXPORT void NAMED(@FMI@FreeInstance)(void *instance) { fmu_free(instance); }

/* --- from one mode to the next --------------------------------------------------------------------------------------------- */

LONE(@FMI@ExitInitializationMode)
{
    GIVEN;
    REQUIRE("@FMI@ExitInitializationMode", it->now.phase == FMU_INITIALIZING);
    if (fmu_begin(it)) return ERROR;
    it->now.phase = it->is_exchange || it->event_mode ? FMU_EVENT : FMU_STEP;
    return OK;
}

LONE(@FMI@Terminate)
{
    GIVEN;
    REQUIRE("@FMI@Terminate", it->now.phase >= FMU_EVENT && it->now.phase < FMU_TERMINATED);
    it->now.phase = FMU_TERMINATED;
    return OK;
}

LONE(@FMI@Reset)
{
    GIVEN;
    fmu_reset(it);
    return OK;
}

/* --- saved states ---------------------------------------------------------------------------------------------------------- */

FUNCTION(@FMI@Get@STATE@, void **state)
{
    GIVEN;
    *state = fmu_save(it, *state);
    return *state == NULL ? (fmu_refuse(it, "there is no memory for a state"), ERROR) : OK;
}

FUNCTION(@FMI@Set@STATE@, void *state)
{
    GIVEN;
    return of(fmu_restore(it, state));
}

FUNCTION(@FMI@Free@STATE@, void **state)
{
    GIVEN;
    if (state != NULL) free(*state), *state = NULL;
    return OK;
}

FUNCTION(@FMI@Serialized@STATE@Size, void *state, size_t *size)
{
    GIVEN;
    (void)state;
    *size = sizeof(fmu_state);
    return OK;
}

FUNCTION(@FMI@Serialize@STATE@, void *state, byte bytes[], size_t size)
{
    GIVEN;
    if (state == NULL || size < sizeof(fmu_state)) return fmu_refuse(it, "there is no room for a state"), ERROR;
    memcpy(bytes, state, sizeof(fmu_state));
    return OK;
}

FUNCTION(@FMI@@DESERIALIZE@@STATE@, const byte bytes[], size_t size, void **state)
{
    GIVEN;
    if (size < sizeof(fmu_state)) return fmu_refuse(it, "this is no saved state of this program"), ERROR;
    if (*state == NULL) *state = malloc(sizeof(fmu_state));
    if (*state == NULL) return fmu_refuse(it, "there is no memory for a state"), ERROR;
    memcpy(*state, bytes, sizeof(fmu_state));
    return OK;
}

/* --- model exchange -------------------------------------------------------------------------------------------------------- */

#if FMU_EXCHANGE
#define COUNTED(expected) do { if (count != (size_t)(expected)) return fmu_refuse(it, "%d numbers instead of %d", (int)count, (int)(expected)), ERROR; } while (0)

FUNCTION(@FMI@CompletedIntegratorStep, flag last, flag *event, flag *ends)
{
    GIVEN;
    (void)last;
    int drifted;
    if (fmu_complete_step(it, &drifted)) return ERROR;
    *event = drifted;
    *ends = 0;
    return OK;
}

FUNCTION(@FMI@SetTime, double time)
{
    GIVEN;
    if (it->now.time != time) it->now.seen = 0;
    it->now.time = time;
    return OK;
}

FUNCTION(@FMI@SetContinuousStates, const double states[], size_t count)
{
    GIVEN;
    COUNTED(FMU_STATES);
    for (size_t i = 0; i < count; i++) it->now.states[i] = states[i];
    it->now.seen = 0;
    return OK;
}

/* The numbers that follow the reference of the first of some kind. */
static status range(fmu *it, size_t first, double values[], size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (fmu_get(it, first + i, &values[i])) return ERROR;
    return OK;
}

FUNCTION(@FMI@GetContinuousStates, double states[], size_t count)
{
    GIVEN;
    COUNTED(FMU_STATES);
    return range(it, FMU_FIRST_STATE, states, count);
}

FUNCTION(@FMI@@RATES@, double rates[], size_t count)
{
    GIVEN;
    COUNTED(FMU_STATES);
    return range(it, FMU_FIRST_RATE, rates, count);
}

FUNCTION(@FMI@GetEventIndicators, double indicators[], size_t count)
{
    GIVEN;
    COUNTED(FMU_INDICATORS);
    return range(it, FMU_FIRST_INDICATOR, indicators, count);
}

FUNCTION(@FMI@GetNominalsOfContinuousStates, double nominals[], size_t count)
{
    GIVEN;
    COUNTED(FMU_STATES);
    return of(fmu_nominals(it, nominals));
}
#else
#define ONLY_STEPS REFUSE("this program is for co-simulation only")
FUNCTION(@FMI@CompletedIntegratorStep, flag last, flag *event, flag *ends) { (void)last, (void)event, (void)ends; ONLY_STEPS; }
FUNCTION(@FMI@SetTime, double time) { (void)time; ONLY_STEPS; }
FUNCTION(@FMI@SetContinuousStates, const double values[], size_t count) { (void)values, (void)count; ONLY_STEPS; }
FUNCTION(@FMI@GetContinuousStates, double values[], size_t count) { (void)values, (void)count; ONLY_STEPS; }
FUNCTION(@FMI@@RATES@, double values[], size_t count) { (void)values, (void)count; ONLY_STEPS; }
FUNCTION(@FMI@GetEventIndicators, double values[], size_t count) { (void)values, (void)count; ONLY_STEPS; }
FUNCTION(@FMI@GetNominalsOfContinuousStates, double values[], size_t count) { (void)values, (void)count; ONLY_STEPS; }
#endif
