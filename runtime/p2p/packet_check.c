/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/p2p/packet_check.h"

#include "runtime/base/status.h"
#include "runtime/p2p/p2p.h"

#define ANY_PEER (TTI_WAY_NODE | TTI_WAY_FABRIC)
#define ANY_WAY (TTI_WAY_SELF | ANY_PEER)
#define EXACTLY(type) sizeof(type), sizeof(type)
#define AT_LEAST(type) sizeof(type), SIZE_MAX

/* So many bytes of a process, from that address on. */
static bool can_be_memory(uint64_t address, uint64_t bytes)
{
    return bytes <= PTRDIFF_MAX && address <= UINT64_MAX - bytes;
}

/* EAGER_SYNC, WITHDRAW, CANCEL, FIRST. */
static bool sync_is_sound(const void *packet)
{
    return ((const tti_packet_sync *)packet)->send_id != 0;
}

static bool rts_is_sound(const void *packet)
{
    const tti_packet_rts *rts = packet;
    return rts->send_id != 0 && can_be_memory(rts->address, rts->bytes) && rts->first <= rts->bytes;
}

static bool cts_is_sound(const void *packet)
{
    const tti_packet_cts *cts = packet;
    return cts->send_id != 0 && cts->recv_id != 0 && can_be_memory(cts->from, cts->bytes) &&
           cts->posted <= cts->bytes;
}

static bool data_is_sound(const void *packet)
{
    return ((const tti_packet_data *)packet)->recv_id != 0;
}

static bool fin_is_sound(const void *packet)
{
    const tti_packet_fin *fin = packet;
    return fin->send_id != 0 && tti_status_is_known(fin->error);
}

static bool stop_is_sound(const void *packet)
{
    const tti_packet_stop *stop = packet;
    return stop->recv_id != 0 && stop->error != 0 && tti_status_is_known(stop->error);
}

static bool am_is_sound(const void *packet)
{
    return ((const tti_packet_head *)packet)->tag < TTI_AM_KINDS;
}

static bool help_is_sound(const void *packet)
{
    const tti_packet_help *help = packet;
    return help->send_id != 0 && help->bytes > 0 && can_be_memory(help->address, help->bytes);
}

const tti_packet_rule tti_packet_rules[TTI_PACKET_KINDS] = {
    [TTI_PACKET_EAGER] = {AT_LEAST(tti_packet_head), ANY_PEER, NULL},
    [TTI_PACKET_EAGER_SYNC] = {AT_LEAST(tti_packet_sync), ANY_PEER, sync_is_sound},
    [TTI_PACKET_RTS] = {EXACTLY(tti_packet_rts), ANY_PEER, rts_is_sound},
    [TTI_PACKET_CTS] = {EXACTLY(tti_packet_cts), ANY_PEER, cts_is_sound},
    [TTI_PACKET_DATA] = {AT_LEAST(tti_packet_data), TTI_WAY_NODE, data_is_sound},
    [TTI_PACKET_FIN] = {EXACTLY(tti_packet_fin), ANY_PEER, fin_is_sound},
    [TTI_PACKET_AM] = {sizeof(tti_packet_head), sizeof(tti_packet_head) + TTI_AM_MAX, ANY_WAY, am_is_sound},
    [TTI_PACKET_WITHDRAW] = {EXACTLY(tti_packet_sync), TTI_WAY_NODE, sync_is_sound},
    [TTI_PACKET_CANCEL] = {EXACTLY(tti_packet_sync), ANY_PEER, sync_is_sound},
    [TTI_PACKET_STOP] = {EXACTLY(tti_packet_stop), TTI_WAY_FABRIC, stop_is_sound},
    [TTI_PACKET_FIRST] = {AT_LEAST(tti_packet_sync), TTI_WAY_FABRIC, sync_is_sound},
    [TTI_PACKET_LOST] = {EXACTLY(tti_packet_head), ANY_PEER, NULL},
    [TTI_PACKET_HELP] = {EXACTLY(tti_packet_help), TTI_WAY_NODE, help_is_sound},
    [TTI_PACKET_LEFT] = {EXACTLY(tti_packet_head), ANY_PEER, NULL},
    [TTI_PACKET_GOODBYE] = {EXACTLY(tti_packet_head), ANY_PEER, NULL},
};
