/* SPDX-License-Identifier: BSD-3-Clause */
/* Peers: their cards, fetched and inserted into the address vector at first contact. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/clock.h"
#include "runtime/base/options.h"
#include "runtime/base/status.h"
#include "runtime/fabric/fabric_state.h"

#define CARD_KEY "tutti.card"
#define EAGER_NS 20000000
#define RETRY_NS 1000000

int tti_fabric_publish(tti_fabric *fabric)
{
    tti_card *card = &fabric->card;
    size_t bytes = sizeof card->address;
    const int result = fi_getname(&fabric->endpoint->fid, card->address, &bytes);
    if (result != 0 || bytes > sizeof card->address)
        return tti_fail(TUTTI_ERR_FABRIC, "provider %s does not tell its address: %s", card->provider,
                        fabric->library->strerror(-result));
    card->address_bytes = (uint16_t)bytes;
    size_t room = sizeof fabric->texts[2];
    fi_av_straddr(fabric->addresses, card->address, fabric->texts[2], &room);
    uint8_t wire[TTI_CARD_MAX];
    const int length = tti_card_write(card, wire, sizeof wire);
    return length < 0 ? length : tti_pmi_put(CARD_KEY, wire, (size_t)length);
}

static bool keep(tti_fabric *fabric, tti_fabric_contact *contact)
{
    if (fabric->contact_count == fabric->contact_room) {
        const int room = fabric->contact_room > 0 ? 2 * fabric->contact_room : 16;
        tti_fabric_contact **more = realloc(fabric->contacts, (size_t)room * sizeof *more);
        if (more == NULL) return false;
        fabric->contacts = more;
        fabric->contact_room = room;
    }
    fabric->contacts[fabric->contact_count++] = contact;
    fabric->contact_of[contact->rank] = (uint32_t)fabric->contact_count;
    return true;
}

tti_fabric_contact *tti_fabric_know(tti_fabric *fabric, int rank)
{
    tti_fabric_contact *contact = tti_fabric_find(fabric, rank);
    if (contact != NULL) return contact;
    contact = calloc(1, sizeof *contact);
    if (contact != NULL) {
        contact->rank = rank;
        contact->address = FI_ADDR_NOTAVAIL;
        contact->presence_fd = -1;
        if (keep(fabric, contact)) return contact;
    }
    free(contact);
    tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for the address of rank %d", rank);
    return NULL;
}

static bool share_network(const tti_card *mine, const tti_card *theirs)
{
    for (int i = 0; i < theirs->candidates.count; i++) {
        if (tti_interface_same_subnet(&mine->candidates.at[0], &theirs->candidates.at[i])) return true;
    }
    return mine->candidates.count == 0;
}

/* A user who names the interface knows routes that subnets do not show. */
static int check_card(const tti_fabric *fabric, const tti_card *card, int rank)
{
    if (strcmp(card->provider, fabric->card.provider) != 0 ||
        card->address_format != fabric->card.address_format)
        return tti_fail(
            TUTTI_ERR_FABRIC,
            "rank %d on %s uses provider %s, rank %d on %s uses %s: set TUTTI_PROVIDER to one that both "
            "hosts have",
            rank, card->host, card->provider, fabric->job->rank, fabric->card.host, fabric->card.provider);
    if (tti_option_text(TTI_OPTION_INTERFACE)[0] != '\0' || share_network(&fabric->card, card)) return 0;
    char mine[256], theirs[256];
    tti_interface_print_list(&fabric->card.candidates, mine, sizeof mine);
    tti_interface_print_list(&card->candidates, theirs, sizeof theirs);
    return tti_fail(
        TUTTI_ERR_FABRIC,
        "rank %d on %s and rank %d on %s share no subnet: %s has %s; %s has %s; set TUTTI_INTERFACE if "
        "one is routed to the other",
        fabric->job->rank, fabric->card.host, rank, card->host, fabric->card.host, mine, card->host, theirs);
}

static void watch_heart(tti_fabric *fabric, int rank, const tti_card *card)
{
    if (fabric->heart != NULL && rank != fabric->job->rank)
        tti_heart_watch(fabric->heart, rank, card->host, card->token,
                        (const struct sockaddr *)(const void *)card->address, card->address_bytes);
}

