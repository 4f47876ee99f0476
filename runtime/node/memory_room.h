/* SPDX-License-Identifier: BSD-3-Clause */
/* How much memory can still be had, asked before it is touched. */
#ifndef TTI_NODE_MEMORY_ROOM_H
#define TTI_NODE_MEMORY_ROOM_H

#include <stdint.h>
#include <sys/types.h>

/* TUTTI_ERR_NO_MEMORY, saying what for, unless `need` bytes are to be had. */
int tti_node_check_room(const char *what, uint64_t need);
/* 0, or the error that the limit of files (RLIMIT_FSIZE) does not allow one of `bytes`: to try would be a
 * SIGXFSZ. */
int tti_node_check_file(const char *what, uint64_t bytes);
/* Gives a range of a memfd its pages now: later, a page that cannot be had would be a SIGBUS. Returns errno.
 */
int tti_node_take_pages(int fd, off_t from, off_t bytes);

#endif
