/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/area.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include "bench/common_file.h"

/* Looks at a word before the core is offered, where each rank has one. */
enum { LOOKS = 1000 };

bench_area_line *bench_area_lines(const bench_case *c)
{
    return c->base;
}

bench_area_line *bench_area_mine(const bench_case *c)
{
    return &bench_area_lines(c)[port_rank()];
}

char *bench_area_data(const bench_case *c)
{
    return (char *)(bench_area_lines(c) + port_size() + 2);
}

static size_t area_bytes(size_t bytes)
{
    return ((size_t)port_size() + 2) * sizeof(bench_area_line) + bytes;
}

void bench_area_open(bench_case *c, size_t bytes)
{
    int fd = bench_common_file("floor", "/dev/shm", area_bytes(bytes));
    c->base = mmap(NULL, area_bytes(bytes), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (c->base == MAP_FAILED) port_abort(1, "tutti-bench: floor: no shared memory");
    bench_area_line *mine = bench_area_mine(c);
    mine->pid = getpid();
    mine->buffer = (uint64_t)(uintptr_t)c->send;
#if defined(PR_SET_PTRACER)
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0); /* where only parents may read (Yama) */
#endif
    port_barrier();
}

void bench_area_close(bench_case *c, size_t bytes)
{
    munmap(c->base, area_bytes(bytes));
}

void bench_area_say(_Atomic uint32_t *word, uint32_t value)
{
    atomic_store_explicit(word, value, memory_order_release);
}

bool bench_area_has(const _Atomic uint32_t *word, uint32_t least)
{
    return (int32_t)(atomic_load_explicit(word, memory_order_acquire) - least) >= 0;
}

void bench_area_pause(const bench_case *c, int looks)
{
    if (c->crowded || looks >= LOOKS) sched_yield();
}

void bench_area_await(const bench_case *c, const _Atomic uint32_t *word, uint32_t least)
{
    for (int looks = 0; !bench_area_has(word, least); looks++)
        bench_area_pause(c, looks);
}

void bench_area_read(const bench_case *c, int from, void *here, size_t bytes, size_t offset)
{
    const bench_area_line *peer = &bench_area_lines(c)[from];
    for (size_t done = 0; done < bytes;) {
        struct iovec to = {(char *)here + done, bytes - done},
                     there = {(char *)(uintptr_t)peer->buffer + offset + done, bytes - done};
        ssize_t n = process_vm_readv(peer->pid, &to, 1, &there, 1, 0);
        if (n > 0) done += (size_t)n;
        if (n > 0 || errno == EINTR) continue;
        char text[128];
        snprintf(text, sizeof text, "tutti-bench: floor: process_vm_readv of rank %d: %s", from,
                 strerror(errno));
        port_abort(1, text);
    }
}
