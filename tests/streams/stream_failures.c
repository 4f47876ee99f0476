/* SPDX-License-Identifier: BSD-3-Clause */
/* Each failure by its own code and words: refused, no answer, no room, a peer that dies; and wrong use. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/streams/ends.h"

/* A socket on a free port of the loopback, which it also writes as text. */
static int bare_socket(char address[80])
{
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof name;
    const int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    EXPECT(descriptor >= 0 && bind(descriptor, (struct sockaddr *)&name, sizeof name) == 0);
    EXPECT(getsockname(descriptor, (struct sockaddr *)&name, &length) == 0);
    snprintf(address, 80, "127.0.0.1:%d", ntohs(name.sin_port));
    return descriptor;
}

static void expect_end(tutti_stream_context *context, const char *address, int code, const char *word)
{
    end mine = {0};
    const tutti_stream_callbacks callbacks = ends_callbacks(&mine);
    tutti_stream *stream;
    EXPECT(tutti_stream_connect(context, address, &callbacks, &stream) == 0);
    ends_until(context, &mine.closed, "the failure");
    if (mine.code != code || strstr(mine.why, word) == NULL || strstr(mine.why, address) == NULL) {
        fprintf(stderr, "%s: code %d (%s), wanted %d with \"%s\"\n", address, mine.code, mine.why, code,
                word);
        exit(1);
    }
    EXPECT(!mine.opened);
}

static void refused_and_unanswered(void)
{
    tutti_stream_options options = {.connect_timeout_ms = 100};
    tutti_stream_context *context = ends_context(&options);
    char address[80];
    const int descriptor = bare_socket(address);
    expect_end(context, address, TUTTI_ERR_REFUSED, "nobody listens there: start what listens");
    EXPECT(listen(descriptor, 4) == 0); /* takes the connection, and says nothing */
    expect_end(context, address, TUTTI_ERR_TIMEOUT, "100 ms");
    close(descriptor);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
}

static void no_room(void)
{
    tutti_stream_options options = {.max_streams = 1};
    tutti_stream_context *context = ends_context(&options);
    tutti_stream_context *other = ends_context(NULL);
    end mine = {0}, first = {0}, second = {0};
    char address[80];
    tutti_stream_listener *listener = ends_listen(context, &mine, address);
    const tutti_stream_callbacks callbacks = ends_callbacks(&first), again = ends_callbacks(&second);
    tutti_stream *stream;
    EXPECT(tutti_stream_connect(other, address, &callbacks, &stream) == 0);
    ends_until_both(context, other, &first.opened);
    ends_until_both(context, other, &mine.opened);
    EXPECT(tutti_stream_connect(context, address, &callbacks, &stream) == TUTTI_ERR_LIMIT);
    EXPECT(tutti_stream_connect(other, address, &again, &stream) == 0);
    ends_until_both(context, other, &second.closed);
    EXPECT(second.code == TUTTI_ERR_LIMIT && strstr(second.why, "no room") != NULL);
    EXPECT(!first.closed);
    EXPECT(tutti_stream_listener_close(&listener) == 0);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
    EXPECT(tutti_stream_context_destroy(&other) == 0);
}

static void endless(const char *address)
{
    tutti_stream_context *context = ends_context(NULL);
    end mine = {0};
    ends_connect(context, &mine, address);
    ends_send_all(context, &mine, UINT64_MAX);
}

/* What came before the death is a whole beginning; the listener goes on with the next. */
static void killed(void)
{
    tutti_stream_context *context = ends_context(NULL);
    end mine = {0};
    char address[80];
    tutti_stream_listener *listener = ends_listen(context, &mine, address);
    for (int i = 0; i < 5; i++) {
        mine = (end){0};
        const pid_t child = ends_start(endless, address);
        ends_until_messages(context, &mine, 100 + (uint64_t)i * 37);
        EXPECT(kill(child, SIGKILL) == 0);
        EXPECT(waitpid(child, NULL, 0) == child);
        ends_until(context, &mine.closed, "the death of the peer");
        EXPECT(mine.code == TUTTI_ERR_PEER_FAILED && mine.why[0] != '\0');
    }
    EXPECT(tutti_stream_listener_close(&listener) == 0);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
}

static void wrong_use(void)
{
    tutti_stream_context *context;
    tutti_stream_options options = {.buffer_bytes = 10};
    EXPECT(tutti_stream_context_create(&context, &options) == TUTTI_ERR_ARG);
    EXPECT(strstr(tutti_error_detail(), "buffer_bytes") != NULL);
    options = (tutti_stream_options){.provider = "no_such"};
    context = ends_context(&options);
    tutti_stream_listener *listener;
    const tutti_stream_callbacks callbacks = {0};
    EXPECT(tutti_stream_listen(context, "x:y", &callbacks, &listener) == TUTTI_ERR_ARG);
    EXPECT(tutti_stream_listen(context, "0", &callbacks, &listener) == TUTTI_ERR_FABRIC);
    EXPECT(strstr(tutti_error_detail(), "no_such") != NULL);
    EXPECT(tutti_stream_process(context, -1) == TUTTI_ERR_ARG);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
    EXPECT(tutti_stream_context_destroy(&context) == TUTTI_ERR_ARG);
}

int main(int argc, char **argv)
{
    ends_setup(argc, argv);
    wrong_use();
    refused_and_unanswered();
    no_room();
    killed();
    return 0;
}
