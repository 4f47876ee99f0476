/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory fails at the last rank, at each of its allocations in turn, while all ranks make a window or a
 * communicator or run a collective: whatever happens, every rank's call returns, with an error where the
 * collective cannot be, and the job goes on. The library's allocations come here because the program's
 * functions go before those of libc. */
#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "tests/job/job.h"
#include "tests/sanitized.h"

#define MOST_COUNT 50000
#define SHORT_COUNT 500
#define MOST 200

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);

/* Allocations of this thread in the library until one fails; negative: none does. */
static _Thread_local int countdown = -1;

#define SHOWN __attribute__((visibility("default")))

#if !SANITIZED
/* Not those of libfabric and PMIx, which do not bear it. */
static bool fails_now(const void *caller)
{
    Dl_info where;
    if (countdown < 0) return false;
    const bool ours = dladdr(caller, &where) != 0 && strstr(where.dli_fname, "libtutti") != NULL;
    return ours && countdown-- == 0;
}

SHOWN void *malloc(size_t bytes)
{
    return fails_now(__builtin_return_address(0)) ? NULL : __libc_malloc(bytes);
}

SHOWN void *calloc(size_t count, size_t bytes)
{
    return fails_now(__builtin_return_address(0)) ? NULL : __libc_calloc(count, bytes);
}

SHOWN void *aligned_alloc(size_t alignment, size_t bytes)
{
    return fails_now(__builtin_return_address(0)) ? NULL : __libc_memalign(alignment, bytes);
}
#endif

static int64_t in[MOST_COUNT], out[MOST_COUNT];
static size_t
    count; /* over a fabric short: a stream that carries a long message does not bear its being given up */

/* Where memory fails for a message that nobody has asked for yet, its sender counts as lost, and all ranks
 * hear it. */
static int unless_lost(int code)
{
    if (code != TUTTI_ERR_PEER_FAILED) return code;
    countdown = -1;
    int found; /* a connection that closes at once may take the news with it */
    for (int i = 0; i < 30; i++) {
        usleep(10000);
        if (tutti_iprobe(world, TUTTI_ANY_SOURCE, 0, &found, NULL) != 0) continue;
    }
    tutti_finalize();
    exit(0);
}

static int split(tutti_comm *comm, tutti_comm **part)
{
    return tutti_comm_split(comm, 0, rank, part);
}

static int create(tutti_comm *comm, tutti_comm **part)
{
    int members[64];
    for (int r = 0; r < size; r++)
        members[r] = r;
    return tutti_comm_create(comm, members, size, part);
}

static int reduce_all(tutti_comm *comm, tutti_comm **part)
{
    (void)part;
    return tutti_allreduce(comm, in, out, count, TUTTI_INT64, TUTTI_SUM);
}

static int reduce_later(tutti_comm *comm, tutti_comm **part)
{
    tutti_request *request = NULL;
    (void)part;
    const int code = tutti_iallreduce(comm, in, out, count, TUTTI_INT64, TUTTI_SUM, &request);
    return code < 0 ? code : tutti_wait(&request, NULL);
}

/* Either all have it or none. */
static int open_window(tutti_comm *comm, tutti_comm **part)
{
    tutti_window *window = NULL;
    (void)part;
    const int code = tutti_window_create(comm, in, sizeof in, &window);
    EXPECT((code == 0) == (window != NULL));
    if (code < 0) return code;
    const int left = countdown;
    countdown = INT_MAX; /* what ends it is not meant */
    OK(unless_lost(tutti_window_free(&window)));
    countdown = left;
    return 0;
}

/* All are of one mind about a communicator that was made, and can use it. */
static void use(tutti_comm *part, int code)
{
    int32_t mine = code == 0, least = 0;
    OK(unless_lost(tutti_allreduce(world, &mine, &least, 1, TUTTI_INT32, TUTTI_MIN)));
    if (part == NULL) return;
    if (least == 1) OK(unless_lost(tutti_barrier(part)));
    OK(tutti_comm_free(&part));
}

/* Returns whether an allocation failed. */
static bool round_of(int (*call)(tutti_comm *, tutti_comm **), int n)
{
    tutti_comm *comm, *part = NULL;
    char failed = 0;
    OK(unless_lost(tutti_comm_dup(world, &comm)));
    if (rank == size - 1) countdown = n;
    const int code = unless_lost(call(comm, &part));
    failed = rank == size - 1 && countdown < 0;
    countdown = -1;
    EXPECT(code == 0 || code == TUTTI_ERR_NO_MEMORY);
    if (code != 0) EXPECT(tutti_error_detail()[0] != '\0');
    if (code != 0) EXPECT(part == NULL);
    use(part, code);
    OK(tutti_comm_free(&comm));
    OK(unless_lost(tutti_bcast(world, &failed, 1, size - 1)));
    return failed;
}

static void sweep(int (*call)(tutti_comm *, tutti_comm **))
{
    int n = 0;
    while (round_of(call, n))
        EXPECT(++n < MOST);
    EXPECT(n > 0);
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    job_need(SANITIZED ? 1000 : 2);
    count = job_shares_memory() ? MOST_COUNT : SHORT_COUNT;
    sweep(open_window);
    sweep(split);
    sweep(create);
    sweep(tutti_comm_dup);
    sweep(reduce_all);
    sweep(reduce_later);
    return job_close();
}
