/* SPDX-License-Identifier: BSD-3-Clause */
/* Packets to ranks: a rank is reached, and what goes to it leaves. */
#include "runtime/base/status.h"
#include "runtime/fabric/fabric_state.h"

static int send_packet(tti_fabric *fabric, int rank, const tti_fabric_outgoing *packet)
{
    tti_fabric_contact *contact;
    const int code = tti_fabric_reach(fabric, rank, &contact);
    return code != 0 ? code : tti_fabric_send_to(fabric, contact, packet);
}

int tti_fabric_send(tti_fabric *fabric, int rank, const void *head, size_t head_bytes, const void *body,
                    size_t body_bytes)
{
    const tti_fabric_outgoing packet = {head, body, head_bytes, body_bytes, NULL, TTI_SIGN_NONE};
    return send_packet(fabric, rank, &packet);
}

int tti_fabric_send_in_place(tti_fabric *fabric, int rank, const void *head, size_t head_bytes,
                             const void *body, size_t body_bytes, tti_fabric_op *op)
{
    const tti_fabric_outgoing packet = {head, body, head_bytes, body_bytes, op, TTI_SIGN_NONE};
    op->rank = rank;
    return send_packet(fabric, rank, &packet);
}

int tti_fabric_send_last(tti_fabric *fabric, int rank, const void *packet, size_t bytes)
{
    tti_fabric_contact *contact = tti_fabric_know(fabric, rank);
    if (contact == NULL) return TUTTI_ERR_NO_MEMORY;
    tti_fabric_part(fabric, rank);
    contact->dead = false;
    const int sent = tti_fabric_send(fabric, rank, packet, bytes, NULL, 0);
    contact->dead = true;
    return sent;
}
