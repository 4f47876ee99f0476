/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/clock_sync.h"

#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/port.h"

enum { PINGS = 64, CORES_MAX = 1024, TAG_LAYOUT = 7001, TAG_CLOCK };

/* What a rank tells rank 0 of where it runs. */
typedef struct {
    uint64_t host;    /* of the host's name */
    uint64_t machine; /* of the running kernel: hosts made of network namespaces share it, and its cores */
    uint64_t clock;   /* of kernel and time namespace: equal where CLOCK_MONOTONIC is one and the same */
    uint64_t cores[CORES_MAX / 64];
} place;

/* FNV-1a, Fowler, Noll and Vo. */
static uint64_t hash(uint64_t seed, const char *text)
{
    uint64_t h = seed ^ 14695981039346656037U;
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * 1099511628211U;
    return h;
}

static void find_place(place *p)
{
    char host[256] = "", boot[64] = "", space[64] = "";
    cpu_set_t cores;
    memset(p, 0, sizeof *p);
    gethostname(host, sizeof host - 1);
    int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    if (fd >= 0 && read(fd, boot, sizeof boot - 1) < 0) boot[0] = '\0';
    if (fd >= 0) close(fd);
    if (readlink("/proc/self/ns/time", space, sizeof space - 1) < 0) space[0] = '\0';
    p->host = hash(0, host);
    p->machine = boot[0] ? hash(0, boot) : p->host;
    p->clock = hash(p->machine, space);
    if (sched_getaffinity(0, sizeof cores, &cores) == 0)
        for (int i = 0; i < CORES_MAX; i++)
            if (CPU_ISSET(i, &cores)) p->cores[i / 64] |= UINT64_C(1) << (i % 64);
}

/* Ranks and cores of the machine of places[of]. */
static void count_machine(const place *places, int size, int of, int *ranks, int *cores)
{
    uint64_t mask[CORES_MAX / 64] = {0};
    *ranks = *cores = 0;
    for (int r = 0; r < size; r++) {
        if (places[r].machine != places[of].machine) continue;
        ++*ranks;
        for (int w = 0; w < CORES_MAX / 64; w++)
            mask[w] |= places[r].cores[w];
    }
    for (int w = 0; w < CORES_MAX / 64; w++)
        *cores += __builtin_popcountll(mask[w]);
}

static bool first_of_its(const place *places, int of, size_t field)
{
    for (int r = 0; r < of; r++)
        if (memcmp((const char *)&places[r] + field, (const char *)&places[of] + field, sizeof(uint64_t)) ==
            0)
            return false;
    return true;
}

static bench_layout summarise(const place *places, int size)
{
    bench_layout layout = {.clock_shared = true, .ranks = 0, .cores = 1};
    for (int r = 0; r < size; r++) {
        int ranks, cores;
        layout.hosts += first_of_its(places, r, offsetof(place, host));
        layout.clock_shared = layout.clock_shared && places[r].clock == places[0].clock;
        if (!first_of_its(places, r, offsetof(place, machine))) continue;
        count_machine(places, size, r, &ranks, &cores);
        if ((int64_t)ranks * layout.cores <= (int64_t)layout.ranks * cores) continue;
        layout.ranks = ranks;
        layout.cores = cores > 0 ? cores : 1;
    }
    layout.crowded = layout.ranks > layout.cores;
    return layout;
}

bench_layout bench_layout_find(void)
{
    int rank = port_rank(), size = port_size();
    bench_layout layout = {0};
    place mine;
    find_place(&mine);
    if (rank != 0) {
        port_send(&mine, sizeof mine, 0, TAG_LAYOUT);
        port_recv(&layout, sizeof layout, 0, TAG_LAYOUT);
        return layout;
    }
    place *places = malloc((size_t)size * sizeof *places);
    if (!places) port_abort(1, "tutti-bench: no memory for the layout of the ranks");
    places[0] = mine;
    for (int r = 1; r < size; r++)
        port_recv(&places[r], sizeof places[r], r, TAG_LAYOUT);
    layout = summarise(places, size);
    for (int r = 1; r < size; r++)
        port_send(&layout, sizeof layout, r, TAG_LAYOUT);
    free(places);
    return layout;
}

/* Rank 0's side: tells `rank` its offset; returns the round trip it was taken from. */
static int64_t ping(int rank)
{
    int64_t offset = 0, shortest = INT64_MAX;
    for (int i = 0; i < PINGS; i++) {
        int64_t theirs, before = bench_now();
        port_send(&before, sizeof before, rank, TAG_CLOCK);
        port_recv(&theirs, sizeof theirs, rank, TAG_CLOCK);
        int64_t trip = bench_now() - before;
        if (trip >= shortest) continue;
        shortest = trip;
        offset = theirs - (before + trip / 2);
    }
    port_send(&offset, sizeof offset, rank, TAG_CLOCK);
    return shortest;
}

static int64_t answer(void)
{
    int64_t value;
    for (int i = 0; i < PINGS; i++) {
        port_recv(&value, sizeof value, 0, TAG_CLOCK);
        value = bench_now();
        port_send(&value, sizeof value, 0, TAG_CLOCK);
    }
    port_recv(&value, sizeof value, 0, TAG_CLOCK);
    return value;
}

int64_t bench_clock_offset(const bench_layout *layout, int64_t *error)
{
    *error = 0;
    if (layout->clock_shared) return 0;
    if (port_rank() != 0) return answer();
    for (int r = 1; r < port_size(); r++) {
        int64_t trip = ping(r);
        if (trip / 2 > *error) *error = trip / 2;
    }
    return 0;
}
