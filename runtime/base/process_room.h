/* SPDX-License-Identifier: BSD-3-Clause */
/* The limits of how many processes and threads there may be, in words for errors: the kernel says EAGAIN and
 * no more. */
#ifndef TTI_BASE_PROCESS_ROOM_H
#define TTI_BASE_PROCESS_ROOM_H

#define TTI_PROCESS_ROOM 200

/* Which limit it is, how much, and what to do. */
void tti_process_room_describe(char text[TTI_PROCESS_ROOM]);

/* TUTTI_ERR_SYSTEM because there is "no thread to `purpose`": pthread_create() gave `error`. */
int tti_fail_thread(int error, const char *purpose);

#endif
