/* SPDX-License-Identifier: BSD-3-Clause */
/* Bulk data, one-sided access, cancelling and sleeping between ranks over one provider, the first
 * argument. */
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/base/clock.h"
#include "tests/patience.h"
#include "tests/unit/expect.h"
#include "tests/unit/fabric/fabric_operation.h"
#include "tests/unit/fabric/fabric_ranks.h"

#define MOST (9u << 20)

static tti_fabric *fabric;
static long packets, heard;
static char last[256];
static _Atomic long *asleep; /* how often rank 0 went to sleep, which both see */

static void on_packet(void *context, int rank, const void *packet, size_t bytes)
{
    (void)context, (void)rank;
    memcpy(last, packet, bytes < sizeof last ? bytes : sizeof last);
    packets++;
}

static void on_failure(void *context, int rank, int code)
{
    (void)context;
    fprintf(stderr, "unexpected failure of rank %d: %d %s\n", rank, code, tutti_error_detail());
    exit(1);
}

static void start(operation *one)
{
    *one = (operation){.op = {.done = operation_done}};
}

static void finish(operation *one)
{
    while (one->calls == 0)
        tti_fabric_poll(fabric);
    EXPECT(one->calls == 1);
}

#define UNTIL_TAKEN(call)                                                                                    \
    do {                                                                                                     \
        int code_;                                                                                           \
        while ((code_ = (call)) == 1)                                                                        \
            tti_fabric_poll(fabric);                                                                         \
        EXPECT(code_ == 0);                                                                                  \
    } while (0)

static void tell(int to, const void *what, size_t bytes)
{
    UNTIL_TAKEN(tti_fabric_send(fabric, to, what, bytes, NULL, 0));
}

/* The next packet, which may be there already. */
static void hear(void)
{
    heard++;
    while (packets < heard)
        tti_fabric_poll(fabric);
}

static void come(const tti_job *job)
{
    packets = heard = 0;
    EXPECT(tti_fabric_open(job, on_packet, on_failure, NULL, &fabric) == 0);
}

static void together(void)
{
    int ticket = -1;
    while (!met(&ticket))
        tti_fabric_poll(fabric);
}

static void leave(void)
{
    while (!tti_fabric_idle(fabric, UINT64_MAX))
        tti_fabric_poll(fabric);
    together();
    tti_fabric_close(fabric);
}

static uint8_t value(size_t i, size_t bytes, int rank)
{
    return (uint8_t)(i * 31 + (i >> 8) + bytes * 3 + (size_t)rank);
}

/* Both ways at once: receive posted, told to the peer, then sent. */
static void swap_bulk(const tti_job *job, size_t bytes, uint64_t tag)
{
    uint8_t *out = malloc(bytes + 1), *in = malloc(bytes + 1);
    EXPECT(out != NULL && in != NULL);
    for (size_t i = 0; i < bytes; i++)
        out[i] = value(i, bytes, job->rank);
    memset(in, 0, bytes + 1);
    operation receive, send;
    start(&receive);
    start(&send);
    const int peer = 1 - job->rank;
    UNTIL_TAKEN(tti_fabric_bulk_recv(fabric, peer, tag, in, bytes, &receive.op));
    tell(peer, &tag, sizeof tag);
    hear();
    UNTIL_TAKEN(tti_fabric_bulk_send(fabric, peer, tag, out, bytes, &send.op));
    finish(&send);
    finish(&receive);
    EXPECT(send.code == 0 && receive.code == 0 && receive.op.bytes == bytes);
    for (size_t i = 0; i < bytes; i++)
        EXPECT(in[i] == value(i, bytes, peer));
    EXPECT(in[bytes] == 0);
    free(out);
    free(in);
    together();
}

static void bulk(const tti_job *job)
{
    come(job);
    const int bits = tti_fabric_limits_of(fabric)->tag_bits;
    const uint64_t top = UINT64_C(1) << (bits - 1);
    static const size_t sizes[] = {0, 1, 63, 64, 4096, 4097, 16384, 16385, 65536, 1000003, 8u << 20, MOST};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        swap_bulk(job, sizes[i], top | i);
    if (bits < 64) {
        operation one;
        start(&one);
        EXPECT(tti_fabric_bulk_send(fabric, 0, UINT64_C(1) << bits, "", 0, &one.op) == TUTTI_ERR_LIMIT);
    }
    leave();
}

static void cancel(const tti_job *job)
{
    come(job);
    static uint8_t buf[5000];
    operation withdrawn, kept;
    start(&withdrawn);
    start(&kept);
    if (job->rank == 0) {
        UNTIL_TAKEN(tti_fabric_bulk_recv(fabric, 1, 1, buf, 1000, &withdrawn.op));
        UNTIL_TAKEN(tti_fabric_bulk_recv(fabric, 1, 2, buf, 1000, &kept.op));
        tti_fabric_bulk_cancel(fabric, &withdrawn.op);
        finish(&withdrawn);
        EXPECT(withdrawn.code == TUTTI_ERR_CANCELLED && kept.calls == 0);
        tell(1, "go", 3);
        finish(&kept);
        EXPECT(kept.code == 0 && kept.op.bytes == 1000);
    } else {
        hear();
        UNTIL_TAKEN(tti_fabric_bulk_send(fabric, 0, 2, buf, 1000, &kept.op));
        finish(&kept);
    }
    leave();
}

