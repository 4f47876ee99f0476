/* SPDX-License-Identifier: BSD-3-Clause */
/* A host that vanishes says nothing, and a connection to it on which nobody sends lasts for ever: unless the
 * kernel asks, now and then, whether it is still there. */
#ifndef TTI_BASE_KEEPALIVE_H
#define TTI_BASE_KEEPALIVE_H

/* Has the kernel ask on this TCP connection, or on those that arrive at this socket, after 10 s of silence
 * and then every 10 s: it breaks when three questions have not been answered. */
void tti_keepalive_begin(int connection);

#endif
