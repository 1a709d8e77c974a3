/*
 * One running instance of the program; see fmu.h. Instances share nothing, so that each may have a thread of its own.
 */
#include "fmu.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double *cell(fmu *it, size_t place) { return (double *)((char *)&it->now.model + place); }

/* --- what a value reference stands for ------------------------------------------------------------------------------------- */

fmu_variable fmu_find(uint64_t reference)
{
    static const struct {
        fmu_kind kind;
        size_t count;
    } groups[] = {{FMU_TIME, 1},          {FMU_PARAMETER, FMU_PARAMETERS}, {FMU_CONTROL, FMU_CONTROLS},
                  {FMU_OUTPUT, FMU_OUTPUTS}, {FMU_STATE, FMU_STATES},         {FMU_RATE, FMU_STATES},
                  {FMU_INDICATOR, FMU_INDICATORS}};
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
        if (reference < groups[i].count) {
            const fmu_variable found = {groups[i].kind, (size_t)reference};
            if (found.kind != FMU_OUTPUT || !fmu_output_is_word[found.at]) return found;
            return (fmu_variable){FMU_WORD, found.at};
        }
        reference -= groups[i].count;
    }
    return (fmu_variable){FMU_NOTHING, 0};
}

/* --- beginning and end ----------------------------------------------------------------------------------------------------- */

/* FNV-1a over the token: states of another program are not taken for ones of this. */
static uint64_t token_number(void)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (const char *at = FMU_TOKEN; *at != '\0'; at++) sum = (sum ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
    return sum;
}

fmu *fmu_new(const char *name, const char *token)
{
    if (name == NULL || token == NULL || strcmp(token, FMU_TOKEN) != 0) return NULL;
    fmu *const it = calloc(1, sizeof *it);
    if (it == NULL) return NULL;
    it->name = malloc(strlen(name) + 1);
    if (it->name == NULL) {
        free(it);
        return NULL;
    }
    strcpy(it->name, name);
    fmu_reset(it);
    return it;
}

void fmu_free(fmu *it)
{
    if (it == NULL) return;
    free(it->name);
    free(it);
}

void fmu_reset(fmu *it)
{
    memset(&it->now, 0, sizeof it->now);
    it->now.token = token_number();
    it->now.tolerance = FMU_TOLERANCE;
    it->now.horizon = INFINITY;
    @NAME@_reset(&it->now.model);
}

int fmu_refuse(fmu *it, const char *format, ...)
{
    char message[600];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (it->say != NULL) it->say(it, message);
    return 1;
}

int fmu_needs(fmu *it, const char *function, int allowed)
{
    return allowed ? 0 : fmu_refuse(it, "%s is not allowed here", function);
}

/* --- what fails ------------------------------------------------------------------------------------------------------------ */

/* What a code means, and where the names are of what `failure` has the place of. */
static const struct {
    int64_t code;
    const char *words;
    const char *const *names;
    size_t count;
} failures[] = {@FAILURES@
};

/* Gives 0 where a call of the program has led on, and else says what has failed. */
static int failed(fmu *it, int64_t code)
{
    if (code <= 1 || code == @STOPPED@) return 0;
    const size_t place = (size_t)it->now.model.failure.place;
    const char *words = "the program failed", *about = "";
    for (size_t i = 0; i < sizeof failures / sizeof failures[0]; i++) {
        if (failures[i].code != code) continue;
        words = failures[i].words;
        if (place < failures[i].count) about = failures[i].names[place];
    }
    return fmu_refuse(it, "at t = %.9g s: %s%s%s", it->now.model.failure_values.time, words, *about == '\0' ? "" : ": ", about);
}

/* --- the start ------------------------------------------------------------------------------------------------------------- */

