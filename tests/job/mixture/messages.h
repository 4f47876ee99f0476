/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of a mixture: each rank of a communicator sends one to the rank some places further on and
 * receives one from the other side. They are waited for at once, or are under way beside everything else
 * until their place is drawn again, with the handles' tests meanwhile. */
#ifndef TESTS_JOB_MESSAGES_H
#define TESTS_JOB_MESSAGES_H

#include "tests/job/mixture/mixture.h"

#define MESSAGES 24

struct message {
    int group;                  /* the communicator's number */
    int from, to;               /* places in it */
    int from_mortal, to_mortal; /* whether these ranks may die */
    int mortal;                 /* whether some rank there may */
    size_t bytes;
    uint64_t payload;          /* of what comes */
    unsigned char *sent, *got; /* NULL: no message */
    tutti_request *in, *out;
    int received; /* 0 once it has ended with an error */
};

static struct message messages[MESSAGES];

static inline void message_tell(const struct message *m)
{
    fprintf(stderr, "rank %d: message of %zu bytes on communicator %d to place %d%s, from %d%s\n", rank,
            m->bytes, m->group, m->to, m->out == NULL ? ", sent" : "", m->from,
            m->in == NULL ? ", received" : "");
}

/* Only with a rank that may die it may fail, and names that one. */
static inline void expect_sound(const struct message *m, int code, const tutti_status *status, int place,
                                int mortal)
{
    const int sound =
        code == 0 || (code == TUTTI_ERR_PEER_FAILED && deadly && mortal && status->source == place);
    if (!sound) mixture_tell();
    if (!sound) message_tell(m);
    EXPECT(sound);
}

static inline void message_in_ended(struct message *m, int code, const tutti_status *status)
{
    expect_sound(m, code, status, m->from, m->from_mortal);
    EXPECT(m->in == NULL);
    m->received = code == 0;
}

static inline void message_out_ended(struct message *m, int code, const tutti_status *status)
{
    expect_sound(m, code, status, m->to, m->to_mortal);
    EXPECT(m->out == NULL);
}

static inline void message_test(struct message *m)
{
    tutti_status status;
    int done = 0, code;
    if (m->in != NULL) {
        code = tutti_test(&m->in, &done, &status);
        if (done) message_in_ended(m, code, &status);
    } else if (m->out != NULL) {
        code = tutti_test(&m->out, &done, &status);
        if (done) message_out_ended(m, code, &status);
    }
}

/* Completes it, and looks at what has come. */
static inline void message_end(struct message *m)
{
    tutti_status status;
    int code;
    if (m->sent == NULL) return;
    if (m->out != NULL) {
        code = tutti_wait(&m->out, &status);
        message_out_ended(m, code, &status);
    }
    if (m->in != NULL) {
        code = tutti_wait(&m->in, &status);
        message_in_ended(m, code, &status);
    }
    if (m->received && !payload_is(m->got, m->bytes, m->payload)) message_tell(m);
    EXPECT(!m->received || payload_is(m->got, m->bytes, m->payload));
    free(m->sent);
    free(m->got);
    *m = (struct message){.sent = NULL};
}

/* The one who receives may not say with which tag: earlier messages of that rank have their receives already.
 * Nor from whom, where all live: with the death of a third one it would end, and nobody take the message. */
static inline void message_start(struct message *m, const struct group *g, int tag, uint64_t draw)
{
    const int from_any = draw % 3 == 0 && !m->mortal, with_any = !from_any && draw % 4 == 0;
    const tutti_status here = {.source = m->from}, there = {.source = m->to};
    m->received = 1;
    int code = tutti_irecv(g->comm, m->got, m->bytes, from_any ? TUTTI_ANY_SOURCE : m->from,
                           with_any ? TUTTI_ANY_TAG : tag, &m->in);
    if (code != 0) message_in_ended(m, code, &here);
    if (draw % 5 == 0)
        code = tutti_issend(g->comm, m->sent, m->bytes, m->to, tag, &m->out);
    else
        code = tutti_isend(g->comm, m->sent, m->bytes, m->to, tag, &m->out);
    if (code != 0) message_out_ended(m, code, &there);
}

/* One in a place of the table; what was there is completed first. */
static inline void step_message(uint64_t draw)
{
    struct message *m = &messages[draw_below(&draw, MESSAGES)];
    const int number = group_draw(&draw);
    const struct group *g = &groups[number];
    const size_t bytes = call_draw_bytes(&draw, 1);
    const int shift = (int)draw_below(&draw, (uint64_t)g->n), tag = (int)draw_below(&draw, TUTTI_TAG_MAX);
    message_end(m);
    if (g->mine < 0) return;
    const int to = (g->mine + shift) % g->n, from = (g->mine + g->n - shift) % g->n;
    *m = (struct message){.group = number, .from = from, .to = to, .bytes = bytes};
    m->from_mortal = is_doomed(g->members[from]);
    m->to_mortal = is_doomed(g->members[to]);
    m->mortal = group_is_mortal(g);
    m->sent = malloc(bytes + 1);
    m->got = malloc(bytes + 1);
    EXPECT(m->sent != NULL && m->got != NULL);
    m->payload = (uint64_t)(step % 100000 + from);
    payload_fill(m->sent, bytes, (uint64_t)(step % 100000 + g->mine));
    message_start(m, g, tag, draw);
    if (draw / 60 % 2) message_end(m);
}

#endif
