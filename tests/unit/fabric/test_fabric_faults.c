/* SPDX-License-Identifier: BSD-3-Clause */
/* Peers that die, peers that are not there, options that cannot be met: over one provider, the first
 * argument. */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pmi/pmi.h"
#include "runtime/base/clock.h"
#include "runtime/fabric/card.h"
#include "tests/descriptors.h"
#include "tests/patience.h"
#include "tests/sanitized.h"
#include "tests/unit/expect.h"
#include "tests/unit/fabric/fabric_operation.h"
#include "tests/unit/fabric/fabric_ranks.h"

#define LATE_US 3500000 /* after three times as long as connecting may take */

static tti_fabric *fabric;
static long packets;
static int failures, failed_rank, failed_code;
static const char *provider;
static char segment[32], left_by[64];

static void on_packet(void *context, int rank, const void *packet, size_t bytes)
{
    (void)context, (void)rank, (void)packet, (void)bytes;
    packets++;
}

static void on_failure(void *context, int rank, int code)
{
    (void)context;
    failures++;
    failed_rank = rank;
    failed_code = code;
}

static void come(const tti_job *job)
{
    EXPECT(tti_fabric_open(job, on_packet, on_failure, NULL, &fabric) == 0);
    static const int ours[] = {SIGSEGV, SIGBUS, SIGTERM, SIGINT, SIGABRT};
    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++) {
        struct sigaction action;
        sigaction(ours[i], NULL, &action);
        EXPECT(action.sa_handler == SIG_DFL || SANITIZED);
    }
}

static void together(void)
{
    int ticket = -1;
    while (!met(&ticket))
        tti_fabric_poll(fabric);
}

static void hello(const tti_job *job)
{
    for (int to = 0; to < job->size; to++) {
        int code;
        while ((code = tti_fabric_send(fabric, to, "hello", 6, NULL, 0)) == 1)
            tti_fabric_poll(fabric);
        EXPECT(code == 0);
    }
    while (packets < job->size)
        tti_fabric_poll(fabric);
    together();
}

/* Rank 2 dies with a receive from it and a large send to it under way; both end, and what goes on between the
 * others is untouched. */
static void peer_dies(const tti_job *job)
{
    come(job);
    hello(job);
    if (job->rank == 2) raise(SIGKILL);
    static uint8_t in[100000], out[8 << 20];
    operation receive = {.op = {.done = operation_done}}, send = {.op = {.done = operation_done}};
    int code;
    EXPECT(tti_fabric_bulk_recv(fabric, 2, 7, in, sizeof in, &receive.op) == 0);
    const int64_t start = tti_clock_ns();
    while ((code = tti_fabric_bulk_send(fabric, 2, 8, out, sizeof out, &send.op)) == 1 &&
           tti_clock_ns() - start < TTI_NS_PER_SECOND / 2)
        tti_fabric_poll(fabric);
    const struct timespec nap = {0, 100000000};
    nanosleep(&nap, NULL);
    tti_fabric_peer_died(fabric, 2); /* as the launcher would tell */
    while (receive.calls == 0 || (code == 0 && send.calls == 0))
        tti_fabric_poll(fabric);
    EXPECT(receive.code == TUTTI_ERR_PEER_FAILED);
    EXPECT(code != 0 || send.code == TUTTI_ERR_PEER_FAILED || send.code == 0);
    EXPECT(tti_fabric_send(fabric, 2, "x", 2, NULL, 0) == TUTTI_ERR_PEER_FAILED);
    EXPECT(failures == 0 || failed_rank == 2);
    const int other = 1 - job->rank;
    const long before = job->size;
    while ((code = tti_fabric_send(fabric, other, "x", 2, NULL, 0)) == 1)
        tti_fabric_poll(fabric);
    EXPECT(code == 0);
    while (packets < before + 1)
        tti_fabric_poll(fabric);
    for (int i = 0; i < 1000 || !tti_fabric_idle(fabric, UINT64_MAX); i++)
        tti_fabric_poll(fabric);
    tti_fabric_close(fabric);
}

/* Rank 1 does not look any more, and dies when packets from where they lie have no way to go: each of them
 * has its end. */
