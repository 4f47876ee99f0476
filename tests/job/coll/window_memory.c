/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory that a communicator's ranks share for their collectives: communicators freed by some ranks while
 * others still take their last result out of it, and a thousand that come and go without growth of any kind.
 */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/job/job.h"
#include "tests/job/payload.h"
#include "tests/sanitized.h"

#define BRIEF 300
#define AT_ONCE 50
#define ROUNDS 20
#define TIMES 5
#define LARGE ((size_t)100000)

static unsigned char *own_memory, *mapped_memory;

/* A last operation after which the root does not know who has it, and who has it not what others do. */
static void use(tutti_comm *comm, int way)
{
    const size_t bytes = way % 2 == 0 ? 100 : LARGE;
    unsigned char *buf = way / 2 % 2 == 0 ? own_memory : mapped_memory;
    const int root = way % size;
    if (rank == root) payload_fill(buf, bytes, (uint64_t)way);
    if ((way + rank) % 7 == 0) usleep(500);
    if (way % 3 == 2) OK(tutti_barrier(comm));
    OK(tutti_bcast(comm, buf, bytes, root));
    EXPECT(payload_is(buf, bytes, (uint64_t)way));
}

/* Every one is used, and its memory used again by the next ones, while late ranks still read. */
static void test_freed_at_once(void)
{
    tutti_comm *kept = NULL;
    for (int i = 0; i < BRIEF; i++) {
        tutti_comm *brief;
        OK(tutti_comm_dup(world, &brief));
        use(brief, i);
        if (i % 10 == 0) {
            if (kept != NULL) OK(tutti_comm_free(&kept));
            kept = brief;
        } else {
            OK(tutti_comm_free(&brief));
        }
        use(kept, i + 1);
    }
    OK(tutti_comm_free(&kept));
}

/* What may grow: resident memory, pages of the files that others map (both in KiB), mappings, descriptors. */
typedef struct {
    long resident, files, mappings, descriptors;
} footprint;

static long count_lines(const char *path)
{
    long lines = 0;
    FILE *file = fopen(path, "r");
    EXPECT(file != NULL);
    for (int c = getc(file); c != EOF; c = getc(file))
        lines += c == '\n';
    fclose(file);
    return lines;
}

static footprint measure(void)
{
    footprint now = {0, 0, count_lines("/proc/self/maps"), 0};
    long ignored;
    FILE *file = fopen("/proc/self/statm", "r");
    EXPECT(file != NULL && fscanf(file, "%ld %ld", &ignored, &now.resident) == 2);
    fclose(file);
    now.resident *= sysconf(_SC_PAGESIZE) / 1024;
    for (int fd = 0; fd < 1000; fd++) {
        struct stat status;
        if (fstat(fd, &status) != 0) continue;
        now.descriptors++;
        if (S_ISREG(status.st_mode) && status.st_nlink == 0) now.files += status.st_blocks / 2;
    }
    return now;
}

static void make_use_free(int rounds)
{
    tutti_comm *comms[AT_ONCE];
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < AT_ONCE; i++) {
            int64_t sum = 0;
            OK(tutti_comm_dup(world, &comms[i]));
            OK(tutti_allreduce(comms[i], &(int64_t){rank}, &sum, 1, TUTTI_INT64, TUTTI_SUM));
            EXPECT(sum == (int64_t)size * (size - 1) / 2);
            use(comms[i], i);
        }
        /* In an order that differs from rank to rank. */
        for (int i = 0; i < AT_ONCE; i++)
            OK(tutti_comm_free(&comms[(i + rank * 11) % AT_ONCE]));
    }
    /* Everybody has left all of them: the first rank gives the memory back with the next one. */
    tutti_comm *last;
    OK(tutti_barrier(world));
    OK(tutti_comm_dup(world, &last));
    OK(tutti_barrier(last));
    OK(tutti_comm_free(&last));
    OK(tutti_barrier(world));
}

#define GROWTH_KIB (SANITIZED ? 300000 : 3000)
#define GROWTH_MAPPINGS (SANITIZED ? 3000 : 32) /* some are kept for a while */

/* How much more there is than before; said where that is too much. */
static int has_grown(const footprint *before)
{
    const footprint after = measure();
    const footprint grown = {after.resident - before->resident, after.files - before->files,
                             after.mappings - before->mappings, after.descriptors - before->descriptors};
    const int bounded = grown.resident <= GROWTH_KIB && grown.files <= GROWTH_KIB &&
                        grown.mappings <= GROWTH_MAPPINGS && grown.descriptors <= 2;
    if (!bounded)
        fprintf(stderr, "rank %d grew by %ld KiB, %ld KiB of files, %ld mappings, %ld descriptors\n", rank,
                grown.resident, grown.files, grown.mappings, grown.descriptors);
    return !bounded;
}

/* Who is late with freeing has more at once than ever before, and what that took is kept for the next ones:
 * on a busy machine that comes once or twice. What is lost is lost every time. */
static void test_growth(void)
{
    int grown = 1;
    make_use_free(ROUNDS / 2); /* which windows have been touched depends on who frees when */
    for (int time = 0; time < TIMES && grown; time++) {
        const footprint before = measure();
        make_use_free(ROUNDS);
        const int here = has_grown(&before);
        OK(tutti_allreduce(world, &here, &grown, 1, TUTTI_INT32, TUTTI_MAX));
    }
    EXPECT(!grown);
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    own_memory = malloc(LARGE);
    EXPECT(own_memory != NULL);
    OK(tutti_mem_alloc(world, LARGE, (void **)&mapped_memory));
    test_freed_at_once();
    test_growth();
    free(own_memory);
    OK(tutti_mem_free(mapped_memory));
    return job_close();
}
