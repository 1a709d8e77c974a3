/*
 * Runs the simulation and prints a table of its results (CSV), or a hash of them.
 * A sample of how the program is used; what it needs is in @NAME@.h.
 */
#include "@NAME@.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A number that can be set, in its own unit. */
typedef struct {
    const char *name, *unit;
    double scale; /* one of its unit in SI units */
    double low, high; /* in SI units */
    size_t place;
    const char *note;
} input;

static const input parameters[] = {
@PARAMETERS@    {NULL, NULL, 0, 0, 0, 0, NULL}
};
static const input controls[] = {
@CONTROLS@    {NULL, NULL, 0, 0, 0, 0, NULL}
};
static const size_t outputs[] = {
@OUTPUTS@    0
};
enum { OUTPUTS = sizeof outputs / sizeof outputs[0] - 1 };
static const char header[] = "@HEADER@";
@WORDS@
/* What can fail. */
static const char *const integrals[] = {@INTEGRALS@NULL};
static const char *const systems[] = {@SYSTEMS@NULL};
@changing
static const char *const transitions[] = {@TRANSITIONS@NULL};
static const char *const claims[] = {@CLAIMS@NULL};
@end
/* What a code means, and where the names are of what `failure` has the place of. */
static const struct {
    int64_t code;
    const char *words;
    const char *const *names;
} failures[] = {@FAILURES@
};

typedef struct {
    double until, every, tolerance;
    int hash;
@changing
    FILE *events;
@end
} options;

static @NAME@ simulation;

static double *cell(size_t place) { return (double *)((char *)&simulation + place); }

static void complain(const char *what, const char *about)
{
    fprintf(stderr, "error: %s `%s`; see --help\n", what, about);
    exit(2);
}

static double number(const char *text, const char **end)
{
    char *rest;
    const double value = strtod(text, &rest);
    if (rest == text || !isfinite(value)) complain("not a number:", text);
    *end = rest;
    return value;
}

static double positive(const char *text)
{
    const char *end;
    const double value = number(text, &end);
    if (*end != '\0' || value <= 0) complain("not a positive number:", text);
    return value;
}

/* NAME=VALUE, with the value in the declared unit, which may be written as in 60[deg]. */
static void set(const input *known, const char *text)
{
    const char *equals = strchr(text, '=');
    if (equals == NULL) complain("write NAME=VALUE instead of", text);
    for (; known->name != NULL; known++) {
        const char *end;
        const size_t length = strlen(known->name);
        if (length != (size_t)(equals - text) || strncmp(known->name, text, length) != 0) continue;
        const double value = number(equals + 1, &end) * known->scale;
        if (*end == '[') {
            const size_t unit = strlen(known->unit);
            if (strncmp(end + 1, known->unit, unit) != 0 || strcmp(end + 1 + unit, "]") != 0)
                complain("give it in the unit that --help shows:", text);
        } else if (*end != '\0')
            complain("not a number:", text);
        if (value < known->low || value > known->high) complain("out of range:", text);
        *cell(known->place) = value;
        return;
    }
    complain("nothing has this name:", text);
}

static void list(const char *title, const input *known)
{
    if (known->name != NULL) printf("\n%s\n", title);
    for (; known->name != NULL; known++)
        printf("  %-20s %.6g [%s]  %s\n", known->name, *cell(known->place) / known->scale, known->unit, known->note);
}

static void help(const char *program)
{
    printf("Usage: %s [--until T] [--every DT] [--set NAME=VALUE] [--input NAME=VALUE]\n"
@plain
           "       [--tolerance X] [--hash]\n\n"
@end
@changing
           "       [--tolerance X] [--hash] [--events FILE]\n\n"
@end
           "  --until T      seconds to simulate [10]\n"
           "  --every DT     seconds between rows [a two-hundredth of the run]\n"
           "  --set N=V      gives a parameter another value, in its unit\n"
           "  --input N=V    holds a control at a value\n"
           "  --tolerance X  relative error allowed in each step [@TOLERANCE@]\n"
@changing
           "  --events FILE  writes when each transition happened, as CSV\n"
@end
           "  --hash         prints a hash of the trajectory instead of a table\n",
           program);
    list("Parameters (--set):", parameters);
    list("Controls (--input):", controls);
    exit(0);
}

