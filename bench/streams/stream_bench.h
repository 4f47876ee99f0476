/* SPDX-License-Identifier: BSD-3-Clause */
/* tutti-stream-bench: what streams cost, each figure beside another one of the same run. */
#ifndef BENCH_STREAMS_STREAM_BENCH_H
#define BENCH_STREAMS_STREAM_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "tutti/stream.h"

/* What the command line asks for. */
typedef struct {
    size_t bytes; /* of a message; 0: what each test has by itself */
    long count;   /* timed messages of a round; 0: likewise */
    int rounds, credits;
    const char *provider;
    const char *pingpong; /* the program pingpong_msg; NULL: the one built or installed with this one */
} stream_settings;

/* One way of doing something: a row of a table. */
typedef struct {
    const char *name;
    /* One round's figure, or less than 0: failed, and said why. */
    double (*measure)(const stream_settings *settings, const void *how);
    const void *how; /* what tells this row from others with the same function; its type is the function's */
} stream_way;

#define STREAM_ROUNDS_MOST 1000
/* Measures all ways in turn, round by round, and prints a row for each, with its ratio to the first. False if
 * a round failed. */
bool stream_compare(const stream_settings *settings, const char *title, const stream_way *ways, int count);

/* The tests; false: failed. */
bool stream_bench_rate(const stream_settings *settings);
bool stream_bench_latency(const stream_settings *settings);
bool stream_bench_bandwidth(const stream_settings *settings);
bool stream_bench_answer(const stream_settings *settings);
/* What answer has in its own hands: its questions have one length, each waits for its answer, and there are
 * so many of them at most. */
#define STREAM_QUESTIONS_MOST 100000

/* How messages are sent one way; all zero: as a program gets it that asks for nothing. */
typedef struct {
    int coalesce_ms; /* as in tutti_stream_options */
    bool thread_safe, in_place;
} stream_sending;

/* One round of a way, whose `how` is a stream_sending: million messages, or million bytes, per second. */
double stream_rate(const stream_settings *settings, const void *how);
double stream_bandwidth(const stream_settings *settings, const void *how);
/* One round over a plain TCP socket: seconds for `count` messages, or less than 0. */
double stream_over_a_socket(size_t bytes, long count);
/* One round of pingpong_msg: its microseconds for half a round trip, or less than 0. */
double stream_pingpong_msg(const stream_settings *settings, size_t bytes, long count, bool sleeps);
/* Likewise of `fi_pingpong -e msg`, libfabric's own program. */
double stream_fi_pingpong(const stream_settings *settings, size_t bytes, long count);
bool stream_find_fi_pingpong(void);
/* Whether it is there; its path otherwise says where it was looked for. */
bool stream_find_pingpong_msg(const stream_settings *settings, char path[4096]);

/* A core for each of two processes that poll, so that they do not share one now and then. */
enum stream_core { STREAM_CORE_ANY, STREAM_CORE_CLIENT, STREAM_CORE_SERVER };
void stream_pin(enum stream_core core);

/* A process of its own, which ends with this one, and a pipe from it: 0 in that process, where *end is to be
 * written to; its id here, where *end is to be read from. -1: failed, and said why. */
pid_t stream_fork(int *end);
/* Says what went wrong; -1. */
int stream_fail(const char *what, const char *why);

/* One end of a stream of the benchmark, in a process of its own; also the `user` of its callbacks. */
typedef struct stream_side {
    tutti_stream_context *context;
    tutti_stream *stream;
    void *mine; /* the test's */
    /* The test's: a message has come; there may be room to send; a key is back. */
    void (*got)(struct stream_side *side, const void *data, size_t bytes);
    void (*ready)(struct stream_side *side);
    void (*sent)(struct stream_side *side);
    bool open, over, failed;
    bool polls;            /* looks all the time, instead of sleeping on the descriptor */
    enum stream_core core; /* of the server */
} stream_side;

/* Runs `serve` with an accepted stream in a process of its own until the stream is closed, and connects
 * `side` to it. -1: failed, and said why. */
pid_t stream_side_start(stream_side *side, const tutti_stream_options *options, const stream_side *server);
/* Closes it. False if anything failed on either side. */
bool stream_side_end(stream_side *side, pid_t server);
/* Turns the loop once; false: failed, or nothing has come for long. */
bool stream_side_turn(stream_side *side);
/* Says what went wrong, once, and marks the side as failed. */
void stream_side_fail(stream_side *side, const char *what);

double stream_now(void); /* seconds */

#endif
