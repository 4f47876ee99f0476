/* SPDX-License-Identifier: BSD-3-Clause */
/* The library's one lock, taken by every public call that touches shared state; nothing at all below
 * TUTTI_THREAD_MULTIPLE. Not recursive: public functions do not call each other. */
#ifndef TTI_P2P_LOCK_H
#define TTI_P2P_LOCK_H

void tti_lock_open(int thread_level);
void tti_lock(void);
void tti_unlock(void);

/* 0 if Tutti is initialised, else TUTTI_ERR_STATE naming `call`. */
int tti_check_open(const char *call);

#endif
