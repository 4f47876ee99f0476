/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that a dead end of a stream leaves running keeps neither the connection nor the listener's port.
 */
#include <fcntl.h>
#include <unistd.h>

#include "tests/streams/ends.h"

static int lasts[2]; /* a pipe that ends with this test, and what is left running with it */
static int tells[2]; /* what the end that dies has to tell */

static void leave_running(void)
{
    const pid_t child = fork();
    EXPECT(child >= 0);
    if (child > 0) return;
    if (dup2(lasts[0], STDIN_FILENO) >= 0 && dup2(tells[1], STDOUT_FILENO) >= 0)
        execlp("sh", "sh", "-c", "echo; exec cat", (char *)NULL);
    _exit(1);
}

/* Starts it, and then dies. */
static void die(tutti_stream *stream, void *user)
{
    (void)stream;
    (void)user;
    leave_running();
    _exit(0);
}

static void run_on(tutti_stream_context *context)
{
    const bool never = false;
    ends_until(context, &never, "the end of this process");
}

static void listen_and_die(const char *none)
{
    char address[80] = "";
    tutti_stream_listener *listener;
    tutti_stream_context *context = ends_context(NULL);
    const tutti_stream_callbacks callbacks = {.on_open = die};
    (void)none;
    EXPECT(tutti_stream_listen(context, "0", &callbacks, &listener) == 0);
    EXPECT(tutti_stream_listener_address(listener, address, sizeof address) == 0);
    EXPECT(write(tells[1], address, sizeof address) == sizeof address);
    run_on(context);
}

static void connect_and_die(const char *address)
{
    tutti_stream *stream;
    tutti_stream_context *context = ends_context(NULL);
    const tutti_stream_callbacks callbacks = {.on_open = die};
    EXPECT(tutti_stream_connect(context, address, &callbacks, &stream) == 0);
    run_on(context);
}

/* By now it is another program: a fork of the dead end's would hold all there was. */
static void expect_left_running(void)
{
    char line;
    EXPECT(read(tells[0], &line, 1) == 1 && line == '\n');
}

static void test_dead_listener(void)
{
    char address[80];
    end mine = {0};
    tutti_stream_listener *listener;
    tutti_stream *stream;
    const tutti_stream_callbacks callbacks = ends_callbacks(&mine);
    const pid_t other = ends_start(listen_and_die, NULL);
    EXPECT(read(tells[0], address, sizeof address) == sizeof address);
    tutti_stream_context *context = ends_context(NULL);
    EXPECT(tutti_stream_connect(context, address, &callbacks, &stream) == 0);
    ends_until(context, &mine.closed, "word that the listener is dead");
    EXPECT(mine.code == TUTTI_ERR_PEER_FAILED);
    ends_join(other);
    expect_left_running();
    EXPECT(tutti_stream_listen(context, address, &callbacks, &listener) == 0);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
}

static void test_dead_caller(void)
{
    char address[80];
    end mine = {0};
    tutti_stream_context *context = ends_context(NULL);
    ends_listen(context, &mine, address);
    const pid_t other = ends_start(connect_and_die, address);
    ends_until(context, &mine.closed, "word that the caller is dead");
    EXPECT(mine.code == TUTTI_ERR_PEER_FAILED);
    ends_join(other);
    expect_left_running();
    EXPECT(tutti_stream_context_destroy(&context) == 0);
}

int main(void)
{
    EXPECT(pipe2(lasts, O_CLOEXEC) == 0 && pipe2(tells, O_CLOEXEC) == 0);
    test_dead_listener();
    test_dead_caller();
    return 0;
}