static options read_options(int count, char **arguments)
{
@plain
    options chosen = {10, 0, @TOLERANCE@, 0};
@end
@changing
    options chosen = {10, 0, @TOLERANCE@, 0, NULL};
@end
    for (int i = 1; i < count; i++) {
        const char *option = arguments[i], *value = i + 1 < count ? arguments[i + 1] : NULL;
        if (strcmp(option, "--help") == 0 || strcmp(option, "-h") == 0) help(arguments[0]);
        if (strcmp(option, "--hash") == 0) {
            chosen.hash = 1;
            continue;
        }
        if (value == NULL) complain("unknown, or without a value:", option);
        else if (strcmp(option, "--until") == 0) chosen.until = positive(value);
        else if (strcmp(option, "--every") == 0) chosen.every = positive(value);
        else if (strcmp(option, "--tolerance") == 0) chosen.tolerance = positive(value);
        else if (strcmp(option, "--set") == 0) set(parameters, value);
        else if (strcmp(option, "--input") == 0) set(controls, value);
@changing
        else if (strcmp(option, "--events") == 0) {
            chosen.events = fopen(value, "w");
            if (chosen.events == NULL) complain("cannot be written:", value);
            fputs("t [s],transition\n", chosen.events);
        }
@end
        else complain("unknown option:", option);
        i++;
    }
    if (chosen.every == 0) chosen.every = chosen.until / 200;
    if ((chosen.tolerance < 1e-7) != (@TOLERANCE@ < 1e-7))
        fprintf(stderr, "note: the method was chosen for a tolerance of @TOLERANCE@; build again for another\n");
    return chosen;
}

/* Adds one to the last digit of d.ddde+xx, away from zero. */
static void increase(char *digits)
{
    char *at = strchr(digits, 'e') - 1;
    while (*at == '9' || *at == '.') {
        if (*at == '9') *at = '0';
        at--;
    }
    ++*at;
}

/* Whether the exact value lies half way above these digits, with so many after the point. */
static int is_tie(double value, const char *digits, int precision)
{
    char exact[80];
    snprintf(exact, sizeof exact, "%.60e", value);
    const char *next = exact + 2 + precision;
    return strncmp(exact, digits, precision > 0 ? 2 + (size_t)precision : 1) == 0 && *next == '5' &&
           next[1 + strspn(next + 1, "0")] == 'e';
}

/* The shortest decimal number that reads back as the same double; of two the larger. Tiny and huge ones have a power of ten, unless
 * they are to be printed plainly. */
static void print_number(FILE *out, double value, int plainly)
{
    char digits[40];
    if (value == 0) {
        putc('0', out);
        return;
    }
    for (int precision = 0; precision < 17; precision++) {
        snprintf(digits, sizeof digits, "%.*e", precision, fabs(value));
        if (strtod(digits, NULL) == fabs(value)) {
            if (is_tie(fabs(value), digits, precision)) increase(digits);
            break;
        }
        /* Below a power of two the doubles are closer, so that the nearest may fail where the next does not. */
        if (strtod(digits, NULL) < fabs(value) && digits[strspn(digits, "9.")] != 'e') {
            increase(digits);
            if (strtod(digits, NULL) == fabs(value)) break;
        }
    }
    const int exponent = atoi(strchr(digits, 'e') + 1);
    char plain[20];
    int count = 0;
    for (const char *at = digits; *at != 'e'; at++)
        if (*at != '.') plain[count++] = *at;
    while (count > 1 && plain[count - 1] == '0') count--;
    if (value < 0) putc('-', out);
    if (!plainly && (exponent < -4 || exponent >= 16)) {
        putc(plain[0], out);
        if (count > 1) putc('.', out);
        fwrite(plain + 1, 1, (size_t)count - 1, out);
        fprintf(out, "e%d", exponent);
        return;
    }
    if (exponent < 0) {
        fputs("0.", out);
        for (int i = -1; i > exponent; i--) putc('0', out);
        fwrite(plain, 1, (size_t)count, out);
        return;
    }
    for (int i = 0; i <= exponent || i < count; i++) {
        if (i == exponent + 1) putc('.', out);
        putc(i < count ? plain[i] : '0', out);
    }
}

/* Multiples of a decimal interval, without the noise of binary arithmetic: 0.3, not 0.30000000000000004. */
static void print_time(double t)
{
    char rounded[40];
    snprintf(rounded, sizeof rounded, "%.14e", t);
    print_number(stdout, strtod(rounded, NULL), 1);
}

/* FNV-1a over the bytes of the double, the lowest first. */
static uint64_t hash(uint64_t sum, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    for (int i = 0; i < 8; i++) sum = (sum ^ (bits >> (8 * i) & 255)) * UINT64_C(0x100000001b3);
    return sum;
}

