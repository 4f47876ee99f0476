/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/fabric/card.h"

#include "runtime/base/status.h"
#include "runtime/base/wire.h"

static const char magic[4] = {'T', 'T', 'I', 'C'};

static void put_text(tti_wire_out *out, const char *text, size_t room)
{
    const size_t length = strnlen(text, room - 1);
    tti_wire_put_uint(out, length, 1);
    tti_wire_put(out, text, length);
}

/* Control characters would reach a terminal through error texts. */
static void take_text(tti_wire_in *in, char *text, size_t room)
{
    const size_t length = tti_wire_take_uint(in, 1);
    const char *bytes = tti_wire_take(in, length);
    if (bytes == NULL || length >= room) {
        in->failed = true;
        text[0] = '\0';
        return;
    }
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] < ' ' || bytes[i] > '~') in->failed = true;
        text[i] = bytes[i];
    }
    text[length] = '\0';
}

static void put_interface(tti_wire_out *out, const tti_interface *one)
{
    tti_wire_put_uint(out, one->family, 1);
    tti_wire_put_uint(out, one->prefix, 1);
    tti_wire_put(out, one->address, one->family == 6 ? 16 : 4);
    tti_wire_put_uint(out, one->speed, 4);
    put_text(out, one->name, sizeof one->name);
}

static void take_interface(tti_wire_in *in, tti_interface *one)
{
    memset(one, 0, sizeof *one);
    one->family = (uint8_t)tti_wire_take_uint(in, 1);
    one->prefix = (uint8_t)tti_wire_take_uint(in, 1);
    one->flags = TTI_INTERFACE_UP;
    if ((one->family != 4 && one->family != 6) || one->prefix > (one->family == 6 ? 128 : 32)) {
        in->failed = true;
        return;
    }
    const size_t length = one->family == 6 ? 16 : 4;
    const void *address = tti_wire_take(in, length);
    if (address != NULL) memcpy(one->address, address, length);
    one->speed = (uint32_t)tti_wire_take_uint(in, 4);
    take_text(in, one->name, sizeof one->name);
}

int tti_card_write(const tti_card *card, uint8_t *buf, size_t room)
{
    tti_wire_out out = {buf, buf + room, false};
    tti_wire_put(&out, magic, sizeof magic);
    tti_wire_put_uint(&out, TTI_CARD_FORMAT, 2);
    put_text(&out, card->tutti, sizeof card->tutti);
    put_text(&out, card->host, sizeof card->host);
    put_text(&out, card->provider, sizeof card->provider);
    tti_wire_put_uint(&out, card->address_format, 4);
    tti_wire_put_uint(&out, card->packet_max, 4);
    tti_wire_put_uint(&out, card->address_bytes, 2);
    tti_wire_put(&out, card->address, card->address_bytes);
    tti_wire_put_uint(&out, card->token, 8);
    tti_wire_put_uint(&out, card->tag_mask, 8);
    tti_wire_put_uint(&out, (uint64_t)card->candidates.count, 1);
    for (int i = 0; i < card->candidates.count; i++)
        put_interface(&out, &card->candidates.at[i]);
    tti_alike_put(&out, &card->options);
    if (out.failed) return tti_fail(TUTTI_ERR_LIMIT, "the address card needs more than %zu bytes", room);
    return (int)(out.at - buf);
}

static void take_body(tti_wire_in *in, tti_card *card)
{
    take_text(in, card->host, sizeof card->host);
    take_text(in, card->provider, sizeof card->provider);
    card->address_format = (uint32_t)tti_wire_take_uint(in, 4);
    card->packet_max = (uint32_t)tti_wire_take_uint(in, 4);
    card->address_bytes = (uint16_t)tti_wire_take_uint(in, 2);
    const void *address = tti_wire_take(in, card->address_bytes);
    if (address == NULL || card->address_bytes > sizeof card->address) {
        in->failed = true;
        return;
    }
    memcpy(card->address, address, card->address_bytes);
    card->token = tti_wire_take_uint(in, 8);
    card->tag_mask = tti_wire_take_uint(in, 8);
    const uint64_t count = tti_wire_take_uint(in, 1);
    if (count > TTI_INTERFACES_MAX) in->failed = true;
    for (uint64_t i = 0; i < count && !in->failed; i++)
        take_interface(in, &card->candidates.at[card->candidates.count++]);
    tti_alike_take(in, &card->options);
}

int tti_card_read(tti_card *card, const uint8_t *buf, size_t bytes, const char *tutti, int rank)
{
    tti_wire_in in = {buf, buf + bytes, false};
    memset(card, 0, sizeof *card);
    const void *head = tti_wire_take(&in, sizeof magic);
    if (head == NULL || memcmp(head, magic, sizeof magic) != 0)
        return tti_fail(TUTTI_ERR_FABRIC, "the address card of rank %d (%zu bytes) is not one of Tutti's",
                        rank, bytes);
    const unsigned format = (unsigned)tti_wire_take_uint(&in, 2);
    take_text(&in, card->tutti, sizeof card->tutti);
    if (!in.failed && (format != TTI_CARD_FORMAT || strcmp(card->tutti, tutti) != 0))
        return tti_fail(
            TUTTI_ERR_VERSION,
            "rank %d runs Tutti %s (card format %u), this rank %s (format %u): start all ranks with "
            "the same libtutti",
            rank, card->tutti, format, tutti, TTI_CARD_FORMAT);
    take_body(&in, card);
    if (in.failed || in.at != in.end)
        return tti_fail(TUTTI_ERR_FABRIC, "the address card of rank %d is damaged (%zu bytes)", rank, bytes);
    return 0;
}
