/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that meet in different calls: an error that names both. */
#include <string.h>

#include "collectives/execute/run_state.h"
#include "runtime/base/status.h"

int tti_run_explain_other(const tti_run *run, const tti_windows *windows, int place, uint64_t mark)
{
    char mine[TTI_CALL_TEXT], theirs[TTI_CALL_TEXT];
    const tti_call_record here = tti_run_record(windows, run->plan, &run->data, tti_run_form(run)),
                          there = tti_run_told(windows, place, mark);
    tti_call_text(&here, mine);
    return tti_fail(TUTTI_ERR_ARG,
                    "%.*s: the ranks make different calls: rank %d is in %s, rank %d in %s; no "
                    "collective is possible any more on this communicator",
                    (int)strcspn(mine, " "), mine, run->comm->rank, mine, tti_windows_rank(windows, place),
                    tti_call_text(&there, theirs));
}

bool tti_run_find_other_call(const tti_run *run)
{
    const tti_windows *windows = tti_run_windows(run->comm);
    const uint64_t mine = tti_run_mark(run->plan, &run->data);
    uint64_t mark;
    for (int place = 0; windows != NULL && place < windows->size; place++) {
        if (place == windows->rank || !tti_windows_in_call(windows, place, tti_run_number(run), &mark))
            continue;
        if (((mark ^ mine) & ~TTI_MARK_OWN) == 0) continue;
        tti_run_explain_other(run, windows, place, mark);
        return true;
    }
    return false;
}
