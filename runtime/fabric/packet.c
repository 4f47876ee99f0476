/* SPDX-License-Identifier: BSD-3-Clause */
/* Packets, small messages in order: their buffers, and how they leave to a contact. They leave through bounce
 * buffers, each with a completion of its own, and not by fi_inject: net and rxm lose an injected message
 * without a word when its connection breaks, and nobody can tell when it has left the process. The body of a
 * long one may stay where it is: then only the heads are in the bounce buffer. Arrivals come into a fixed set
 * of posted buffers. All are of one slab, which is registered once, but for those of single contacts. A
 * receiver that does not poll holds its senders back through the provider's flow control. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/base/address_space.h"
#include "runtime/base/hot.h"
#include "runtime/base/pages.h"
#include "runtime/base/status.h"
#include "runtime/fabric/fabric_state.h"

/* So many buffers for arrivals as have this room together: they are filled in turn, and what a message is
 * copied from is in the core's cache still if they all fit. Of long ones, which only packets that are sent
 * in place fill, it is the least number. They have their pages from the beginning: all are soon used, and a
 * fault for each page at first took a tenth of the first calls over hosts. */
#define ARRIVALS_BYTES ((size_t)1 << 20)
#define ARRIVALS_LEAST 4
#define ARRIVALS_MOST 64
#define BOUNCES 256
/* So that one that does not poll does not block the way to the others. Where several do not, a peer has a
 * buffer of its own. */
#define BOUNCES_A_PEER 64

static int count_arrivals(const tti_fabric *fabric)
{
    const size_t count = ARRIVALS_BYTES / fabric->arrival_bytes;
    if (count > ARRIVALS_MOST) return ARRIVALS_MOST;
    return count < ARRIVALS_LEAST ? ARRIVALS_LEAST : (int)count;
}

static int fill_slab(tti_fabric *fabric, int arrivals)
{
    uint8_t *at = fabric->slab;
    for (int i = 0; i < arrivals + BOUNCES; i++) {
        const bool arrival = i < arrivals;
        tti_fabric_record *record =
            tti_fabric_take_record(fabric, arrival ? TTI_RECORD_ARRIVAL : TTI_RECORD_PACKET, -1, NULL);
        if (record == NULL) return TUTTI_ERR_NO_MEMORY;
        record->buffer = at;
        record->room = arrival ? fabric->arrival_bytes : fabric->bounce_bytes;
        record->rest.descriptor = fabric->slab_descriptor;
        at += record->room;
        tti_list_remove(&record->link);
        tti_list_append(arrival ? &fabric->arrivals_unposted : &fabric->bounces, &record->link);
    }
    return 0;
}