static int insert(tti_fabric *fabric, tti_fabric_contact *contact, const tti_card *card)
{
    contact->host = strdup(card->host);
    if (contact->host == NULL)
        return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for the address of rank %d", contact->rank);
    contact->packet_max = card->packet_max;
    contact->token = card->token;
    contact->tag_mask = card->tag_mask;
    const int inserted = fi_av_insert(fabric->addresses, card->address, 1, &contact->address, 0, NULL);
    if (inserted == 1) {
        watch_heart(fabric, contact->rank, card);
        return 0;
    }
    contact->address = FI_ADDR_NOTAVAIL;
    free(contact->host);
    contact->host = NULL;
    return tti_fail(TUTTI_ERR_FABRIC, "provider %s does not take the address of rank %d on %s (%s)",
                    fabric->card.provider, contact->rank, card->host,
                    inserted < 0 ? fabric->library->strerror(-inserted) : "its address table is full");
}

static int take_card(tti_fabric *fabric, tti_fabric_contact *contact, const uint8_t *wire, size_t bytes)
{
    tti_card *card = malloc(sizeof *card);
    if (card == NULL)
        return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for the card of rank %d", contact->rank);
    int code = tti_card_read(card, wire, bytes, fabric->card.tutti, contact->rank);
    if (code == 0) code = tti_alike_check(&card->options, contact->rank, fabric->job->rank);
    if (code == 0) code = check_card(fabric, card, contact->rank);
    if (code == 0) code = insert(fabric, contact, card);
    free(card);
    return code;
}

/* Under the library's lock, which others need: nobody waits here for a rank that is slow to start. 0, 1 (not
 * yet), or an error. `question` is one of the contact's two. */
static int fetch(tti_fabric *fabric, tti_fabric_contact *contact, tti_pmi_question **question)
{
    uint8_t wire[TTI_CARD_MAX];
    size_t bytes = sizeof wire;
    int code = *question != NULL ? 0
                                 : tti_pmi_ask(contact->rank, CARD_KEY,
                                               tti_option_value(TTI_OPTION_CONNECT_TIMEOUT), question);
    if (code == 0) code = tti_pmi_answer(*question, wire, &bytes);
    if (code == TTI_PMI_NOT_YET) return 1;
    *question = NULL;
    return code < 0 ? code : take_card(fabric, contact, wire, bytes);
}

/* Where the connection is refused, each try is a new one: not more than one in RETRY_NS, once the first ones
 * failed. */
static bool too_soon(tti_fabric_contact *contact)
{
    if (contact->waiting_ns == 0) return false;
    const int64_t now = tti_clock_ns();
    if (now - contact->waiting_ns < EAGER_NS) return false;
    if (now - contact->tried_ns < RETRY_NS) return true;
    contact->tried_ns = now;
    return false;
}

int tti_fabric_locate(tti_fabric *fabric, int rank, tti_fabric_contact **found)
{
    tti_fabric_contact *contact = tti_fabric_know(fabric, rank);
    if (contact == NULL) return TUTTI_ERR_NO_MEMORY;
    if (contact->dead)
        return tti_fail(TUTTI_ERR_PEER_FAILED, "rank %d on %s is gone", rank,
                        contact->host != NULL ? contact->host : "its host");
    *found = contact;
    if (too_soon(contact)) return 1;
    return contact->address != FI_ADDR_NOTAVAIL ? 0 : fetch(fabric, contact, &contact->question);
}

/* The time in which a card has to come is that of those who need the rank, from when they do: the watch,
 * which asks for all, and for those that are late again, has a question of its own. */
int tti_fabric_look_for(tti_fabric *fabric, int rank)
{
    tti_fabric_contact *contact = tti_fabric_know(fabric, rank);
    if (contact == NULL) return 0;
    const int code = fetch(fabric, contact, &contact->watch_question);
    if (code == 1 || code == TUTTI_ERR_TIMEOUT) return 1;
    contact->unfit = code < 0;
    return 0;
}

bool tti_fabric_has_come(const tti_fabric *fabric, int rank)
{
    const tti_fabric_contact *contact = tti_fabric_find(fabric, rank);
    return contact != NULL && (contact->address != FI_ADDR_NOTAVAIL || contact->met);
}

void tti_fabric_forget_peers(tti_fabric *fabric)
{
    for (int i = 0; i < fabric->contact_count; i++) {
        tti_pmi_forget(fabric->contacts[i]->question);
        tti_pmi_forget(fabric->contacts[i]->watch_question);
        tti_fabric_order_forget(&fabric->contacts[i]->arriving);
        tti_fabric_end_presence(fabric->contacts[i]);
        free(fabric->contacts[i]->bounce);
        free(fabric->contacts[i]->host);
        free(fabric->contacts[i]);
    }
    free(fabric->contacts);
    free(fabric->contact_of);
}
