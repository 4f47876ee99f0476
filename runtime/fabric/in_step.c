/* SPDX-License-Identifier: BSD-3-Clause */
/* Over TCP a packet counts as sent when the kernel has it. If the connection breaks before the peer has read
 * it, and nothing else is sent, libfabric tells neither end: one waits for the packet, the other for an
 * answer. The next packet, for which libfabric connects anew, shows the gap in the numbers. */
#include "runtime/base/clock.h"
#include "runtime/base/descriptor_room.h"
#include "runtime/base/log.h"
#include "runtime/fabric/fabric_state.h"

/* Between looks; about a second (rough ns). */
#define LOOK_NS TTI_NS_PER_SECOND
/* After 1, 2, 4 … looks at a quiet peer, then once in so many: also what shows the gap may get lost. */
#define SELDOM 64

static bool is_due(tti_fabric_contact *contact)
{
    if (contact->dead || contact->sent == 0 || contact->under_way > 0) return false;
    if (contact->sent != contact->sent_seen) {
        contact->sent_seen = contact->sent;
        contact->quiet_looks = 0;
        return false;
    }
    const uint32_t looks = ++contact->quiet_looks;
    return looks < SELDOM ? (looks & (looks - 1)) == 0 : looks % SELDOM == 0;
}

/* Who connects is answered by the kernel, and then waits for an accept() that fails: libfabric tells neither
 * end. */
static void tell_if_short(tti_fabric *fabric)
{
    const bool is_short = !tti_descriptors_left(1);
    if (is_short && !fabric->short_told)
        tti_log(TTI_LOG_ERROR, "no descriptor is left: ranks that have yet to connect to this one wait until "
                               "there is; raise the limit of this process (ulimit -n)");
    fabric->short_told = is_short;
}

void tti_fabric_prove_step(tti_fabric *fabric)
{
    const int64_t now = tti_clock_rough();
    if (now < fabric->quiet_ns) return;
    fabric->quiet_ns = now + LOOK_NS;
    if (!tti_fabric_connects(fabric)) return;
    tell_if_short(fabric);
    for (int i = 0; i < fabric->contact_count; i++) {
        tti_fabric_contact *contact = fabric->contacts[i];
        if (!is_due(contact)) continue;
        const int sent = tti_fabric_send(fabric, contact->rank, NULL, 0, NULL, 0);
        if (sent == 1) contact->quiet_looks--; /* no room, or no connection yet: at the next look */
        contact->sent_seen = contact->sent;
    }
}
