/* SPDX-License-Identifier: BSD-3-Clause */
/* mixture_death [STEPS [SEED]]: as many_forms, and one to three ranks are killed in the middle, at moments of
 * their own or all at the same one, between two steps or within one, with operations of all kinds under way.
 * Calls with them give the right result or a death of theirs, all others go on; meanwhile all that live agree
 * (agreeing.h), and each survivor says at the end that it is fine. */
#include "tests/job/mixture_death/agreeing.h"
#include "tests/job/victims.h"

#define COMMUNICATORS 12
#define LONGEST_US 30000
#define LONGEST_IN_STEP_US 3000
#define AGREES_EVERY 20

/* When a victim is killed: so many µs after the mixture becomes deadly, unless it has come to its last step,
 * and so many µs after the beginning of that one. */
struct end {
    uint64_t by_clock, in_step;
    long step;
};

static struct end draw_end(void)
{
    struct end end;
    end.by_clock = draw_below(&common, 2) ? draw_below(&common, LONGEST_US) : 0;
    end.in_step = draw_below(&common, 2) ? draw_below(&common, LONGEST_IN_STEP_US) : 0;
    end.step = steps / 3 + (long)draw_below(&common, (uint64_t)(steps / 3 + 1));
    return end;
}

/* Who they are; gives the end of the caller, if it is one of them. */
static struct end draw_victims(void)
{
    const int most = size - 1 < MOST_DOOMED ? size - 1 : MOST_DOOMED;
    const int victims = 1 + (int)draw_below(&common, (uint64_t)most);
    const int together = draw_below(&common, 3) == 0;
    const struct end first = draw_end();
    struct end mine = first;
    while (doomed_count < victims) {
        const int r = (int)draw_below(&common, (uint64_t)size);
        const struct end end = draw_end();
        if (is_doomed(r)) continue;
        doomed[doomed_count++] = r;
        if (r == rank && !together) mine = end;
    }
    return mine;
}

/* Communicators with the victims are whole at all ranks once one of them leaves, and no more are made. Each
 * waits for what others say behind the barrier, since its last word there may not have left it yet when it
 * could go on. The others may hear of a death before their own word is told to be sent; and so may the second
 * victim, whom the first one's death tells that all have come so far. */
static void meet_whole(void)
{
    char word = 0, words[MOST_RANKS];
    OK(tutti_barrier(world));
    for (int i = 0; i < doomed_count; i++) {
        const int code = tutti_gather(world, &word, words, 1, doomed[i]);
        EXPECT(code == 0 || (code == TUTTI_ERR_PEER_FAILED && (i > 0 || rank != doomed[0])));
    }
}

static void come_to_last_step(const struct end *end)
{
    if (end->in_step == 0) raise(SIGKILL);
    die_within(end->in_step);
}

/* The deadly part of the mixture. */
static void go_on(tutti_comm *survivors, const struct end *end)
{
    const int dies = is_doomed(rank);
    if (dies && end->by_clock > 0) die_within(end->by_clock);
    while (step < steps) {
        if (dies && step == end->step) come_to_last_step(end);
        take_step();
        if (step % AGREES_EVERY == 0) step_agree(survivors);
    }
    while (dies)
        pause();
}

/* They wait for each other, for one that leaves is as lost as a dead one. */
static void meet_survivors(tutti_comm *survivors)
{
    int64_t mine = 1, sum = 0;
    OK(tutti_allreduce(survivors, &mine, &sum, 1, TUTTI_INT64, TUTTI_SUM));
    EXPECT(sum == size - doomed_count);
    OK(tutti_barrier(survivors));
}

int main(int argc, char **argv)
{
    job_open(TUTTI_THREAD_SINGLE);
    job_need(2);
    mixture_begin(argc > 2 ? strtoull(argv[2], NULL, 10) : 1, argc > 1 ? strtol(argv[1], NULL, 10) : 600,
                  COMMUNICATORS, 3);
    const struct end end = draw_victims();
    tutti_comm *survivors;
    OK(tutti_comm_split(world, is_doomed(rank) ? TUTTI_UNDEFINED : 0, 0, &survivors));
    while (step < steps / 3)
        take_step();
    meet_whole();
    deadly = 1;
    go_on(survivors, &end);
    agree_last(survivors);
    mixture_end();
    meet_survivors(survivors);
    OK(tutti_comm_free(&survivors));
    (void)tutti_window_free(&window); /* it tells of the deaths */
    printf("rank %d is fine: %d died\n", rank, doomed_count);
    fflush(stdout);
    (void)mixture_close(); /* with dead peers it may complain, not hang */
    free(window_memory);
    return 0;
}
