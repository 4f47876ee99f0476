/* SPDX-License-Identifier: BSD-3-Clause */
/* What errors of libfabric mean, and the end of a peer. */
#include <errno.h>

#include "runtime/base/clock.h"
#include "runtime/base/descriptor_room.h"
#include "runtime/base/options.h"
#include "runtime/base/status.h"
#include "runtime/fabric/fabric_state.h"

/* How long libfabric may hold an operation whose peer is dead, or gives up as well, after being asked to
 * withdraw it. */
#define GRACE_NS (TTI_NS_PER_SECOND / 2)

bool tti_fabric_is_disconnect(int error)
{
    static const int codes[] = {FI_ECONNRESET, FI_ECONNREFUSED, FI_ECONNABORTED, FI_ENOTCONN,
                                FI_ESHUTDOWN,  FI_EHOSTUNREACH, FI_EHOSTDOWN,    FI_ENETUNREACH,
                                FI_ETIMEDOUT,  FI_EIO,          EPIPE,           ESRCH};
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        if (codes[i] == error) return true;
    }
    return false;
}

const char *tti_fabric_remedy(int error)
{
    if (tti_descriptors_short(error)) return tti_descriptors_remedy(error);
    const bool port = error == FI_EADDRINUSE || error == FI_EADDRNOTAVAIL;
    return port ? "; are this host's ports used up (net.ipv4.ip_local_port_range)?" : "";
}

static void end_refusals(tti_fabric_contact *contact)
{
    contact->waiting_ns = contact->asked_ns = 0;
    tti_fabric_end_presence(contact);
}

static int give_up_connecting(tti_fabric *fabric, tti_fabric_contact *contact, int64_t most)
{
    const int code = tti_fail(TUTTI_ERR_PEER_FAILED,
                              "rank %d on %s (%s) could not connect to rank %d on %s within %.1f s "
                              "(TUTTI_CONNECT_TIMEOUT), provider %s: is the way between them open?",
                              fabric->job->rank, fabric->card.host, fabric->limits.address, contact->rank,
                              contact->host, (double)most / 1e9, fabric->card.provider);
    tti_fabric_lose_peer(fabric, contact, code);
    return code;
}

/* Refused now. While something is under way to the peer it is slow, and may be as slow as it likes. Else,
 * over IP, there is no connection, not yet or not any more, and that has an end, unless it is there and only
 * makes no calls: halfway it is asked, and has the other half to answer, also where this rank does not look
 * for longer. Without connections (shared memory) the peer's queue may be full of packets that count as
 * sent. */
static int wait_for_connection(tti_fabric *fabric, tti_fabric_contact *contact)
{
    if (contact->under_way > 0 || (contact->connected && !tti_fabric_connects(fabric))) {
        end_refusals(contact);
        return 1;
    }
    const int64_t now = tti_clock_ns();
    const int64_t most = tti_option_value(TTI_OPTION_CONNECT_TIMEOUT);
    if (contact->waiting_ns == 0) contact->waiting_ns = now;
    if (now - contact->waiting_ns < most / 2) return 1;
    if (contact->asked_ns == 0) {
        contact->asked_ns = now;
        tti_fabric_ask_presence(fabric, contact);
    }
    if (now - contact->asked_ns < most / 2) return 1;
    if (!tti_fabric_is_present(fabric, contact)) return give_up_connecting(fabric, contact, most);
    contact->waiting_ns = now;
    contact->asked_ns = 0;
    return 1;
}

int tti_fabric_settle(tti_fabric *fabric, tti_fabric_contact *contact, ssize_t result, const char *what)
{
    if (result == 0) {
        contact->connected = true;
        if (__builtin_expect(contact->waiting_ns != 0, 0)) end_refusals(contact);
        return 0;
    }
    if (result == -FI_EAGAIN) return wait_for_connection(fabric, contact);
    const int error = (int)-result;
    const bool own = tti_descriptors_short(error), gone = tti_fabric_is_disconnect(error) || own;
    const int code = tti_fail(own    ? TUTTI_ERR_LIMIT
                              : gone ? TUTTI_ERR_PEER_FAILED
                                     : TUTTI_ERR_FABRIC,
                              "rank %d on %s: %s to rank %d on %s over %s: %s%s", fabric->job->rank,
                              fabric->card.host, what, contact->rank, contact->host, fabric->card.provider,
                              fabric->library->strerror(error), tti_fabric_remedy(error));
    if (gone) tti_fabric_lose_peer(fabric, contact, code);
    return code;
}