int fmu_set_up(fmu *it, double tolerance, double begin, double horizon)
{
    if (!(tolerance > 0 && tolerance < 1)) return fmu_refuse(it, "%g is no tolerance", tolerance);
    if (!isfinite(begin) || !(horizon >= begin)) return fmu_refuse(it, "from %g s to %g s is no time to simulate", begin, horizon);
    it->now.tolerance = tolerance;
    it->now.begin = it->now.time = begin;
    it->now.horizon = horizon;
    it->now.begun = 0;
    return 0;
}

#if FMU_EXCHANGE
static int take_states(fmu *it, int *changed);
static int look(fmu *it);
#endif

/* Takes the motion up at a time from what was sampled last. */
static int take_up(fmu *it, double t)
{
    return failed(it, @NAME@_capture(&it->now.model)) || failed(it, @NAME@_resume(&it->now.model, t));
}

/* The program begins at time zero; elsewhere, it is taken up from the state there. */
int fmu_begin(fmu *it)
{
    @NAME@ *const model = &it->now.model;
    const double t = it->now.begin;
    if (it->now.begun) return 0;
    if (failed(it, @NAME@_configure(model, it->now.tolerance, it->now.horizon)) || failed(it, @NAME@_initialize(model))) return 1;
    if (failed(it, @NAME@_sample(model, 0))) return 1;
    if (t != 0 && (take_up(it, t) || failed(it, @NAME@_sample(model, t)))) return 1;
    it->now.begun = 1;
    it->now.moved = it->now.seen = 0;
#if FMU_EXCHANGE
    int changed;
    if (it->is_exchange && take_states(it, &changed)) return 1;
#endif
    return 0;
}

/* --- numbers in and out ---------------------------------------------------------------------------------------------------- */

/* Finds what depends on time and state, unless that is done. */
static int see(fmu *it)
{
    if (fmu_begin(it)) return 1;
    if (it->now.seen) return 0;
#if FMU_EXCHANGE
    if (it->is_exchange) {
        if (look(it)) return 1;
    } else
#endif
        if (failed(it, @NAME@_sample(&it->now.model, it->now.time)))
            return 1;
    if (failed(it, @NAME@_observe(&it->now.model, it->now.time))) return 1;
    it->now.seen = 1;
    return 0;
}

int fmu_get(fmu *it, uint64_t reference, double *value)
{
    const fmu_variable of = fmu_find(reference);
    switch (of.kind) {
    case FMU_TIME: *value = it->now.time; return 0;
    case FMU_PARAMETER: *value = *cell(it, fmu_parameters[of.at].place); return 0;
    case FMU_CONTROL: *value = *cell(it, fmu_controls[of.at].place); return 0;
    case FMU_OUTPUT:
    case FMU_WORD:
        if (see(it)) return 1;
        *value = *cell(it, fmu_outputs[of.at]);
        if (!isfinite(*value)) return fmu_refuse(it, "output %d is not finite at t = %.9g s", (int)of.at + 1, it->now.time);
        return 0;
#if FMU_EXCHANGE
    case FMU_STATE:
        if (fmu_begin(it)) return 1;
        *value = it->now.states[of.at];
        return 0;
    case FMU_RATE:
        if (see(it)) return 1;
        *value = it->now.rates[of.at];
        return 0;
    case FMU_INDICATOR:
        if (see(it)) return 1;
        *value = *cell(it, fmu_indicators[of.at]);
        return 0;
#endif
    default: return fmu_refuse(it, "nothing has the value reference %llu", (unsigned long long)reference);
    }
}

