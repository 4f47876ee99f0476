/* SPDX-License-Identifier: BSD-3-Clause */
/* Streams with a shared secret: who knows it is let in, and who does not is told so, as is the listener. */
#include <string.h>

#include "runtime/base/clock.h"
#include "tests/patience.h"
#include "tests/streams/ends.h"

#define MESSAGES 300

static const char right[] = "the right secret of this test", wrong[] = "the wrong secret of this test";

static tutti_stream_context *context_with(const char *secret)
{
    const tutti_stream_options options = {.secret = secret,
                                          .secret_bytes = secret != NULL ? strlen(secret) : 0};
    return ends_context(&options);
}

static void exchange(tutti_stream_context *near, end *listening, tutti_stream_context *far,
                     const char *address)
{
    end knocking = {0};
    const tutti_stream_callbacks callbacks = ends_callbacks(&knocking);
    tutti_stream *stream;
    *listening = (end){0};
    EXPECT(tutti_stream_connect(far, address, &callbacks, &stream) == 0);
    ends_until_both(near, far, &listening->opened);
    ends_until_both(near, far, &knocking.opened);
    const int64_t end_ns = tti_clock_ns() + PATIENCE_NS;
    while (knocking.messages < MESSAGES || listening->messages < MESSAGES) {
        EXPECT(tti_clock_ns() < end_ns);
        if (knocking.sent < MESSAGES) ends_send(&knocking);
        if (listening->sent < MESSAGES) ends_send(listening);
        EXPECT(tutti_stream_process(near, 0) >= 0 && tutti_stream_process(far, 0) >= 0);
    }
    EXPECT(tutti_stream_close(knocking.stream) == 0);
    ends_until_both(near, far, &knocking.closed);
    ends_until_both(near, far, &listening->closed);
    EXPECT(knocking.code == 0 && listening->code == 0 && !listening->refused);
}

/* Neither end is open at any time, both are told, and nothing of the secrets is in what they are told. */
static void expect_denied(tutti_stream_context *near, end *listening, const char *secret, const char *address,
                          const char *words)
{
    tutti_stream_context *far = context_with(secret);
    end knocking = {0};
    const tutti_stream_callbacks callbacks = ends_callbacks(&knocking);
    tutti_stream *stream;
    *listening = (end){0};
    EXPECT(tutti_stream_connect(far, address, &callbacks, &stream) == 0);
    ends_until_both(near, far, &knocking.closed);
    ends_until_both(near, far, &listening->refused);
    EXPECT(!knocking.opened && !listening->opened && !listening->closed);
    EXPECT(knocking.code == TUTTI_ERR_DENIED && listening->code == TUTTI_ERR_DENIED);
    if (strstr(knocking.why, words) == NULL || strstr(knocking.why, address) == NULL) {
        fprintf(stderr, "told \"%s\", wanted \"%s\"\n", knocking.why, words);
        exit(1);
    }
    EXPECT(strstr(listening->why, "127.0.0.1:") != NULL && strstr(listening->why, "secret") != NULL);
    EXPECT(strstr(knocking.why, "of this test") == NULL && strstr(listening->why, "of this test") == NULL);
    EXPECT(tutti_stream_context_destroy(&far) == 0);
}

static void guarded(void)
{
    tutti_stream_context *near = context_with(right), *far = context_with(right);
    end listening = {0};
    char address[80];
    tutti_stream_listener *listener = ends_listen(near, &listening, address);
    for (int i = 0; i < 3; i++) {
        exchange(near, &listening, far, address);
        expect_denied(near, &listening, wrong, address, "does not accept the secret of this side");
        expect_denied(near, &listening, NULL, address, "this side was given none");
    }
    EXPECT(tutti_stream_listener_close(&listener) == 0);
    EXPECT(tutti_stream_context_destroy(&near) == 0 && tutti_stream_context_destroy(&far) == 0);
}

static void unguarded(void)
{
    tutti_stream_context *near = context_with(NULL), *far = context_with(NULL);
    end listening = {0};
    char address[80];
    tutti_stream_listener *listener = ends_listen(near, &listening, address);
    expect_denied(near, &listening, right, address, "has no shared secret");
    exchange(near, &listening, far, address);
    EXPECT(tutti_stream_listener_close(&listener) == 0);
    EXPECT(tutti_stream_context_destroy(&near) == 0 && tutti_stream_context_destroy(&far) == 0);
}

static void wrong_options(void)
{
    tutti_stream_context *context;
    tutti_stream_options options = {.secret = right, .secret_bytes = 15};
    EXPECT(tutti_stream_context_create(&context, &options) == TUTTI_ERR_ARG);
    options = (tutti_stream_options){.secret = right, .secret_bytes = sizeof right, .secret_file = "/x"};
    EXPECT(tutti_stream_context_create(&context, &options) == TUTTI_ERR_ARG);
    options = (tutti_stream_options){.secret_file = "/no/such/file"};
    EXPECT(tutti_stream_context_create(&context, &options) == TUTTI_ERR_SYSTEM);
    EXPECT(strstr(tutti_error_detail(), "/no/such/file") != NULL);
}

int main(int argc, char **argv)
{
    ends_setup(argc, argv);
    wrong_options();
    guarded();
    unguarded();
    return 0;
}
