/* SPDX-License-Identifier: BSD-3-Clause */
/* The address card that each rank publishes: how to reach it, who it is, what it can take. Pure; fuzzed.
 *
 * Layout, little-endian: "TTIC", format (2 bytes), Tutti version (1-byte length, text): so far for ever. Then
 * host and provider (as the version), address format (4), packet limit (4), address (2-byte length, bytes),
 * token (8), tag mask (8), number of candidates (1), each: family, prefix, address (4 or 16), speed (4),
 * name (1-byte length, text); then the options that must be alike (runtime/base/alike.h). */
#ifndef TTI_FABRIC_CARD_H
#define TTI_FABRIC_CARD_H

#include "runtime/base/alike.h"
#include "runtime/fabric/interface.h"

#define TTI_CARD_FORMAT 4
#define TTI_CARD_MAX 2048 /* bytes of the largest card */
#define TTI_CARD_ADDRESS_MAX 256

typedef struct {
    char tutti[24]; /* version of Tutti */
    char host[65];
    char provider[49];
    uint32_t address_format; /* FI_SOCKADDR_IN … */
    uint32_t packet_max;
    uint16_t address_bytes; /* 0: a card of candidates alone, before the interface is agreed on */
    uint8_t address[TTI_CARD_ADDRESS_MAX];
    uint64_t token, tag_mask; /* random; what is sent to this rank has to show that its sender knows them */
    tti_interface_list candidates;
    tti_alike options;
} tti_card;

/* Returns the bytes written, or TUTTI_ERR_LIMIT. */
int tti_card_write(const tti_card *card, uint8_t *buf, size_t room);

/* TUTTI_ERR_VERSION if the card is of another format or of another Tutti than `tutti` (naming both),
 * TUTTI_ERR_FABRIC if it is malformed. `rank` is for the text. */
int tti_card_read(tti_card *card, const uint8_t *buf, size_t bytes, const char *tutti, int rank);

#endif