static void exchange_keys(const tti_job *job, tti_fabric_remote *mine, tti_fabric_remote *theirs)
{
    tell(1 - job->rank, mine, sizeof *mine);
    hear();
    memcpy(theirs, last, sizeof *theirs);
    together();
}

static void move(const tti_job *job, uint8_t *window, const tti_fabric_remote *theirs, size_t bytes)
{
    static uint8_t local[MOST], back[MOST];
    const int peer = 1 - job->rank;
    const size_t offset = 3;
    for (size_t i = 0; i < bytes; i++)
        local[i] = value(i, bytes, job->rank);
    memset(back, 0, bytes);
    operation write, read;
    start(&write);
    start(&read);
    UNTIL_TAKEN(tti_fabric_write(fabric, peer, theirs, offset, local, bytes, &write.op));
    finish(&write);
    EXPECT(write.code == 0);
    together(); /* done() says that the data is there */
    for (size_t i = 0; i < bytes; i++)
        EXPECT(window[offset + i] == value(i, bytes, peer));
    UNTIL_TAKEN(tti_fabric_read(fabric, peer, theirs, offset, back, bytes, &read.op));
    finish(&read);
    EXPECT(read.code == 0 && memcmp(back, local, bytes) == 0);
    together();
}

static void remote(const tti_job *job)
{
    come(job);
    if (!tti_fabric_limits_of(fabric)->has_rma) {
        leave();
        return;
    }
    uint8_t *window = calloc(1, MOST + 16);
    tti_fabric_region *region;
    tti_fabric_remote mine, theirs;
    EXPECT(window != NULL && tti_fabric_expose(fabric, window, MOST + 16, &region, &mine) == 0);
    exchange_keys(job, &mine, &theirs);
    static const size_t sizes[] = {1, 8, 100, 4096, 16384, 70001, 1u << 20, 8u << 20};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        move(job, window, &theirs, sizes[i]);
    tti_fabric_conceal(region);
    leave();
    free(window);
}

static void nap(long ns)
{
    const struct timespec t = {0, ns};
    nanosleep(&t, NULL);
}

static int64_t cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * TTI_NS_PER_SECOND + t.tv_nsec;
}

#define TIMES 10

/* Each word when rank 0 is asleep, and for a while. */
static void speak_to_sleeper(void)
{
    for (long i = 1; i <= TIMES; i++) {
        while (atomic_load(asleep) < i) {
            tti_fabric_poll(fabric);
            nap(1000000);
        }
        nap(50000000);
        tell(0, &i, sizeof i);
        while (!tti_fabric_idle(fabric, UINT64_MAX))
            tti_fabric_poll(fabric);
    }
}

static void sleep_until_told(void)
{
    int fd;
    for (long i = 1; i <= TIMES; i++) {
        heard++;
        while (packets < heard) {
            if (tti_fabric_arm(fabric, &fd)) {
                struct pollfd one = {fd, POLLIN, 0};
                atomic_store(asleep, i);
                EXPECT(poll(&one, 1, PATIENCE_S * 1000) > 0);
            }
            tti_fabric_poll(fabric);
        }
    }
}

/* Rank 0 sleeps on the descriptor until rank 1 speaks, ten times, and uses next to no processor for it. */
static void sleeping(const tti_job *job)
{
    come(job);
    if (!tti_fabric_limits_of(fabric)->has_wait_fd) {
        int fd = 0;
        EXPECT(tti_fabric_arm(fabric, &fd) && fd == -1);
        leave();
        return;
    }
    tell(1 - job->rank, "here", 5);
    hear();
    const int64_t busy = cpu_ns();
    if (job->rank == 1)
        speak_to_sleeper();
    else
        sleep_until_told();
    EXPECT(job->rank == 1 || cpu_ns() - busy < TTI_NS_PER_SECOND / 4);
    leave();
}

int main(int argc, char **argv)
{
    EXPECT(argc == 2);
    char option[64];
    snprintf(option, sizeof option, "TUTTI_PROVIDER=%s", argv[1]);
    const char *const set[] = {option, NULL};
    asleep = mmap(NULL, sizeof *asleep, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    EXPECT(asleep != MAP_FAILED);
    static void (*const bodies[])(const tti_job *) = {bulk, cancel, remote, sleeping};
    static const char *const names[] = {"bulk", "cancel", "remote", "sleeping"};
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        fprintf(stderr, "%s\n", names[i]);
        run_ranks(2, -1, set, bodies[i]);
    }
    return 0;
}
