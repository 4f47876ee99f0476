/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program does at signals stays as it was, whatever is loaded for its streams. */
#include <signal.h>

#include "tests/streams/ends.h"

static const int numbers[] = {SIGHUP, SIGINT, SIGILL, SIGABRT, SIGFPE, SIGBUS, SIGSEGV, SIGTERM};
#define COUNT ((int)(sizeof numbers / sizeof numbers[0]))

static void heed(int number)
{
    (void)number;
}

/* The last one of them is the program's own. */
static void (*expected(int i))(int)
{
    return i == COUNT - 1 ? heed : SIG_DFL;
}

int main(void)
{
    end mine = {0};
    char address[80];
    for (int i = 0; i < COUNT; i++)
        EXPECT(signal(numbers[i], expected(i)) != SIG_ERR);
    tutti_stream_context *context = ends_context(NULL);
    ends_listen(context, &mine, address);
    for (int i = 0; i < COUNT; i++) {
        struct sigaction now;
        EXPECT(sigaction(numbers[i], NULL, &now) == 0 && now.sa_handler == expected(i));
    }
    EXPECT(tutti_stream_context_destroy(&context) == 0);
    return 0;
}