static void peer_dies_behind(const tti_job *job)
{
    static uint8_t out[16384];
    come(job);
    if (!tti_fabric_limits_of(fabric)->has_in_place) {
        if (job->rank == 1) raise(SIGKILL);
        tti_fabric_close(fabric);
        return;
    }
    hello(job);
    if (job->rank == 1) {
        meet();
        raise(SIGKILL);
    }
    operation send = {.op = {.done = operation_done}};
    bool stuck = false;
    while (!stuck) {
        send.calls = 0;
        const int code = tti_fabric_send_in_place(fabric, 1, "x", 2, out, sizeof out, &send.op);
        const int64_t start = tti_clock_ns();
        EXPECT(code == 0);
        while (send.calls == 0 && !stuck) {
            tti_fabric_poll(fabric);
            stuck = tti_clock_ns() - start > TTI_NS_PER_SECOND / 5;
        }
    }
    meet();
    tti_fabric_peer_died(fabric, 1); /* as the launcher would tell */
    while (send.calls == 0)
        tti_fabric_poll(fabric);
    EXPECT(send.calls == 1 && (send.code == TUTTI_ERR_PEER_FAILED || send.code == 0));
    EXPECT(tti_fabric_send_in_place(fabric, 1, "x", 2, out, 2, &send.op) == TUTTI_ERR_PEER_FAILED);
    for (int i = 0; i < 1000; i++)
        tti_fabric_poll(fabric);
    EXPECT(send.calls == 1);
    tti_fabric_close(fabric);
}

/* Rank 1 is lost while a large send to it is under way, and is told so before rank 0 parts with it. */
static void told_first(const tti_job *job)
{
    static uint8_t out[8 << 20];
    come(job);
    hello(job);
    operation send = {.op = {.done = operation_done}};
    int code = job->rank;
    while (job->rank == 0 && (code = tti_fabric_bulk_send(fabric, 1, 8, out, sizeof out, &send.op)) == 1)
        tti_fabric_poll(fabric);
    if (job->rank == 0) {
        EXPECT(code == 0 && tti_fabric_send_last(fabric, 1, "x", 2) >= 0);
        tti_fabric_part(fabric, 1);
        while (send.calls == 0)
            tti_fabric_poll(fabric);
        EXPECT(send.calls == 1 && send.code == TUTTI_ERR_PEER_FAILED);
    }
    meet();
    tti_fabric_close(fabric);
}

static int try_hello(int rank)
{
    int code;
    while ((code = tti_fabric_send(fabric, rank, "hello", 6, NULL, 0)) == 1)
        tti_fabric_poll(fabric);
    return code;
}

/* Rank 1 publishes a card that leads nowhere: rank 0's send ends within the timeout and names both. */
static void nobody_there(const tti_job *job)
{
    come(job);
    if (job->rank == 1) {
        tti_fabric_close(fabric);
        meet();
        meet();
        return;
    }
    meet();
    EXPECT(try_hello(1) == TUTTI_ERR_PEER_FAILED);
    EXPECT(strstr(tutti_error_detail(), "rank 0 on ") != NULL &&
           strstr(tutti_error_detail(), "rank 1 on ") != NULL);
    EXPECT(failures == 1 && failed_rank == 1 && failed_code == TUTTI_ERR_PEER_FAILED);
    tti_fabric_close(fabric);
    meet();
}

/* Also the connection that asked whether this rank is there: libfabric closes it, though a read has set errno
 * so before. */
static void poll_until_closed(int descriptors)
{
    const int64_t since = tti_clock_ns();
    while (count_descriptors() > descriptors && tti_clock_ns() - since < PATIENCE_NS) {
        errno = EAGAIN;
        tti_fabric_poll(fabric);
    }
    EXPECT(count_descriptors() <= descriptors);
}

/* Rank 1 is there and does not look, for much longer than connecting may take: it is waited for. */
static void looks_late(const tti_job *job)
{
    come(job);
    meet();
    const int descriptors = count_descriptors();
    if (job->rank == 1) usleep(LATE_US);
    if (job->rank == 0) EXPECT(try_hello(1) == 0);
    while (job->rank == 1 && packets == 0) {
        errno = EAGAIN;
        tti_fabric_poll(fabric);
    }
    if (job->rank == 1) poll_until_closed(descriptors + 1);
    together();
    EXPECT(failures == 0);
    tti_fabric_close(fabric);
}

