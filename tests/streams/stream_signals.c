/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program does at signals stays as it was, whatever is loaded for its streams; also at those that come
 * while it is loaded. */
#include <signal.h>

#include "runtime/fabric/fabric_library.h"
#include "tests/streams/ends.h"

static const int numbers[] = {SIGHUP, SIGINT, SIGILL, SIGABRT, SIGFPE, SIGBUS, SIGSEGV, SIGTERM};
#define COUNT ((int)(sizeof numbers / sizeof numbers[0]))

static tti_fabric_library real;
static volatile sig_atomic_t heeded, taken;

static void heed(int number)
{
    (void)number;
    heeded++;
}

static void take(int number)
{
    (void)number;
    taken++;
}

/* The last one of them is the program's own. */
static void (*expected(int i))(int)
{
    return i == COUNT - 1 ? heed : SIG_DFL;
}

/* As libinfinipath and shm do, and then somebody wants the program to end. */
static int getinfo(uint32_t version, const char *node, const char *service, uint64_t flags,
                   const struct fi_info *hints, struct fi_info **info)
{
    static bool asked;
    if (!asked) {
        asked = true;
        EXPECT(signal(SIGTERM, take) != SIG_ERR && raise(SIGTERM) == 0);
    }
    return real.getinfo(version, node, service, flags, hints, info);
}

/* Listens, and looks whether all is as it was. */
static void expect_kept(void)
{
    end mine = {0};
    char address[80];
    sigset_t before, after;
    for (int i = 0; i < COUNT; i++)
        EXPECT(signal(numbers[i], expected(i)) != SIG_ERR);
    sigprocmask(SIG_SETMASK, NULL, &before);
    tutti_stream_context *context = ends_context(NULL);
    ends_listen(context, &mine, address);
    for (int i = 0; i < COUNT; i++) {
        struct sigaction now;
        EXPECT(sigaction(numbers[i], NULL, &now) == 0 && now.sa_handler == expected(i));
    }
    sigprocmask(SIG_SETMASK, NULL, &after);
    for (int i = 1; i < NSIG; i++)
        EXPECT(sigismember(&before, i) == sigismember(&after, i));
    EXPECT(tutti_stream_context_destroy(&context) == 0);
}

/* In a process that has not loaded libfabric yet. */
static void load_too(const char *address)
{
    (void)address;
    expect_kept();
}

int main(void)
{
    const tti_fabric_library *library;
    ends_join(ends_start(load_too, NULL));
    EXPECT(tti_fabric_library_load(&library) == 0);
    real = *library;
    ((tti_fabric_library *)library)->getinfo = getinfo;
    expect_kept();
    EXPECT(taken == 0 && heeded == 1);
    return 0;
}
