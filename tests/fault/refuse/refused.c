/* SPDX-License-Identifier: BSD-3-Clause */
/* refused [KIND...]: messages, windows and collectives among all ranks, of kinds that use every call of
 * libfabric's. Calls may fail; then this program goes on to the next, as all ranks do, so that each call
 * meets its like at the others. What is said to have come must be right. Each error is printed: "rank R:
 * CALL: CODE: detail". */
#include <stdbool.h>

#include "tests/job/job.h"
#include "tests/job/payload.h"

#define LONG (1 << 20)
#define WORDS (LONG / 8)

static unsigned char *in, *out;
static int errors;

/* True if the call went well. */
static bool went(const char *call, int code)
{
    if (code == 0) return true;
    printf("rank %d: %s: %d: %s\n", rank, call, code, tutti_error_detail());
    errors++;
    return false;
}

/* A message to the next rank and one from the rank before, each with a tag of its own. */
static void pass_on(const char *kind, size_t bytes, int tag, bool synchronous)
{
    tutti_request *receive = NULL, *send = NULL;
    const int before = (rank + size - 1) % size, next = (rank + 1) % size;
    payload_fill(out, bytes, (uint64_t)(rank + tag));
    memset(in, 0, bytes);
    const bool posted = went(kind, tutti_irecv(world, in, bytes, before, tag, &receive));
    const bool sent = went(kind, synchronous ? tutti_issend(world, out, bytes, next, tag, &send)
                                             : tutti_isend(world, out, bytes, next, tag, &send));
    if (posted && went(kind, tutti_wait(&receive, NULL)))
        EXPECT(payload_is(in, bytes, (uint64_t)(before + tag)));
    if (sent) went(kind, tutti_wait(&send, NULL));
}

/* All that this rank has sent is gone, as a rule: then a message of this length is sent from where it lies.
 */
static void pass_on_in_place(int tag)
{
    int come, looks = 0;
    while (looks < 100 && tutti_iprobe(world, (rank + 1) % size, tag, &come, NULL) == 0)
        looks++;
    pass_on("message in place", 20000, tag, false);
}

static void messages(void)
{
    static const size_t sizes[] = {0, 8, 5000, 65536, 100000, LONG};
    int tag = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        pass_on("message", sizes[i], tag++, false);
        pass_on("synchronous message", sizes[i], tag++, true);
        pass_on_in_place(tag++);
    }
}

static void windows(void)
{
    static int64_t sum[2];
    tutti_window *window, *counter;
    const int next = (rank + 1) % size;
    unsigned char *part = calloc(1, LONG);
    EXPECT(part != NULL);
    if (went("window_create", tutti_window_create(world, part, LONG, &window))) {
        payload_fill(out, LONG, 7);
        const bool put = went("put", tutti_put(window, out, LONG / 2, next, 0, NULL)) &&
                         went("flush", tutti_flush(window, next));
        if (put && went("get", tutti_get(window, in, LONG / 2, next, 0, NULL)))
            EXPECT(payload_is(in, LONG / 2, 7));
        went("window_free", tutti_window_free(&window));
    }
    free(part);
    if (!went("window_create", tutti_window_create(world, sum, sizeof sum, &counter))) return;
    int64_t one = 1, old;
    went("fetch_op", tutti_fetch_op(counter, &one, &old, TUTTI_INT64, TUTTI_SUM, next, 0));
    went("accumulate", tutti_accumulate(counter, &one, 1, TUTTI_INT64, TUTTI_SUM, next, 8, NULL));
    went("window_free", tutti_window_free(&counter));
}

static void collectives(void)
{
    double *mine = (double *)(void *)out, *sums = (double *)(void *)in;
    for (int i = 0; i < WORDS; i++)
        mine[i] = i + rank;
    if (went("allreduce", tutti_allreduce(world, mine, sums, WORDS, TUTTI_DOUBLE, TUTTI_SUM)))
        for (int i = 0; i < WORDS; i++)
            EXPECT(sums[i] == (double)i * size + size * (size - 1) / 2.0);
    payload_fill(out, LONG, (uint64_t)rank);
    if (went("bcast", tutti_bcast(world, out, LONG, 0))) EXPECT(payload_is(out, LONG, 0));
    went("barrier", tutti_barrier(world));
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } kinds[] = {{"messages", messages}, {"windows", windows}, {"collectives", collectives}};
    const int code = tutti_init(&world, NULL);
    if (code != 0) {
        printf("rank %s: init: %d: %s\n", getenv("PMIX_RANK"), code, tutti_error_detail());
        return 3;
    }
    rank = tutti_comm_rank(world);
    size = tutti_comm_size(world);
    in = malloc(LONG);
    out = malloc(LONG);
    EXPECT(in != NULL && out != NULL);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (argc < 2 || strcmp(argv[1], kinds[i].name) == 0) kinds[i].run();
    went("finalize", tutti_finalize());
    printf("rank %d is through, %d errors\n", rank, errors);
    free(in);
    free(out);
    return 0;
}