int tti_fabric_open_packets(tti_fabric *fabric)
{
    fabric->bounce_bytes = fabric->limits.packet_max + sizeof(tti_fabric_head);
    fabric->arrival_bytes = fabric->limits.in_place_max + sizeof(tti_fabric_head);
    const int arrivals = count_arrivals(fabric);
    fabric->slab_bytes = (size_t)arrivals * fabric->arrival_bytes + BOUNCES * fabric->bounce_bytes;
    void *slab = mmap(NULL, fabric->slab_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (slab == MAP_FAILED) return tti_fail_mapping(errno, "the fabric's packet buffers", fabric->slab_bytes);
    fabric->slab = slab;
    tti_pages_ready(slab, (size_t)arrivals * fabric->arrival_bytes);
    const int code = tti_fabric_registry_local(fabric->registry, slab, fabric->slab_bytes, TTI_FABRIC_TARGET,
                                               &fabric->slab_registration, &fabric->slab_descriptor);
    if (code < 0) return code;
    return fill_slab(fabric, arrivals);
}

void tti_fabric_close_packets(tti_fabric *fabric)
{
    if (fabric->slab != NULL) munmap(fabric->slab, fabric->slab_bytes);
}

void tti_fabric_packet_left(tti_fabric *fabric, tti_fabric_record *record, int code)
{
    tti_fabric_op *op = record->op;
    if (record->failed_ns != 0 && code != 0) code = TUTTI_ERR_PEER_FAILED;
    if (record->kind == TTI_RECORD_PACKET) tti_fabric_uncount_packet(fabric, record);
    if (record->failed_ns != 0) fabric->failing--;
    record->failed_ns = 0;
    record->kind = TTI_RECORD_PACKET;
    record->op = NULL;
    tti_list_remove(&record->link);
    if (!record->of_contact)
        tti_list_append(fabric->bounces.next, &record->link); /* in front: it is cached */
    if (op != NULL) op->done(op, code);
}

static void fill(uint8_t *to, const tti_fabric *fabric, const tti_fabric_contact *contact,
                 const tti_fabric_outgoing *packet, size_t copied)
{
    const uint32_t source = (uint32_t)fabric->job->rank | (uint32_t)packet->sign << TTI_SIGN_SHIFT;
    const tti_fabric_head own = {contact->token, source, contact->sent};
    memcpy(to, &own, sizeof own);
    if (packet->head_bytes > 0) memcpy(to + sizeof own, packet->head, packet->head_bytes);
    if (copied > 0) memcpy(to + sizeof own + packet->head_bytes, packet->body, copied);
}

static ssize_t post_packet(tti_fabric *fabric, fi_addr_t to, tti_fabric_record *record, size_t bytes,
                           const tti_fabric_outgoing *packet)
{
    if (packet->op == NULL)
        return fi_send(fabric->endpoint, record->buffer, bytes, record->rest.descriptor, to, record);
    const struct iovec parts[2] = {{record->buffer, bytes},
                                   {(void *)(uintptr_t)packet->body, packet->body_bytes}};
    void *descriptors[2] = {record->rest.descriptor, NULL};
    const struct fi_msg message = {
        .msg_iov = parts, .desc = descriptors, .iov_count = 2, .addr = to, .context = record};
    return fi_sendmsg(fabric->endpoint, &message, FI_COMPLETION);
}

static ssize_t send_bounced(tti_fabric *fabric, tti_fabric_contact *contact, tti_fabric_record *record,
                            const tti_fabric_outgoing *packet)
{
    const size_t copied = packet->op == NULL ? packet->body_bytes : 0;
    fill(record->buffer, fabric, contact, packet, copied);
    record->rank = contact->rank;
    tti_fabric_enter(fabric->watch);
    const ssize_t result = post_packet(fabric, contact->address, record,
                                       sizeof(tti_fabric_head) + packet->head_bytes + copied, packet);
    tti_fabric_leave(fabric->watch);
    if (result != 0) return result;
    tti_list_remove(&record->link);
    tti_list_append(&fabric->active, &record->link);
    fabric->packets_under_way++;
    record->number = ++fabric->packets;
    contact->under_way++;
    contact->sent += packet->sign == TTI_SIGN_NONE;
    record->op = packet->op;
    if (packet->op != NULL) packet->op->reserved[0] = (uintptr_t)record;
    return 0;
}

static tti_fabric_record *make_bounce(tti_fabric *fabric)
{
    tti_fabric_record *made = calloc(1, sizeof *made + fabric->bounce_bytes);
    if (made == NULL) return NULL;
    tti_list_init(&made->link);
    made->kind = TTI_RECORD_PACKET;
    made->of_contact = true;
    made->buffer = (uint8_t *)(made + 1);
    made->room = fabric->bounce_bytes;
    if (tti_fabric_registry_local(fabric->registry, made->buffer, made->room, TTI_FABRIC_SOURCE, &made->local,
                                  &made->rest.descriptor) == 0)
        return made;
    free(made);
    return NULL;
}

/* Where peers that do not poll have all others: they may wait, by loads of a window's memory, for what
 * follows from a packet to this contact alone. NULL: it is under way, or there is no memory for it. */
static TTI_APART tti_fabric_record *take_own(tti_fabric *fabric, tti_fabric_contact *contact)
{
    if (contact->bounce == NULL) contact->bounce = make_bounce(fabric);
    return contact->bounce != NULL && tti_list_empty(&contact->bounce->link) ? contact->bounce : NULL;
}

static tti_fabric_record *take_bounce(tti_fabric *fabric, tti_fabric_contact *contact)
{
    if (__builtin_expect(tti_list_empty(&fabric->bounces), 0)) return take_own(fabric, contact);
    return TTI_OWNER(fabric->bounces.next, tti_fabric_record, link);
}

int tti_fabric_send_to(tti_fabric *fabric, tti_fabric_contact *contact, const tti_fabric_outgoing *packet)
{
    const size_t bytes = packet->head_bytes + packet->body_bytes;
    const size_t most = packet->op == NULL ? fabric->limits.packet_max : fabric->limits.in_place_max;
    if (bytes > most || bytes > contact->packet_max)
        return tti_fail(TUTTI_ERR_LIMIT, "a packet of %zu bytes to rank %d is over the limit of %zu", bytes,
                        contact->rank, most);
    if (contact->under_way >= BOUNCES_A_PEER) return 1;
    tti_fabric_record *record = take_bounce(fabric, contact);
    if (record == NULL) return 1;
    const ssize_t result = send_bounced(fabric, contact, record, packet);
    return tti_fabric_settle(fabric, contact, result, packet->op == NULL ? "fi_send" : "fi_sendmsg");
}

bool tti_fabric_is_clear(const tti_fabric *fabric, int rank)
{
    const tti_fabric_contact *contact = tti_fabric_find(fabric, rank);
    return contact != NULL && contact->under_way == 0;
}

uint64_t tti_fabric_packets(const tti_fabric *fabric)
{
    return fabric->packets;
}

/* What is active is in the order in which it was handed over. */
bool tti_fabric_idle(const tti_fabric *fabric, uint64_t packets)
{
    if (fabric->packets_under_way == 0) return true;
    for (tti_link *at = fabric->active.next; at != &fabric->active; at = at->next) {
        const tti_fabric_record *record = TTI_OWNER(at, tti_fabric_record, link);
        if (record->kind == TTI_RECORD_PACKET) return record->number > packets;
    }
    return true;
}
