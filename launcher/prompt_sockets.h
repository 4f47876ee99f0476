/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TTI_LAUNCHER_PROMPT_SOCKETS_H
#define TTI_LAUNCHER_PROMPT_SOCKETS_H

/* Connections that this process accepts from now on send each message at once, also while the one before it
 * is not acknowledged: on all TCP sockets that it listens on and would not hand on to another program. The
 * word of a death and the answer to who restores follow each other so; the second one would wait for 40 ms
 * for the first to be acknowledged. PMIx does not ask for it, but what it accepts has the setting of the
 * socket that listens. */
void tti_make_sockets_prompt(void);

#endif
