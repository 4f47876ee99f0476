/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/result.h"

#include <stdlib.h>

#include "bench/port.h"

void bench_results_add(bench_results *results, const bench_result *result)
{
    if (results->count == results->room) {
        results->room = results->room ? 2 * results->room : 64;
        bench_result *more = realloc(results->results, (size_t)results->room * sizeof *more);
        if (!more) port_abort(1, "tutti-bench: no memory for the results");
        results->results = more;
    }
    results->results[results->count++] = *result;
}
