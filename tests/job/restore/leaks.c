/* SPDX-License-Identifier: BSD-3-Clause */
/* leaks DEATHS MOST: so often a rank dies and is restored, and the communicator is used for what takes
 * memory: windows, checkpoints, requests, parts of it. Rank 0, which never dies, counts what it has after a
 * tenth of the deaths and at their end: descriptors and mappings are the same then, and its memory has grown
 * by at most MOST bytes a death, which a new process costs in the tables of those it talks to. */
#include <malloc.h>
#include <stdbool.h>

#include "tests/descriptors.h"
#include "tests/job/lose.h"

#define BYTES 50000
/* libraries' own threads come and go, and malloc() maps what is large, but not with each death */
#define MAPPINGS_SPARE 24

typedef struct {
    long descriptors, mappings;
    size_t bytes;
} holdings;

static long count_lines(const char *path)
{
    long lines = 0;
    FILE *file = fopen(path, "r");
    EXPECT(file != NULL);
    for (int c; (c = fgetc(file)) != EOF;)
        lines += c == '\n';
    fclose(file);
    return lines;
}

static holdings take_stock(void)
{
    return (holdings){.descriptors = count_descriptors(),
                      .mappings = count_lines("/proc/self/maps"),
                      .bytes = mallinfo2().uordblks + mallinfo2().hblkhd};
}

/* Rank 0 gives back what it lends the others for a communicator when they have left it, at the earliest when
 * it next frees one: it is the last to free one here, so all is given back now. */
static void settle(tutti_comm *comm)
{
    tutti_comm *last;
    OK(tutti_comm_dup(comm, &last));
    OK(tutti_barrier(last));
    if (rank != 0) OK(tutti_comm_free(&last));
    OK(tutti_barrier(comm));
    if (rank == 0) OK(tutti_comm_free(&last));
}

static holdings settled(tutti_comm *comm)
{
    settle(comm);
    const holdings now = take_stock();
    OK(tutti_barrier(comm)); /* who ends gives back more */
    return now;
}

static void use(tutti_comm *comm, int64_t round)
{
    static unsigned char state[BYTES];
    int64_t part[4] = {0}, mine = round, sum = 0;
    tutti_window *window;
    tutti_request *request;
    tutti_comm *half;
    OK(tutti_window_create(comm, part, sizeof part, &window));
    OK(tutti_put(window, &mine, sizeof mine, (rank + 1) % size, 0, NULL));
    OK(tutti_window_free(&window));
    EXPECT(part[0] == round);
    memset(state, (int)round, sizeof state);
    OK(tutti_keep(comm, "state", state, sizeof state));
    OK(tutti_iallreduce(comm, &mine, &sum, 1, TUTTI_INT64, TUTTI_SUM, &request));
    OK(tutti_wait(&request, NULL));
    EXPECT(sum == round * size);
    OK(tutti_allreduce_init(comm, &mine, &sum, 1, TUTTI_INT64, TUTTI_SUM, &request));
    OK(tutti_start(request));
    OK(tutti_wait(&request, NULL));
    OK(tutti_request_free(&request));
    OK(tutti_comm_split(comm, rank % 2, rank, &half));
    OK(tutti_barrier(half));
    OK(tutti_comm_free(&half));
}

/* The state that was kept before the death; which round that was. */
static int64_t take_over(tutti_comm *comm)
{
    tutti_kept pieces[2];
    int count;
    int64_t round = 0, mine = 0;
    OK(tutti_recall(comm, "state", pieces, 2, &count));
    EXPECT(count == 1 && pieces[0].rank == rank && pieces[0].bytes == BYTES);
    mine = *(const unsigned char *)pieces[0].data;
    OK(tutti_allreduce(comm, &mine, &round, 1, TUTTI_INT64, TUTTI_MAX));
    EXPECT(mine == round);
    return round;
}

static void judge(const holdings *before, const holdings *after, int deaths, long most)
{
    const long grown = (long)after->bytes - (long)before->bytes;
    printf("%d deaths: descriptors %ld, then %ld; mappings %ld, then %ld; memory %zu bytes, then %zu: %ld a "
           "death\n",
           deaths, before->descriptors, after->descriptors, before->mappings, after->mappings, before->bytes,
           after->bytes, grown / deaths);
    fflush(stdout);
    EXPECT(after->descriptors <= before->descriptors + 1);
#if !defined(__SANITIZE_THREAD__) /* which makes mappings of its own */
    EXPECT(after->mappings <= before->mappings + MAPPINGS_SPARE);
#endif
    EXPECT(grown <= most * deaths);
}

int main(int argc, char **argv)
{
    EXPECT(argc == 3);
    job_open(TUTTI_THREAD_SINGLE);
    const int deaths = atoi(argv[1]), first = deaths / 10;
    int64_t round = 0;
    holdings before = {0};
    tutti_comm *comm = world, *whole;
    if (tutti_is_newcomer()) {
        take_over(comm);
        OK(tutti_bcast(comm, &round, sizeof round, 0));
    }
    for (;;) {
        use(comm, round);
        if (round == first) before = settled(comm);
        if (round == deaths) break;
        lose(comm, 1 + (int)(round % (size - 1)));
        OK(tutti_comm_restore(comm, &whole));
        if (comm != world || tutti_is_newcomer()) OK(tutti_comm_free(&comm));
        comm = whole;
        take_over(comm);
        round++;
        OK(tutti_bcast(comm, &round, sizeof round, 0));
    }
    const holdings after = settled(comm);
    if (rank == 0) judge(&before, &after, deaths - first, atol(argv[2]));
    return job_close();
}
