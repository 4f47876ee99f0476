/* SPDX-License-Identifier: BSD-3-Clause */
/* What pingpong_msg.c and pingpong_rdm.c share, and has nothing to do with libfabric: command line, clock,
 * the content of messages, the result. */
#ifndef EXAMPLES_OFI_PINGPONG_H
#define EXAMPLES_OFI_PINGPONG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Exchanges before the clock starts: caches are warm then, and connections made. */
#define WARM_UP 10

struct arguments {
    const char *provider, *port;
    const char *server; /* NULL: this side is the server */
    size_t bytes;       /* of a message */
    long iterations;
    int limit_ms;   /* the longest wait for the other side */
    bool sleeps;    /* wait in fi_cq_sread(), and not by polling */
    bool registers; /* register the buffers though the provider does not ask for it */
};

/* Whether the program is to go on; if not, *status is what it ends with. */
bool read_arguments(int argc, char **argv, struct arguments *arguments, int *status);

/* The client says what is exchanged, and the server takes it over. On the wire: both in network byte order.
 */
struct request {
    uint64_t bytes, iterations;
};
struct request make_request(const struct arguments *arguments);
/* False, with a message, if it is none that a client sends: whoever finds the port can send anything. */
bool take_request(const struct request *request, struct arguments *arguments);

double now_us(void);

/* Message `number` of one side. Its first and last byte tell the number. `whole`: all others too; so it is in
 * the warm-up and at the end, and the messages in between are timed without the work. */
void fill(unsigned char *buffer, size_t bytes, long number, bool whole, bool from_server);
/* False, with a message, if the `got` bytes in the buffer are not that message. */
bool check(const unsigned char *buffer, size_t got, size_t bytes, long number, bool whole, bool from_server);

void print_result(const struct arguments *arguments, double elapsed_us);

#endif
