/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/fabric/agreement.h"

#include <stdio.h>
#include <stdlib.h>

#include "runtime/base/options.h"
#include "runtime/base/status.h"

#define CANDIDATES_KEY "tutti.candidates"

/* With full modex every card goes to every node in one fence: worth it where a rank will meet most others,
 * and the cards (about 150 bytes each) are no burden. */
#define FULL_LEAST 33
#define FULL_MOST 4096
enum { MODEX_AUTO, MODEX_DIRECT, MODEX_FULL };

bool tti_fabric_full_modex(const tti_job *job)
{
    const int64_t way = tti_option_value(TTI_OPTION_MODEX);
    const int world = tti_job_world(job);
    if (job->rank >= world) return false; /* it comes later than the others, to no fence */
    if (world == 1 || way != MODEX_AUTO) return world > 1 && way == MODEX_FULL;
    return (job->needs_fence && job->nodes > 1) || (world >= FULL_LEAST && world <= FULL_MOST);
}

static int publish(const tti_card *card)
{
    uint8_t wire[TTI_CARD_MAX];
    const int length = tti_card_write(card, wire, sizeof wire);
    return length < 0 ? length : tti_pmi_put(CANDIDATES_KEY, wire, (size_t)length);
}

/* The first rank of each node. */
static int find_firsts(const tti_job *job, int *firsts)
{
    int found = 0;
    for (int i = 0; i < job->nodes; i++)
        firsts[i] = -1;
    for (int rank = 0; rank < job->size && found < job->nodes; rank++) {
        const int node = tti_pmi_node_of(rank);
        if (node < 0) return node;
        if (firsts[node] >= 0) continue;
        firsts[node] = rank;
        found++;
    }
    return 0;
}

static int fetch(int rank, const char *tutti, tti_card *card)
{
    uint8_t wire[TTI_CARD_MAX];
    size_t bytes = sizeof wire;
    const int code =
        tti_pmi_get(rank, CANDIDATES_KEY, wire, &bytes, tti_option_value(TTI_OPTION_CONNECT_TIMEOUT));
    return code < 0 ? code : tti_card_read(card, wire, bytes, tutti, rank);
}

static int no_common(const tti_card *cards, int count)
{
    char text[700];
    size_t used = 0;
    for (int i = 0; i < count && used < sizeof text; i++) {
        char list[256];
        tti_interface_print_list(&cards[i].candidates, list, sizeof list);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s has %s", i > 0 ? "; " : "",
                                 cards[i].host, list);
    }
    return tti_fail(
        TUTTI_ERR_FABRIC,
        "the hosts of this job have no subnet in common: %s; set TUTTI_INTERFACE if they are routed to "
        "each other",
        text);
}

static void put_first(tti_interface_list *list, int index)
{
    const tti_interface chosen = list->at[index];
    for (int i = index; i > 0; i--)
        list->at[i] = list->at[i - 1];
    list->at[0] = chosen;
}

static int ask(const tti_job *job, tti_card *card, int *firsts, tti_card *cards,
               const tti_interface_list **lists)
{
    int code = find_firsts(job, firsts);
    for (int i = 0; i < job->nodes && code == 0; i++) {
        code = fetch(firsts[i], card->tutti, &cards[i]);
        if (code == 0) code = tti_alike_check(&cards[i].options, firsts[i], job->rank);
        lists[i] = &cards[i].candidates;
    }
    if (code < 0) return code;
    const int index = tti_interface_common(&card->candidates, lists, job->nodes);
    if (index < 0) return no_common(cards, job->nodes);
    put_first(&card->candidates, index);
    return 0;
}

/* Fences whether this host has candidates or not: others may. */
static int exchange(const tti_job *job, const tti_card *card)
{
    int code = 0;
    if (job->local_index == 0 && card->candidates.count > 0) code = publish(card);
    if (code == 0 && tti_fabric_full_modex(job)) code = tti_pmi_fence(true);
    return code;
}

static int compare(const tti_job *job, tti_card *card)
{
    int *firsts = calloc((size_t)job->nodes, sizeof *firsts);
    tti_card *cards = calloc((size_t)job->nodes, sizeof *cards);
    const tti_interface_list **lists = calloc((size_t)job->nodes, sizeof *lists);
    const int code =
        firsts != NULL && cards != NULL && lists != NULL
            ? ask(job, card, firsts, cards, lists)
            : tti_fail(TUTTI_ERR_NO_MEMORY, "no memory to compare the networks of %d nodes", job->nodes);
    free(firsts);
    free(cards);
    free(lists);
    return code;
}

int tti_fabric_agree(const tti_job *job, tti_card *card)
{
    if (job->nodes <= 1) return 0;
    const int code = exchange(job, card);
    return code < 0 || card->candidates.count <= 1 ? code : compare(job, card);
}
