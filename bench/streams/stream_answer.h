/* SPDX-License-Identifier: BSD-3-Clause */
/* Many connections of a program that waits for all of them by epoll, in different ways. */
#ifndef BENCH_STREAMS_STREAM_ANSWER_H
#define BENCH_STREAMS_STREAM_ANSWER_H

#include "bench/streams/stream_bench.h"

#define ANSWER_CONNECTIONS 50
#define ANSWER_BYTES 64
#define ANSWER_SILENCE_MS 120000 /* then the other side is taken for stuck */

/* One way to have many connections. Functions return false, having said why, where they fail. */
typedef struct {
    /* The program that answers, until its client is gone: tells its port by the pipe's end. */
    bool (*serve)(const stream_settings *settings, int levels, int pipe_end);
    bool (*connect)(const stream_settings *settings, int levels, int port);
    bool (*ask)(int connection); /* and waits for the answer */
    void (*leave)(void);
    int levels; /* epoll descriptors that the program has one behind another; 0: what streams have */
} stream_answer_way;

extern const stream_answer_way stream_answer_by_sockets;
/* Sockets that a program sees as one descriptor, as streams are: an epoll one, behind one of a library's, as
 * libfabric is. */
extern const stream_answer_way stream_answer_behind;

/* Tells the client by the pipe's end, and closes that. */
bool stream_answer_tell_port(int pipe_end, int port);
/* Says that the other side is silent; false. */
bool stream_answer_silence(void);
bool stream_answer_watch(int epoll, int descriptor);

#endif