int fmu_set(fmu *it, uint64_t reference, double value)
{
    const fmu_variable of = fmu_find(reference);
    if (of.kind != FMU_PARAMETER && of.kind != FMU_CONTROL && of.kind != FMU_STATE)
        return fmu_refuse(it, "the variable with value reference %llu cannot be set", (unsigned long long)reference);
    if (!isfinite(value)) return fmu_refuse(it, "the variable with value reference %llu is set to no number", (unsigned long long)reference);
#if FMU_EXCHANGE
    if (of.kind == FMU_STATE) {
        if (fmu_begin(it)) return 1;
        it->now.states[of.at] = value;
        it->now.seen = 0;
        return 0;
    }
#else
    if (of.kind == FMU_STATE) return fmu_refuse(it, "states cannot be set");
#endif
    const fmu_input *const input = of.kind == FMU_PARAMETER ? &fmu_parameters[of.at] : &fmu_controls[of.at];
    if (value < input->low || value > input->high)
        return fmu_refuse(it, "%s = %g lies outside of what is allowed, %g to %g", input->name, value, input->low, input->high);
    double *const place = cell(it, input->place);
    if (*place == value) return 0;
    *place = value;
    it->now.seen = 0;
    /* Before the run a start is found anew; later the motion is taken up from where it is. */
    if (it->now.phase == FMU_MADE || it->now.phase == FMU_INITIALIZING) it->now.begun = 0;
    else it->now.moved = 1;
    return 0;
}

/* --- co-simulation --------------------------------------------------------------------------------------------------------- */

/* What is meant to be the end of the run but for rounding is its end. */
#define ROUNDING 1e-9

int fmu_step(fmu *it, double target, int to_event, double *reached, int *happened)
{
    @NAME@ *const model = &it->now.model;
    *happened = 0;
    *reached = it->now.time;
    if (fmu_begin(it)) return 1;
    if (target > it->now.horizon) {
        if (target - it->now.horizon > ROUNDING * (fabs(target) + 1)) return fmu_refuse(it, "%.9g s lies beyond the end of the run", target);
        target = it->now.horizon;
    }
    if (it->now.moved) {
        if (failed(it, @NAME@_sample(model, it->now.time)) || take_up(it, it->now.time)) return 1;
        it->now.moved = 0;
    }
    it->now.seen = 0;
#if FMU_CHANGES
    const int64_t before = model->event_count;
#endif
    int64_t status;
    do {
        status = @NAME@_advance(model, target, to_event ? 1 : INT64_MAX);
        if (failed(it, status)) return 1;
#if FMU_CHANGES
        *happened = model->event_count > before;
        if (to_event && *happened) break;
#endif
    } while (status == 1);
    it->now.stopped = status == @STOPPED@;
#if FMU_CHANGES
    if (it->now.stopped || (to_event && *happened)) target = fmin(target, model->event_times[(model->event_count - 1) % @EVENTS@]);
#endif
    it->now.time = *reached = target;
    /* The polynomial within the last step is made when it is first asked for, so that is before anybody moves an input. */
    return failed(it, @NAME@_sample(model, target));
}

#if FMU_EXCHANGE
/* What is smaller at the start is nothing that errors could be measured by. */
#define LEAST_NOMINAL 1e-9

/* --- model exchange -------------------------------------------------------------------------------------------------------- */

/* The states where the program is now, moved onto the constraints; whether they are others than before. */
static int take_states(fmu *it, int *changed)
{
    if (failed(it, @NAME@_sample(&it->now.model, it->now.time)) || failed(it, @NAME@_capture(&it->now.model))) return 1;
    *changed = 0;
    for (size_t i = 0; i < FMU_STATES; i++) {
        const double state = *cell(it, fmu_states[i]);
        if (it->now.states[i] != state) *changed = 1;
        it->now.states[i] = state;
    }
    return 0;
}

/* Where the rate of a state is in the present mode; nowhere, if it rests there. */
static size_t rate_place(fmu *it, size_t state)
{
#ifdef FMU_MODE
    return fmu_rates[*(int64_t *)((char *)&it->now.model + FMU_MODE) * FMU_STATES + state];
#else
    (void)it;
    return fmu_rates[state];
#endif
}