@changing
/* Says what was met that is no reason to end the run. */
static void warn(void)
{
    fflush(stdout);
    for (int64_t i = 0; i < simulation.warning_count; i++) {
        const char *const first = transitions[simulation.warning_transitions[2 * i]];
        const char *const second = transitions[simulation.warning_transitions[2 * i + 1]];
        fprintf(stderr, "warning: at t = %.9g s: ", simulation.warning_times[i]);
        if (simulation.warning_kinds[i] == 1) {
            fprintf(stderr, "%s and %s hold together and disagree; the first happened\n", first, second);
        } else {
            fprintf(stderr, "the plan of %s misses what it aimed at, for %s came in between\n", first, second);
        }
    }
}

@end
/* Ends the program if something failed, after saying what. */
static void check(int64_t code)
{
@plain
    if (code <= 1) return;
@end
@changing
    if (code <= 1 || code == @STOPPED@) return;
@end
    fflush(stdout);
@changing
    warn();
@end
    const int64_t place = simulation.failure.place;
    const char *words = "the program failed", *about = NULL;
    for (size_t i = 0; i < sizeof failures / sizeof failures[0]; i++) {
        if (failures[i].code != code) continue;
        words = failures[i].words;
        if (failures[i].names != NULL) about = failures[i].names[place];
    }
    fprintf(stderr, "error: at t = %.9g s: %s%s%s\n", simulation.failure_values.time, words, about == NULL ? "" : ": ",
            about == NULL ? "" : about);
    exit(1);
}

@changing
/* Writes the transitions that happened since the last call, if somebody wants them. */
static void tell(FILE *events)
{
    static int64_t told = 0;
    for (; told < simulation.event_count; told++) {
        const int64_t place = told % @EVENTS@;
        if (events == NULL) continue;
        print_number(events, simulation.event_times[place], 0);
        fprintf(events, ",%s\n", transitions[simulation.event_transitions[place]]);
    }
}

/* Goes on to some time, whatever happens on the way; whether the run ended before, at its last transition. */
static int go_on(options chosen, double t)
{
    int64_t status;
    do {
        status = @NAME@_advance(&simulation, t, INT64_MAX);
        tell(chosen.events);
        check(status);
    } while (status == 1);
    return status == @STOPPED@;
}

@end
/* The time of a row: a multiple of the interval, and for the last one the end; negative if there is none. */
static double time_of_row(options chosen, int64_t row)
{
    const double t = (double)row * chosen.every, rounding = 1e-9 * chosen.every;
    if (chosen.until - t > rounding) return t;
    return chosen.until - (t - chosen.every) > rounding ? chosen.until : -1;
}

int main(int count, char **arguments)
{
    @NAME@_reset(&simulation);
    const options chosen = read_options(count, arguments);
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    if (!chosen.hash) puts(header);
    check(@NAME@_configure(&simulation, chosen.tolerance, chosen.until));
@plain
    check(@NAME@_initialize(&simulation));
@end
@changing
    int64_t status = @NAME@_initialize(&simulation);
    tell(chosen.events);
    check(status);
@end
@changing
    double end = 0;
    int stopped = 0;
@end
    for (int64_t row = 0;; row++) {
@plain
        const double t = time_of_row(chosen, row);
@end
@changing
        double t = time_of_row(chosen, row);
@end
        if (t < 0) break;
@plain
        check(@NAME@_advance(&simulation, t, INT64_MAX));
@end
@changing
        stopped = go_on(chosen, t);
        if (stopped) {
            t = simulation.event_times[(simulation.event_count - 1) % @EVENTS@];
            if (row > 0 && t <= end + end * @AT_ONCE@) break;
        }
        end = t;
@end
        check(@NAME@_sample(&simulation, t));
        check(@NAME@_observe(&simulation, t));
        sum = hash(sum, t);
        for (size_t i = 0; i < OUTPUTS; i++) {
            const double value = *cell(outputs[i]);
            if (!isfinite(value)) {
                fflush(stdout);
                fprintf(stderr, "error: at t = %.9g s: column %d is not finite\n", t, (int)i + 1);
                return 1;
            }
            sum = hash(sum, value);
        }
        if (!chosen.hash) {
            print_time(t);
            for (size_t i = 0; i < OUTPUTS; i++) {
                putchar(',');
@PRINT@
            }
            putchar('\n');
        }
@changing
        if (stopped) break;
@end
    }
@changing
    if (!stopped) {
        go_on(chosen, chosen.until);
        end = chosen.until;
    }
@end
    if (chosen.hash) printf("%016" PRIx64 "\n", sum);
@changing
    if (chosen.events != NULL && fclose(chosen.events) != 0) complain("not all could be written:", "--events");
    check(@NAME@_conclude(&simulation, end));
    warn();
@end
    return fflush(stdout) == 0 ? 0 : 1;
}
