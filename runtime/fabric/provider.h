/* SPDX-License-Identifier: BSD-3-Clause */
/* Which provider: the table of preferences, and fi_getinfo from widest to narrowest hints. */
#ifndef TTI_FABRIC_PROVIDER_H
#define TTI_FABRIC_PROVIDER_H

#include <stdbool.h>

#include "runtime/fabric/fabric_library.h"
#include "runtime/fabric/interface.h"

/* What the job asks of a provider. */
typedef struct {
    const char *provider;  /* TUTTI_PROVIDER, or "" */
    const char *interface; /* TUTTI_INTERFACE, or "" */
    bool single_node;
    const tti_interface_list *interfaces; /* of this host */
} tti_fabric_wishes;

/* What providers do not tell of themselves. */
enum {
    /* A fault, shown by a program in tests/fabric-faults: its wait descriptor stays readable from the first
     * completion on. Sleep on the descriptors behind it. */
    TTI_FABRIC_WAIT_STUCK = 1,
    /* It sends a message as it is, however long, without a protocol and buffers of its own: packets may be
       long, and are worth sending from where they lie. */
    TTI_FABRIC_LONG_PACKETS = 2,
    /* A fault, shown by a program in tests/fabric-faults: its locks between processes die with their holder.
     */
    TTI_FABRIC_ORPHAN_LOCKS = 4,
    /* Its address is a TCP port at which its process listens. */
    TTI_FABRIC_TCP_PORT = 8
};

/* A provider that fits, with the entries (domains, addresses) of it that may be used, best first. */
typedef struct {
    struct fi_info *entries;       /* fi_freeinfo() by the caller */
    tti_interface_list candidates; /* empty where the provider does not speak IP */
    unsigned quirks;               /* the flags above */
    char why[160];
} tti_fabric_choice;

/* TUTTI_ERR_FABRIC or TUTTI_ERR_OPTION, with what there is instead. */
int tti_fabric_choose(const tti_fabric_library *library, const tti_fabric_wishes *wishes,
                      tti_fabric_choice *choice);
/* The entry whose own address is that of `interface`; NULL if none. */
const struct fi_info *tti_fabric_entry_of(const struct fi_info *entries, const tti_interface *interface);

#endif
