/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TTI_AGREE_COMM_REVOKE_H
#define TTI_AGREE_COMM_REVOKE_H

/* Revokes by other ranks are heard from now on. Under the lock. */
void tti_comm_revoke_open(void);

#endif
