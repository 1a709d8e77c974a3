
/* Begins runs: gives each its own values of the varied inputs (parameters, then controls, in SI units; the values of the first for all
 * runs, then those of the second), and finds its consistent start. The records must be zero. */
extern "C" __global__ void @NAME@_begin(int64_t runs, int64_t varied, const int64_t *inputs, const double *values,
                                        double tolerance, double horizon, @NAME@ *records, int64_t *status)
{
    const int64_t run = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (run >= runs) return;
    @NAME@ &record = records[run];
    @NAME@_parts parts = {@RECORD_PARTS@};
    @NAME@_parts *const self = &parts;
    beginning::@NAME@_reset(self);
    for (int64_t i = 0; i < varied; i++) *@NAME@_input(record, inputs[i]) = values[i * runs + run];
    int64_t code = beginning::@NAME@_configure(self, tolerance, horizon);
    if (code < 2) code = beginning::@NAME@_initialize(self);
    status[run] = code < 2 ? 1 : code;
}

/* Takes the runs that began (their status is 1) to their ends. A status of 0 is a run that came to its end, @STOPPED@ one that stopped by
 * itself, 1 one that needs more than so many trial steps for a row, and any other a run that failed. `rows_done` counts the rows of each run;
 * results are sorted by output, then row, then run. `ends` is when a run ended, and `places` what failed. */
extern "C" __global__ void __launch_bounds__(@THREADS@, @BLOCKS@)
@NAME@_go(int64_t runs, int64_t rows, const double *times, int64_t limit, @NAME@ *records, double *results,
          int64_t *status, int64_t *rows_done, int64_t *places, double *ends)
{
    const int64_t run = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (run >= runs || status[run] != 1) return;
    @NAME@ &record = records[run];
@LOCALS@    @NAME@_parts parts = {@PARTS@};
    @NAME@_parts *const self = &parts;
    int64_t code = 0, row = 0;
    double t = 0;
    for (; row < rows; row++) {
@plain
        t = times[row];
        code = going::@NAME@_advance(self, t, limit);
@end
@changing
        const double before = t;
        t = times[row];
        /* It is unfinished as well where there is no room for more transitions. */
        const int64_t first = self->event_count;
        do code = going::@NAME@_advance(self, t, limit);
        while (code == 1 && self->event_count - first < limit);
        const int stopped = code == @STOPPED@;
        if (stopped) {
            t = self->event_times[(self->event_count - 1) & @LAST_EVENT@];
            if (row > 0 && t <= before + before * @AT_ONCE@) break;
            code = 0;
        }
@end
        if (code == 0) code = going::@NAME@_sample(self, t);
        if (code == 0) code = going::@NAME@_observe(self, t);
        if (code != 0) break;
        for (int i = 0; i < @OUTPUTS@; i++) results[(i * rows + row) * runs + run] = @OUTPUT@;
@changing
        if (stopped) {
            code = @STOPPED@;
            row++;
            break;
        }
@end
    }
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
}