/* Places the program at the time and the states that the simulator has set; nothing happens there. */
static int hold(fmu *it)
{
    for (size_t i = 0; i < FMU_STATES; i++)
        if (rate_place(it, i) != FMU_RESTS) *cell(it, fmu_states[i]) = it->now.states[i];
    return failed(it, @NAME@_hold(&it->now.model, it->now.time));
}

/* Finds the rates of the states there. */
static int look(fmu *it)
{
    if (hold(it)) return 1;
    for (size_t i = 0; i < FMU_STATES; i++) {
        const size_t at = rate_place(it, i);
        it->now.rates[i] = at == FMU_RESTS ? 0 : *cell(it, at);
    }
    return failed(it, @NAME@_sample(&it->now.model, it->now.time));
}

int fmu_complete_step(fmu *it, int *has_drifted)
{
    @NAME@ *const model = &it->now.model;
    const double t = it->now.time;
    *has_drifted = 0;
    if (hold(it) || failed(it, @NAME@_complete(model, t))) return 1;
    if (failed(it, @NAME@_sample(model, t)) || failed(it, @NAME@_capture(model))) return 1;
    for (size_t i = 0; i < FMU_STATES; i++) {
        const double state = it->now.states[i];
        if (rate_place(it, i) == FMU_RESTS) continue;
        if (fabs(*cell(it, fmu_states[i]) - state) > it->now.tolerance * fmax(fabs(state), 1)) *has_drifted = 1;
    }
    it->now.seen = 0;
    return 0;
}

/* A state is as large as the largest of its dimension, or as that becomes within a second; where that is more than one, the relative error counts. */
int fmu_nominals(fmu *it, double nominals[])
{
    if (see(it)) return 1;
    for (size_t i = 0; i < FMU_STATES; i++) {
        double size = 0;
        for (size_t k = 0; k < FMU_STATES; k++)
            if (fmu_groups[k] == fmu_groups[i]) size = fmax(size, fmax(fabs(it->now.states[k]), fabs(it->now.rates[k])));
        nominals[i] = size == 0 ? 1 : fmin(fmax(size, LEAST_NOMINAL), 1);
    }
    return 0;
}

int fmu_happen(fmu *it, int *changed, double *next)
{
    *changed = 0;
    *next = INFINITY;
    if (fmu_begin(it) || hold(it) || failed(it, @NAME@_react(&it->now.model, it->now.time))) return 1;
    it->now.seen = 0;
#ifdef FMU_STOPPED
    it->now.stopped = *(int64_t *)((char *)&it->now.model + FMU_STOPPED) != 0;
#endif
    if (take_states(it, changed) || hold(it)) return 1;
    *next = *cell(it, FMU_NEXT);
    return 0;
}
#endif

/* --- derivatives ----------------------------------------------------------------------------------------------------------- */

#ifdef FMU_SLOPES
/* Where the slope of what can vary is; nowhere for what cannot. What rests in this mode changes nothing. */
static int find_known(fmu *it, uint32_t reference, size_t *place)
{
    const fmu_variable of = fmu_find(reference);
    *place = FMU_RESTS;
    switch (of.kind) {
    case FMU_TIME: return 0;
    case FMU_PARAMETER: *place = fmu_parameter_slopes[of.at]; return 0;
    case FMU_CONTROL: *place = fmu_control_slopes[of.at]; return 0;
    case FMU_STATE:
        if (rate_place(it, of.at) != FMU_RESTS) *place = fmu_state_slopes[of.at];
        return 0;
    default: return fmu_refuse(it, "nothing has a derivative by the variable with value reference %llu", (unsigned long long)reference);
    }
}

static int find_unknown(fmu *it, uint32_t reference, size_t *place)
{
    const fmu_variable of = fmu_find(reference);
#ifdef FMU_MODE
    const size_t mode = (size_t)*(int64_t *)((char *)&it->now.model + FMU_MODE) * FMU_STATES;
#else
    const size_t mode = 0;
#endif
    switch (of.kind) {
    case FMU_OUTPUT: *place = fmu_output_slopes[of.at]; return 0;
    case FMU_RATE: *place = fmu_rate_slopes[mode + of.at]; return 0;
    default: return fmu_refuse(it, "the variable with value reference %llu has no derivatives", (unsigned long long)reference);
    }
}