/* The record stays with libfabric until that lets go, or for the grace. */
static void withdraw(tti_fabric *fabric, tti_fabric_record *record, int64_t now)
{
    if (record->failed_ns != 0) return;
    record->failed_ns = now;
    record->cancelled = true;
    fabric->failing++;
    if (record->kind == TTI_RECORD_RECV) fi_cancel(&fabric->endpoint->fid, record);
}

void tti_fabric_bulk_give_up(tti_fabric *fabric, tti_fabric_op *op)
{
    tti_fabric_record *record = (tti_fabric_record *)(uintptr_t)op->reserved[0];
    if (record->op == op) withdraw(fabric, record, tti_clock_ns());
}

static void fail_operations(tti_fabric *fabric, int rank, bool packets)
{
    const int64_t now = tti_clock_ns();
    for (tti_link *at = fabric->active.next; at != &fabric->active; at = at->next) {
        tti_fabric_record *record = TTI_OWNER(at, tti_fabric_record, link);
        const bool has_end = record->kind != TTI_RECORD_PACKET || record->op != NULL;
        if (record->rank == rank && (packets || has_end)) withdraw(fabric, record, now);
    }
}

/* False if it was dead already. */
static bool bury(tti_fabric *fabric, tti_fabric_contact *contact, bool packets)
{
    if (contact->dead) return false;
    contact->dead = true;
    tti_fabric_end_presence(contact);
    tti_fabric_order_forget(&contact->arriving);
    if (fabric->heart != NULL) tti_heart_drop(fabric->heart, contact->rank);
    fail_operations(fabric, contact->rank, packets);
    return true;
}

void tti_fabric_lose_peer(tti_fabric *fabric, tti_fabric_contact *contact, int code)
{
    if (!bury(fabric, contact, true)) return;
    fabric->failure(fabric->context, contact->rank, code);
}

void tti_fabric_part(tti_fabric *fabric, int rank)
{
    tti_fabric_contact *contact = tti_fabric_know(fabric, rank);
    if (contact != NULL) bury(fabric, contact, false);
}

void tti_fabric_peer_died(tti_fabric *fabric, int rank)
{
    tti_fabric_contact *contact = tti_fabric_know(fabric, rank);
    /* One that was parted with has been told by now, or will not be: packets to it are given up, too. */
    if (contact != NULL && !bury(fabric, contact, true)) fail_operations(fabric, rank, true);
}

/* Tells the caller; the record itself, and its buffer, stay libfabric's until it lets go or the fabric
 * closes. */
static int give_up(tti_fabric *fabric, tti_fabric_record *record)
{
    tti_fabric_op *op = record->op;
    if (record->kind == TTI_RECORD_PACKET) tti_fabric_uncount_packet(fabric, record);
    record->kind = record->kind == TTI_RECORD_PACKET ? TTI_RECORD_LOST_PACKET : record->kind;
    record->op = NULL;
    record->failed_ns = 0;
    fabric->failing--;
    if (op == NULL) return 0;
    op->done(op, TUTTI_ERR_PEER_FAILED);
    return 1;
}

int tti_fabric_reap(tti_fabric *fabric)
{
    const int64_t now = tti_clock_ns();
    int events = 0;
    tti_link *at = fabric->active.next;
    while (at != &fabric->active) {
        tti_fabric_record *record = TTI_OWNER(at, tti_fabric_record, link);
        at = at->next;
        if (record->failed_ns == 0 || now - record->failed_ns < GRACE_NS) continue;
        const int told = give_up(fabric, record);
        if (told > 0) at = fabric->active.next; /* the handler may have changed the list */
        events += told;
    }
    return events;
}
