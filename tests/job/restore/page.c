/* SPDX-License-Identifier: BSD-3-Clause */
/* page whole|shrink: the loops of docs/faults.md, taken from the page itself, with what it leaves to the
 * program. Two ranks kill themselves, one of them in the first step. All ranks, of which newcomers begin
 * where the others are, are in the same step each time, and no step is missed or made twice. */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <tutti/tutti.h>

enum { NAMED = 63 };
static const int steps = 9;
static struct {
    int next; /* the step to make next */
    int sum;  /* of the numbers of those that were made */
} state;
static int number = -1; /* this rank's in the first world; a newcomer has none, and does not die */
static int last;        /* the last of these */

static void expect(int condition, const char *what, int step)
{
    char words[2 * NAMED];
    if (condition) return;
    snprintf(words, sizeof words, "step %d: %.*s", step, NAMED, what);
    tutti_abort(1, words);
}

static int keep_state(tutti_comm *comm, int next)
{
    state.next = next;
    return tutti_keep(comm, "state", &state, sizeof state);
}

static void begin(tutti_comm *comm)
{
    number = tutti_comm_rank(comm);
    last = tutti_comm_size(comm) - 1;
    TUTTI_CHECK(keep_state(comm, 0));
}

static int take_over(tutti_comm *comm)
{
    tutti_kept pieces[2];
    int count;
    TUTTI_CHECK(tutti_recall(comm, "state", pieces, 2, &count));
    if (count == 0) return 0;
    memcpy(&state, pieces[0].data, sizeof state);
    return state.next;
}

static int same_step(tutti_comm *comm, int mine)
{
#include "page_same_step.inc"
}

/* Where nobody comes in the place of the dead. */
static int restore(tutti_comm *comm)
{
    const int step = take_over(comm);
    TUTTI_CHECK(keep_state(comm, step));
    return step;
}

static int advance(tutti_comm *comm, int step)
{
    int least, most, code = tutti_allreduce(comm, &step, &least, 1, TUTTI_INT32, TUTTI_MIN);
    if (code == 0) code = tutti_allreduce(comm, &step, &most, 1, TUTTI_INT32, TUTTI_MAX);
    if (code != 0) return code;
    expect(least == most, "ranks are in different steps", step);
    if ((step == 0 && number == 1) || (step == 5 && number == last)) raise(SIGKILL);
    state.sum += step;
    return 0;
}

static int run_whole(void)
{
#include "page_whole.inc"
    expect(step == steps && tutti_comm_size(comm) == tutti_comm_size(world), "the end is another one", step);
    return 0;
}

static int run_shrink(void)
{
    tutti_comm *comm, *world;
    TUTTI_CHECK(tutti_init(&world, NULL));
    comm = world;
    begin(comm);
#include "page_shrink.inc"
    expect(step == steps && tutti_comm_size(comm) == tutti_comm_size(world) - 2, "the end is another one",
           step);
    return 0;
}

int main(int argc, char **argv)
{
    const int shrinks = argc == 2 && strcmp(argv[1], "shrink") == 0;
    if ((shrinks ? run_shrink() : run_whole()) != 0) return 1;
    expect(state.sum == steps * (steps - 1) / 2, "steps were missed, or made twice", state.sum);
    printf("all steps were made once%s\n", tutti_is_newcomer() ? ", says a newcomer" : "");
    return tutti_finalize() != 0;
}
