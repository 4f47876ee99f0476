/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks of the arguments of the public message calls: 0 or an error with its detail. */
#ifndef TTI_P2P_CHECK_H
#define TTI_P2P_CHECK_H

#include "runtime/p2p/p2p.h"

int tti_check_send(const char *call, const tutti_comm *comm, const void *buf, size_t bytes, int dest,
                   int tag);
int tti_check_recv(const char *call, const tutti_comm *comm, const void *buf, size_t bytes, int source,
                   int tag);
/* What a receive or probe may ask for. */
int tti_check_wish(const char *call, const tutti_comm *comm, int source, int tag);
int tti_check_room(const char *call, const void *buf, size_t bytes);
int tti_check_output(const char *call, const void *output);

#endif
