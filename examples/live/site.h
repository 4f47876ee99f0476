/* SPDX-License-Identifier: BSD-3-Clause */
/* What a browser sees, by libmicrohttpd, without a thread of its own:
 *
 *   /           the page            /state       what there is, as JSON
 *   /page.js    its script          /frame.png   the last frame, painted when somebody asks
 *
 * Only GET and HEAD are answered; bounded are the connections, the memory and idle time of each, and what is
 * read of a request. A request's content is thrown away. */
#ifndef LIVE_SITE_H
#define LIVE_SITE_H

#include "examples/live/frames.h"

struct MHD_Daemon;
struct MHD_Response;

struct site {
    struct MHD_Daemon *daemon;
    const struct frames *frames;
    struct MHD_Response *picture; /* of frame number `painted`, or NULL */
    unsigned long painted;
    unsigned long long birth; /* tells one run of the viewer from another: their frames count from 0 */
    bool loopback;            /* only programs of this host are heard */
};

/* Serves pages at "host:port", "[IPv6]:port", or a port of 127.0.0.1; hosts are numbers. False after a
 * complaint. */
bool site_open(struct site *site, const char *address, const struct frames *frames);
void site_close(struct site *site);

/* A descriptor that is readable when site_process() has something to do. */
int site_fd(const struct site *site);
/* Milliseconds after which it has something to do anyway, at most `most`; -1 is never. */
int site_timeout(const struct site *site, int most);
void site_process(struct site *site);

#endif