/* It dies without having looked: it is not waited for any more. */
static void never_looks(const tti_job *job)
{
    come(job);
    meet();
    if (job->rank == 1) {
        usleep(LATE_US);
        raise(SIGKILL);
    }
    EXPECT(try_hello(1) == TUTTI_ERR_PEER_FAILED);
    EXPECT(failures == 1 && failed_rank == 1 && failed_code == TUTTI_ERR_PEER_FAILED);
    tti_fabric_close(fabric);
}

static int count_segments(void)
{
    DIR *shm = opendir("/dev/shm");
    int count = 0;
    for (struct dirent *one; shm != NULL && (one = readdir(shm)) != NULL;)
        count += strncmp(one->d_name, segment, strlen(segment)) == 0;
    if (shm != NULL) closedir(shm);
    return count;
}

/* All ranks die at once: what the provider named in /dev/shm goes all the same. */
static void all_die(const tti_job *job)
{
    come(job);
    hello(job);
    snprintf(segment, sizeof segment, "%d", (int)getpid());
    FILE *file = fopen(left_by, "a");
    EXPECT(file != NULL && fprintf(file, "%s %d\n", segment, count_segments()) > 0 && fclose(file) == 0);
    raise(SIGKILL);
}

static void nothing_left(void)
{
    FILE *file = fopen(left_by, "r");
    EXPECT(file != NULL);
    int before;
    EXPECT(fscanf(file, "%31s %d", segment, &before) == 2);
    EXPECT(before == (strcmp(provider, "shm") == 0 ? 1 : 0));
    fclose(file);
    unlink(left_by);
    /* Guardians leave it for ten seconds. */
    for (int i = 0; i < 6000 && count_segments() > 0; i++)
        usleep(10000);
    EXPECT(count_segments() == 0);
}

/* Rank 1 is of another version. */
static void other_version(const tti_job *job)
{
    if (job->rank == 0) {
        come(job);
        EXPECT(tti_fabric_send(fabric, 1, "hello", 6, NULL, 0) == TUTTI_ERR_VERSION);
        EXPECT(strstr(tutti_error_detail(), "9.9.9") != NULL);
        tti_fabric_close(fabric);
        return;
    }
    tti_card card = {.tutti = "9.9.9", .host = "elsewhere", .provider = "none"};
    uint8_t wire[TTI_CARD_MAX];
    const int bytes = tti_card_write(&card, wire, sizeof wire);
    EXPECT(bytes > 0 && tti_pmi_put("tutti.card", wire, (size_t)bytes) == 0);
}

static void refused(const tti_job *job)
{
    EXPECT(tti_fabric_open(job, on_packet, on_failure, NULL, &fabric) == TUTTI_ERR_OPTION);
    fprintf(stderr, "%s\n", tutti_error_detail());
    EXPECT(strstr(tutti_error_detail(), "providers: ") != NULL && strchr(tutti_error_detail(), '\n') == NULL);
    EXPECT(strstr(tutti_error_detail(), "lo 127.0.0.1/8") != NULL);
}

int main(int argc, char **argv)
{
    EXPECT(argc == 2);
    provider = argv[1];
    char option[64];
    snprintf(option, sizeof option, "TUTTI_PROVIDER=%s", provider);
    const char *const set[] = {option, NULL};
    const char *const impatient[] = {option, "TUTTI_CONNECT_TIMEOUT=1s", NULL};
    run_ranks(3, 2, set, peer_dies);
    run_ranks(2, 1, set, peer_dies_behind);
    run_ranks(2, -1, set, told_first);
    run_ranks(2, -1, impatient, nobody_there);
    run_ranks(2, -1, impatient, looks_late);
    run_ranks(2, 1, impatient, never_looks);
    run_ranks(2, -1, set, other_version);
    snprintf(left_by, sizeof left_by, "/tmp/tutti-fabric-left.%d", (int)getpid());
    run_ranks(1, 0, set, all_die);
    nothing_left();
    const char *const absent[] = {"TUTTI_PROVIDER=nosuch", NULL};
    run_ranks(1, -1, absent, refused);
    const char *const nowhere[] = {"TUTTI_INTERFACE=eth99", NULL};
    run_ranks(1, -1, nowhere, refused);
    return 0;
}
