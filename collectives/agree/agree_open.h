/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TTI_AGREE_OPEN_H
#define TTI_AGREE_OPEN_H

/* At init, after p2p is open; at closing, when the communicators are gone. */
void tti_agree_open_all(void);
void tti_agree_close_all(void);

#endif
