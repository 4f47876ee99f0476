/* SPDX-License-Identifier: BSD-3-Clause */
/* From two hellos to an open stream. Without a secret the hellos are all; with one each side proves first
 * that it knows it (secret.h), and nothing else is heard before. */
#include "streams/stream_handshake.h"

#include <string.h>

#include "runtime/base/status.h"
#include "streams/stream_threads.h"

static uint8_t *own_words(tutti_stream *stream)
{
    return stream->arrived ? stream->greetings.listener : stream->greetings.caller;
}

const uint8_t *tti_stream_greet(tutti_stream *stream)
{
    const tutti_stream_options *options = &stream->context->options;
    tti_hello hello = {.version = TTI_STREAM_VERSION,
                       .guarded = stream->context->secret != NULL,
                       .buffer_bytes = (uint32_t)options->buffer_bytes,
                       .credits = (uint32_t)options->credits,
                       .token = stream->token};
    memcpy(hello.nonce, stream->nonce, sizeof hello.nonce);
    tti_hello_write(&hello, own_words(stream));
    return own_words(stream);
}

/* Whether both have a secret, or neither. */
int tti_stream_check_guard(const tutti_stream_context *context, const tti_hello *hello, const char *who)
{
    if (hello->guarded == (context->secret != NULL)) return 0;
    if (hello->guarded)
        return tti_fail(TUTTI_ERR_DENIED,
                        "%s has a shared secret, and this side was given none (secret_file)", who);
    return tti_fail(TUTTI_ERR_DENIED, "%s has no shared secret, and this side was given one (secret_file)",
                    who);
}

void tti_stream_meet(tutti_stream *stream, const tti_hello *hello)
{
    const size_t own = stream->context->options.buffer_bytes;
    stream->room = hello->buffer_bytes < own ? hello->buffer_bytes : own;
    stream->credits = stream->credits_most = hello->credits;
    stream->granted = (uint32_t)stream->context->options.credits;
    stream->peer_token = hello->token;
    tti_hello_write(hello, stream->arrived ? stream->greetings.caller : stream->greetings.listener);
}

void tti_stream_tell_open(tutti_stream *stream)
{
    if (stream->callbacks.on_open == NULL) return;
    tti_stream_step_out(stream->context);
    stream->callbacks.on_open(stream, stream->callbacks.user);
    tti_stream_step_in(stream->context);
}

static void open_up(tutti_stream *stream)
{
    if (stream->opened || stream->phase > TTI_STREAM_OPEN) return;
    stream->phase = TTI_STREAM_OPEN;
    stream->told = stream->opened = true;
    tti_list_remove(&stream->timed);
    tti_stream_tell_open(stream);
}

/* The slot of credits is free for it: none are owed before a message has come. */
static void say(tutti_stream *stream, uint8_t kind, uint32_t bytes)
{
    stream->credit_slot->bytes = bytes;
    stream->credit_slot->length = TTI_FRAME_HEAD + bytes;
    tti_stream_queue(stream, stream->credit_slot, kind);
}

static void say_proof(tutti_stream *stream)
{
    tti_secret_prove(stream->context->secret, stream->arrived ? TTI_PROVER_LISTENER : TTI_PROVER_CALLER,
                     &stream->greetings, stream->credit_slot->memory + TTI_FRAME_HEAD);
    say(stream, TTI_FRAME_PROOF, TTI_PROOF_BYTES);
}

void tti_stream_connected(tutti_stream *stream)
{
    if (stream->context->secret == NULL) {
        open_up(stream);
    } else if (stream->phase < TTI_STREAM_PROVING) {
        stream->phase = TTI_STREAM_PROVING;
        if (stream->arrived) return;
        tti_stream_set_deadline(stream, stream->context->options.connect_timeout_ms); /* of another answer */
        say_proof(stream);
    }
}

static void hear_caller(tutti_stream *stream, const uint8_t *proof)
{
    stream->phase =
        TTI_STREAM_PROVING; /* it may have overtaken the word that the connection has come about */
    if (tti_secret_is_proved(stream->context->secret, TTI_PROVER_CALLER, &stream->greetings, proof)) {
        say_proof(stream);
        open_up(stream);
        return;
    }
    stream->denied = true;
    say(stream, TTI_FRAME_DENIAL, 0);
}

static void hear_listener(tutti_stream *stream, const uint8_t *proof)
{
    if (tti_secret_is_proved(stream->context->secret, TTI_PROVER_LISTENER, &stream->greetings, proof))
        open_up(stream);
    else
        tti_stream_end(stream, TUTTI_ERR_DENIED, "%s does not know the secret of this side", stream->peer);
}

static bool is_proving(const tutti_stream *stream)
{
    return stream->context->secret != NULL &&
           (stream->phase == TTI_STREAM_PROVING || stream->phase == TTI_STREAM_ACCEPTING);
}

bool tti_stream_take_proof(tutti_stream *stream, const tti_frame *frame, const uint8_t *body)
{
    const bool is_about_it = frame->kind == TTI_FRAME_PROOF || frame->kind == TTI_FRAME_DENIAL;
    if (!is_proving(stream)) {
        if (is_about_it) tti_stream_out_of_step(stream, "it proves what nobody asked for");
        return is_about_it;
    }
    if (stream->denied) return true;
    if (frame->kind == TTI_FRAME_PROOF && stream->arrived)
        hear_caller(stream, body);
    else if (frame->kind == TTI_FRAME_PROOF)
        hear_listener(stream, body);
    else if (frame->kind == TTI_FRAME_DENIAL && !stream->arrived)
        tti_stream_end(stream, TUTTI_ERR_DENIED,
                       "%s does not accept the secret of this side: give both ends the same one",
                       stream->peer);
    else
        tti_stream_out_of_step(stream, "it sends before it has proved to know the secret");
    return true;
}

void tti_stream_said(tutti_stream *stream, uint8_t kind)
{
    stream->credit_slot->bytes = 0;
    stream->credit_slot->length = TTI_FRAME_HEAD;
    if (kind != TTI_FRAME_DENIAL) return;
    tti_stream_end(stream, TUTTI_ERR_DENIED, "%s does not know the secret: turned away", stream->peer);
}

int tti_stream_half_open(const tutti_stream_context *context)
{
    int count = 0;
    for (const tti_link *at = context->streams.next; at != &context->streams; at = at->next) {
        const tutti_stream *one = TTI_OWNER(at, tutti_stream, link);
        count += one->arrived && one->phase < TTI_STREAM_OPEN;
    }
    return count;
}
