/* SPDX-License-Identifier: BSD-3-Clause */
/* A secret that both ends of a stream were given, and the proof of knowing it without saying it.
 *
 *   caller                              listener
 *   HELLO, its nonce           ──────→
 *                              ←──────  HELLO, its nonce
 *   PROOF of the caller        ──────→  is it right? else DENIAL
 *   is it right?               ←──────  PROOF of the listener
 *
 * A proof is HMAC-SHA256, by the secret, of who proves and of both hellos. Each side has put random bytes
 * into its own, so that no proof serves a second time, and neither side can be given back its own. The caller
 * proves first: a listener, which anybody may knock at, shows nothing that a stranger could try guesses on.
 */
#ifndef TTI_STREAMS_SECRET_H
#define TTI_STREAMS_SECRET_H

#include "streams/frame.h"

#define TTI_SECRET_LEAST 16
#define TTI_SECRET_MOST 4096

enum tti_prover { TTI_PROVER_CALLER, TTI_PROVER_LISTENER };

typedef struct tti_secret tti_secret; /* in memory that is neither swapped nor dumped, as far as possible */

/* What both sides have said on connecting, to the byte. */
typedef struct {
    uint8_t caller[TTI_HELLO_BYTES], listener[TTI_HELLO_BYTES];
} tti_greetings;

/* A copy of `count` bytes. TUTTI_ERR_ARG too few or too many; TUTTI_ERR_NO_MEMORY. */
int tti_secret_copy(tti_secret **secret, const void *bytes, size_t count);
/* What a file has, without the line's end if it is the last: TUTTI_ERR_ARG; TUTTI_ERR_DENIED it is not the
 * user's alone; TUTTI_ERR_SYSTEM it cannot be read; TUTTI_ERR_NO_MEMORY. */
int tti_secret_read(tti_secret **secret, const char *path);
/* Wiped; NULL is none. */
void tti_secret_free(tti_secret *secret);

void tti_secret_prove(const tti_secret *secret, enum tti_prover prover, const tti_greetings *greetings,
                      uint8_t proof[TTI_PROOF_BYTES]);
/* Takes as long for a proof that is nearly right as for any other. */
bool tti_secret_is_proved(const tti_secret *secret, enum tti_prover prover, const tti_greetings *greetings,
                          const uint8_t proof[TTI_PROOF_BYTES]);

#endif
