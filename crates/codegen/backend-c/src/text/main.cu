/*
 * Runs the simulation for each line of a table of inputs, all at once on a GPU, and prints the results (CSV).
 * A sample of how @NAME@.cu is used.
 */
#include "@NAME@.cu"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

typedef struct {
    const char *name;
    double scale; /* one of its unit in SI units */
    double low, high; /* in SI units */
} input;

static const input inputs[] = {
@INPUTS@    {NULL, 0, 0, 0}
};
static const char header[] = "@HEADER@";
enum { OUTPUTS = @OUTPUTS@, THREADS = @THREADS@, BLOCKS = @BLOCKS@ };

static void complain(const char *what, const char *about)
{
    fprintf(stderr, "error: %s `%s`; see --help\n", what, about);
    exit(2);
}

static void check(cudaError_t code)
{
    if (code == cudaSuccess) return;
    fprintf(stderr, "error: the GPU says: %s\n", cudaGetErrorString(code));
    exit(1);
}

template <class T> struct on_device {
    T *at;
    size_t count;
    explicit on_device(size_t count) : at(NULL), count(count)
    {
        check(cudaMalloc((void **)&at, (count > 0 ? count : 1) * sizeof(T)));
        check(cudaMemset((void *)at, 0, (count > 0 ? count : 1) * sizeof(T)));
    }
    on_device(const std::vector<T> &values) : on_device(values.size())
    {
        check(cudaMemcpy(at, values.data(), count * sizeof(T), cudaMemcpyHostToDevice));
    }
    std::vector<T> read() const
    {
        std::vector<T> values(count);
        check(cudaMemcpy(values.data(), at, count * sizeof(T), cudaMemcpyDeviceToHost));
        return values;
    }
    ~on_device() { cudaFree(at); }
};

static double positive(const char *text)
{
    char *end;
    const double value = strtod(text, &end);
    if (*end != '\0' || !(value > 0)) complain("not a positive number:", text);
    return value;
}

/* The inputs of a table: a line with their names, then a line for each run with values in their declared units. */
static size_t read_table(std::vector<int64_t> &varied, std::vector<double> &values)
{
    std::vector<double> table;
    char line[65536];
    size_t runs = 0;
    if (fgets(line, sizeof line, stdin) == NULL) complain("no names in", "standard input");
    for (char *name = strtok(line, ",\r\n"); name != NULL; name = strtok(NULL, ",\r\n")) {
        int64_t at = 0;
        while (inputs[at].name != NULL && strcmp(inputs[at].name, name) != 0) at++;
        if (inputs[at].name == NULL) complain("nothing has this name:", name);
        varied.push_back(at);
    }
    while (fgets(line, sizeof line, stdin) != NULL) {
        const size_t before = table.size();
        for (char *text = strtok(line, ",\r\n"); text != NULL; text = strtok(NULL, ",\r\n")) {
            char *end;
            if (table.size() - before == varied.size()) complain("too many values in the line of", text);
            const input of = inputs[varied[table.size() - before]];
            const double value = strtod(text, &end) * of.scale;
            if (end == text || *end != '\0') complain("not a number:", text);
            if (!(value >= of.low && value <= of.high)) complain("out of range:", text);
            table.push_back(value);
        }
        if (table.size() == before && !varied.empty()) continue;
        if (table.size() - before != varied.size()) complain("too few values in line", line);
        runs++;
    }
    values.resize(table.size());
    for (size_t run = 0; run < runs; run++)
        for (size_t i = 0; i < varied.size(); i++) values[i * runs + run] = table[run * varied.size() + i];
    return runs;
}

int main(int count, char **arguments)
{
    double until = 10, every = 0, tolerance = @TOLERANCE@;
    int quiet = 0;
    for (int i = 1; i < count; i++) {
        const char *option = arguments[i], *value = i + 1 < count ? arguments[i + 1] : NULL;
        if (strcmp(option, "--help") == 0 || strcmp(option, "-h") == 0) {
            printf("Usage: %s [--until T] [--every DT] [--tolerance X] [--quiet] < inputs.csv > results.csv\n\n"
                   "The table has a line with names, then a line of values for each run, in their units.\n"
                   "Without --every only the end of each run is written; with --quiet nothing but the time it took.\nInputs:",
                   arguments[0]);
            for (const input *known = inputs; known->name != NULL; known++) printf(" %s", known->name);
            puts("");
            return 0;
        }
        if (strcmp(option, "--quiet") == 0) {
            quiet = 1;
            continue;
        }
        if (value == NULL) complain("unknown, or without a value:", option);
        else if (strcmp(option, "--until") == 0) until = positive(value);
        else if (strcmp(option, "--every") == 0) every = positive(value);
        else if (strcmp(option, "--tolerance") == 0) tolerance = positive(value);
        else complain("unknown option:", option);
        i++;
    }
    std::vector<int64_t> varied;
    std::vector<double> values, times;
    const int64_t runs = (int64_t)read_table(varied, values);
    for (int64_t row = 0; every > 0 && until - (double)row * every > 1e-9 * every; row++) times.push_back((double)row * every);
    times.push_back(until);
    const int64_t rows = (int64_t)times.size();

    check(cudaSetDevice(0));
    on_device<@NAME@> records((size_t)runs);
    on_device<int64_t> inputs_there(varied), status((size_t)runs), rows_done((size_t)runs), places((size_t)runs);
    on_device<double> values_there(values), times_there(times), ends((size_t)runs), results((size_t)(OUTPUTS * rows * runs));
    on_device<unsigned long long> next(1);
    const int64_t blocks = (runs + THREADS - 1) / THREADS;
    int processors = 0;
    check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
    const int64_t resident = (int64_t)processors * BLOCKS;
    cudaEvent_t begin, end;
    check(cudaEventCreate(&begin));
    check(cudaEventCreate(&end));
    check(cudaEventRecord(begin));
    @NAME@_begin<<<(unsigned)blocks, THREADS>>>(runs, (int64_t)varied.size(), inputs_there.at, values_there.at, tolerance, until, records.at,
                                      status.at);
    @NAME@_go<<<(unsigned)(blocks < resident ? blocks : resident), THREADS>>>(runs, rows, times_there.at, INT64_MAX, records.at, results.at, status.at, rows_done.at,
                                   places.at, ends.at, next.at);
    check(cudaGetLastError());
    check(cudaEventRecord(end));
    check(cudaEventSynchronize(end));
    float milliseconds;
    check(cudaEventElapsedTime(&milliseconds, begin, end));
    if (quiet) {
        fprintf(stderr, "%lld runs in %.3f ms\n", (long long)runs, milliseconds);
        return 0;
    }
    const std::vector<double> found = results.read(), ended = ends.read();
    const std::vector<int64_t> states = status.read(), done = rows_done.read();
    printf("run,status,t [s],%s\n", header);
    for (int64_t run = 0; run < runs; run++) {
        if (states[run] > 1 && states[run] != @STOPPED@)
            fprintf(stderr, "run %lld failed at t = %.9g s with code %lld\n", (long long)run, ended[run], (long long)states[run]);
        for (int64_t row = 0; row < done[run]; row++) {
            const double t = row + 1 == done[run] && states[run] == @STOPPED@ ? ended[run] : times[row];
            printf("%lld,%lld,%.17g", (long long)run, (long long)states[run], t);
            for (int64_t i = 0; i < OUTPUTS; i++) printf(",%.17g", found[(i * rows + row) * runs + run]);
            putchar('\n');
        }
    }
    fprintf(stderr, "%lld runs in %.3f ms\n", (long long)runs, milliseconds);
    return fflush(stdout) == 0 ? 0 : 1;
}
