/* SPDX-License-Identifier: BSD-3-Clause */
/* The address card: what is written is read again, anything shorter, longer or of another version is refused.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/fabric/card.h"
#include "tests/unit/expect.h"

static tti_card sample(void)
{
    tti_card card = {.tutti = "0.1.0",
                     .host = "node17.cluster",
                     .provider = "tcp;ofi_rxm",
                     .address_format = 3,
                     .packet_max = 16376,
                     .address_bytes = 16,
                     .token = UINT64_C(0xfedcba9876543210),
                     .tag_mask = 77,
                     .options = {.digest = 0x1234, .set = "VERIFY=calls\nKEEP=xor\n"}};
    for (int i = 0; i < 16; i++)
        card.address[i] = (uint8_t)(i * 17);
    card.candidates.count = 2;
    card.candidates.at[0] = (tti_interface){"eth0", 4, 24, TTI_INTERFACE_UP, {10, 0, 0, 1}, 25000};
    card.candidates.at[1] = (tti_interface){"ib0", 6, 64, TTI_INTERFACE_UP, {0xfd, 0, 1, 2, 3}, 0};
    return card;
}

/* Copies to memory of just that size, so that a sanitizer sees a read beyond. */
static int read_cut(const uint8_t *wire, size_t bytes, const char *tutti)
{
    uint8_t *exact = malloc(bytes > 0 ? bytes : 1);
    EXPECT(exact != NULL);
    memcpy(exact, wire, bytes);
    tti_card card;
    const int code = tti_card_read(&card, exact, bytes, tutti, 7);
    free(exact);
    return code;
}

static void round_trip(const uint8_t *wire, size_t bytes)
{
    const tti_card out = sample();
    tti_card in;
    EXPECT(tti_card_read(&in, wire, bytes, "0.1.0", 7) == 0);
    EXPECT(strcmp(in.host, out.host) == 0 && strcmp(in.provider, out.provider) == 0);
    EXPECT(in.address_format == 3 && in.packet_max == 16376 && in.address_bytes == 16);
    EXPECT(memcmp(in.address, out.address, 16) == 0 && in.candidates.count == 2);
    EXPECT(in.options.digest == 0x1234 && strcmp(in.options.set, out.options.set) == 0);
    EXPECT(in.token == out.token && in.tag_mask == 77);
    EXPECT(memcmp(&in.candidates, &out.candidates, sizeof in.candidates) == 0);
}

static void truncated(const uint8_t *wire, size_t bytes)
{
    for (size_t cut = 0; cut < bytes; cut++)
        EXPECT(read_cut(wire, cut, "0.1.0") == TUTTI_ERR_FABRIC);
    uint8_t longer[TTI_CARD_MAX + 1] = {0};
    memcpy(longer, wire, bytes);
    EXPECT(read_cut(longer, bytes + 1, "0.1.0") == TUTTI_ERR_FABRIC);
}

static void other_versions(const uint8_t *wire, size_t bytes)
{
    EXPECT(read_cut(wire, bytes, "0.2.0") == TUTTI_ERR_VERSION);
    EXPECT(strstr(tutti_error_detail(), "0.1.0") != NULL && strstr(tutti_error_detail(), "0.2.0") != NULL);
    uint8_t other[TTI_CARD_MAX];
    memcpy(other, wire, bytes);
    other[4] = 9; /* a later format, of which only the head is known */
    EXPECT(read_cut(other, 12, "0.1.0") == TUTTI_ERR_VERSION);
    EXPECT(strstr(tutti_error_detail(), "format 9") != NULL);
}

/* No single changed byte makes the parser read beyond or accept what it must not. */
static void damaged(const uint8_t *wire, size_t bytes)
{
    uint8_t other[TTI_CARD_MAX];
    for (size_t at = 0; at < bytes; at++) {
        for (int value = 0; value < 256; value += 5) {
            memcpy(other, wire, bytes);
            other[at] = (uint8_t)value;
            read_cut(other, bytes, "0.1.0");
        }
    }
}

int main(void)
{
    const tti_card card = sample();
    uint8_t wire[TTI_CARD_MAX];
    const int bytes = tti_card_write(&card, wire, sizeof wire);
    EXPECT(bytes > 0 && bytes < 160);
    EXPECT(tti_card_write(&card, wire, (size_t)bytes - 1) == TUTTI_ERR_LIMIT);
    EXPECT(tti_card_write(&card, wire, sizeof wire) == bytes);
    round_trip(wire, (size_t)bytes);
    truncated(wire, (size_t)bytes);
    other_versions(wire, (size_t)bytes);
    damaged(wire, (size_t)bytes);
    return 0;
}
