/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/agree/agree_wire.h"

#include <string.h>

static size_t count_of(const uint64_t *set, int size)
{
    size_t count = 0;
    for (size_t word = 0; word < tti_agree_words(size); word++)
        count += (size_t)__builtin_popcountll(set[word]);
    return count;
}

static void list(const uint64_t *set, int size, uint32_t *body)
{
    for (size_t word = 0; word < tti_agree_words(size); word++)
        for (uint64_t left = set[word]; left != 0; left &= left - 1)
            *body++ = (uint32_t)(word * 64) + (uint32_t)__builtin_ctzll(left);
}

long tti_agree_pack(const tti_agree_value *value, int size, tti_agree_head *head, uint32_t *body, size_t room)
{
    const size_t count = count_of(value->failed, size), listed = count * sizeof *body;
    const size_t whole = tti_agree_words(size) * sizeof *value->failed;
    const size_t bytes = listed <= whole ? listed : whole;
    if (bytes > room) return -1;
    head->flags = value->flags;
    head->offer = value->offer;
    head->kind = value->kind;
    head->noted = value->noted;
    head->failed = listed <= whole ? (uint32_t)count : TTI_AGREE_AS_SET;
    if (listed <= whole)
        list(value->failed, size, body);
    else
        memcpy(body, value->failed, whole);
    return (long)bytes;
}

bool tti_agree_peek(const void *payload, size_t bytes, tti_agree_head *head)
{
    if (bytes < sizeof *head) return false;
    memcpy(head, payload, sizeof *head);
    return head->message <= TTI_AGREE_DOUBT && head->noted <= 1;
}

static bool take_set(const void *body, size_t bytes, int size, uint64_t *failed)
{
    const size_t words = tti_agree_words(size);
    if (bytes != words * sizeof *failed) return false;
    memcpy(failed, body, bytes);
    return size % 64 == 0 || failed[words - 1] >> (size % 64) == 0;
}

static bool take_list(const void *body, size_t bytes, int size, uint64_t *failed)
{
    memset(failed, 0, tti_agree_words(size) * sizeof *failed);
    for (size_t at = 0; at < bytes; at += sizeof(uint32_t)) {
        uint32_t rank;
        memcpy(&rank, (const char *)body + at, sizeof rank);
        if (rank >= (uint32_t)size) return false;
        tti_agree_put(failed, (int)rank);
    }
    return true;
}

bool tti_agree_unpack(const void *payload, size_t bytes, int size, tti_agree_value *value)
{
    tti_agree_head head;
    if (!tti_agree_peek(payload, bytes, &head)) return false;
    const char *body = (const char *)payload + sizeof head;
    const size_t rest = bytes - sizeof head;
    *value = (tti_agree_value){.flags = head.flags,
                               .offer = head.offer,
                               .kind = head.kind,
                               .noted = head.noted != 0,
                               .failed = value->failed};
    if (head.failed == TTI_AGREE_AS_SET) return take_set(body, rest, size, value->failed);
    return rest == head.failed * sizeof(uint32_t) && take_list(body, rest, size, value->failed);
}
