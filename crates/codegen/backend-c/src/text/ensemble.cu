
/* Begins runs: gives each its own values of the varied inputs (parameters, then controls, in SI units; the values of the first for all
 * runs, then those of the second), and finds its consistent start. The records must be zero. */
extern "C" __global__ void @NAME@_begin(int64_t runs, int64_t varied, const int64_t *inputs, const double *values,
                                        double tolerance, double horizon, @NAME@ *records, int64_t *status)
{
    const int64_t run = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (run >= runs) return;
    @NAME@ *const self = &records[run];
    beginning::@NAME@_reset(self);
    for (int64_t i = 0; i < varied; i++) *@NAME@_input(*self, inputs[i]) = values[i * runs + run];
    int64_t code = beginning::@NAME@_configure(self, tolerance, horizon);
    if (code < 2) code = beginning::@NAME@_initialize(self);
    status[run] = code < 2 ? 1 : code;
}

/* Takes the runs that began (their status is 1) to their ends. Each thread takes one, then the next that nobody has: `next` must be zero.
 * A status of 0 is a run that came to its end, @STOPPED@ one that stopped by itself, 1 one that needs more than so many trial steps or
 * transitions, and any other a run that failed. `rows_done` counts the rows of each run; results are sorted by output, then row, then run.
 * `ends` is when a run ended, and `places` what failed. */
extern "C" __global__ void __launch_bounds__(@THREADS@, @BLOCKS@)
@NAME@_go(int64_t runs, int64_t rows, const double *times, int64_t limit, @NAME@ *records, double *results,
          int64_t *status, int64_t *rows_done, int64_t *places, double *ends, unsigned long long *next)
{
@DECLARED@    @NAME@_parts *const self = &parts;
    int64_t run = -1, row = 0, trials = 0;
    for (;;) {
        if (run < 0) {
            do run = (int64_t)atomicAdd(next, 1ULL);
            while (run < runs && status[run] != 1);
            if (run >= runs) return;
            @NAME@ *const record = &records[run];
            self->record = record;
@LOADED@            row = 0;
            trials = 0;
        }
        const double wanted = times[row];
        int64_t code = going::@NAME@_advance(self, wanted, @AT_A_TIME@);
        trials++;
@plain
        if (code != 1 || trials >= limit) {
@end
@changing
        if (code != 1 || trials >= limit || self->event_count >= @MOST_EVENTS@) {
@end
            double t = wanted;
            int writes = code == 0;
@changing
            if (code == @STOPPED@) {
                t = self->event_times[(self->event_count - 1) & @LAST_EVENT@];
                writes = row == 0 || t > times[row - 1] + times[row - 1] * @AT_ONCE@;
            }
@end
            if (writes) {
                int64_t seen = going::@NAME@_sample(self, t);
                if (seen == 0) seen = going::@NAME@_observe(self, t);
                if (seen == 0) {
                    for (int i = 0; i < @OUTPUTS@; i++) results[(i * rows + row) * runs + run] = @OUTPUT@;
                    row++;
                } else {
                    code = seen;
                }
            }
            if (code != 0 || row == rows) {
@changing
                if (code == 0 || code == @STOPPED@) {
                    const int64_t concluded = going::@NAME@_conclude(self, t);
                    if (concluded > 1) code = concluded;
                }
@end
                status[run] = code;
                rows_done[run] = row;
                places[run] = self->failure.place;
                ends[run] = code < 2 || code == @STOPPED@ ? t : self->failure_values.time;
                run = -1;
            }
        }
    }
}