/* Derivatives of everything along a direction. */
static int along(fmu *it, const uint32_t knowns[], size_t count, const double seed[])
{
    double time = 0;
    size_t place = FMU_RESTS;
    for (size_t k = 0; k < count; k++) {
        if (find_known(it, knowns[k], &place)) return 1;
        if (!isfinite(seed[k])) return fmu_refuse(it, "a direction is no number");
    }
    if (see(it) || hold(it)) return 1;
    for (size_t k = 0; k < count; k++) {
        find_known(it, knowns[k], &place);
        if (fmu_find(knowns[k]).kind == FMU_TIME) time += seed[k];
        else if (place != FMU_RESTS) *cell(it, place) += seed[k];
    }
    return failed(it, FMU_SLOPES(&it->now.model, it->now.time, time));
}

static int slope(fmu *it, uint32_t unknown, double *value)
{
    size_t place = FMU_RESTS;
    if (find_unknown(it, unknown, &place)) return 1;
    *value = place == FMU_RESTS ? 0 : *cell(it, place);
    if (!isfinite(*value)) return fmu_refuse(it, "a derivative is not finite at t = %.9g s", it->now.time);
    return 0;
}

static int may_ask(fmu *it)
{
    if (it->is_exchange && (it->now.phase == FMU_EVENT || it->now.phase == FMU_CONTINUOUS)) return 0;
    return fmu_refuse(it, "derivatives are for model exchange, after the initialization");
}

int fmu_slopes(fmu *it, const uint32_t unknowns[], size_t unknown_count, const uint32_t knowns[], size_t known_count, const double seed[], double slopes[])
{
    if (may_ask(it) || along(it, knowns, known_count, seed)) return 1;
    for (size_t i = 0; i < unknown_count; i++)
        if (slope(it, unknowns[i], &slopes[i])) return 1;
    return 0;
}

int fmu_adjoint(fmu *it, const uint32_t unknowns[], size_t unknown_count, const uint32_t knowns[], size_t known_count, const double weights[], double slopes[])
{
    const double one = 1;
    if (may_ask(it)) return 1;
    for (size_t k = 0; k < known_count; k++) {
        if (along(it, &knowns[k], 1, &one)) return 1;
        slopes[k] = 0;
        for (size_t i = 0; i < unknown_count; i++) {
            double value;
            if (slope(it, unknowns[i], &value)) return 1;
            slopes[k] += weights[i] * value;
        }
    }
    return 0;
}
#else
int fmu_slopes(fmu *it, const uint32_t unknowns[], size_t unknown_count, const uint32_t knowns[], size_t known_count, const double seed[], double slopes[])
{
    (void)unknowns, (void)unknown_count, (void)knowns, (void)known_count, (void)seed, (void)slopes;
    return fmu_refuse(it, "there are no directional derivatives");
}

int fmu_adjoint(fmu *it, const uint32_t unknowns[], size_t unknown_count, const uint32_t knowns[], size_t known_count, const double weights[], double slopes[])
{
    return fmu_slopes(it, unknowns, unknown_count, knowns, known_count, weights, slopes);
}
#endif

/* --- saved states ---------------------------------------------------------------------------------------------------------- */

fmu_state *fmu_save(const fmu *it, fmu_state *into)
{
    if (into == NULL) into = malloc(sizeof *into);
    if (into != NULL) memcpy(into, &it->now, sizeof *into);
    return into;
}

int fmu_restore(fmu *it, const fmu_state *from)
{
    if (from == NULL || from->token != token_number()) return fmu_refuse(it, "this is no saved state of this program");
    memcpy(&it->now, from, sizeof it->now);
    return 0;
}
