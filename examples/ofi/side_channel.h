/* SPDX-License-Identifier: BSD-3-Clause */
/* A plain TCP connection between the two sides of pingpong_rdm.c, apart from libfabric: over it they tell
 * each other their addresses. Nothing waits longer than the limit of the arguments. Functions return -1 with
 * a message on stderr if they fail. */
#ifndef EXAMPLES_OFI_SIDE_CHANNEL_H
#define EXAMPLES_OFI_SIDE_CHANNEL_H

#include "pingpong.h"

/* The socket of the connection: the client's to arguments->server, or the first that comes to this server. */
int open_side_channel(const struct arguments *arguments);
/* The address of this end, as text: the way to the other side leads out here. */
int tell_own_host(int channel, char *host, size_t room);
/* Sends `bytes` of `mine`, and waits for as many of `theirs`. 0, or -1. */
int swap(int channel, const void *mine, void *theirs, size_t bytes);
/* Says that this side has got all that it waits for. */
int say_goodbye(int channel);
/* 1 if the other side has said so, 0 if not yet; does not wait. */
int heard_goodbye(int channel);

#endif
