/* SPDX-License-Identifier: BSD-3-Clause */
/* random_deaths SEED: some ranks, rank 0 as likely as others, are killed at moments of their own while all
 * agree on one thing after the other, until all have heard of all deaths. In each agreement a rank says what
 * the one before gave it, as a number and its complement: the and of both tells whether all had the same. */
#include "tests/job/victims.h"

#define CALM_ROUNDS 30

static int count_failed(void)
{
    int count;
    OK(tutti_comm_failed(world, NULL, 0, &count));
    return count;
}

/* In one word of flags: what the one before gave, 31 bits each, and whether this rank has heard of all
 * deaths. */
#define HEARD_ALL (UINT64_C(1) << 63)
#define NUMBER (UINT64_MAX >> 33)

static uint32_t digest(uint32_t before, uint64_t flags, int code)
{
    uint64_t state = before ^ flags * 31U ^ (uint64_t)(uint32_t)code << 32;
    return (uint32_t)job_random(&state);
}

/* Returns the digest of what was agreed on. */
static uint32_t agree_once(uint32_t before, int victims, int *calm)
{
    uint64_t flags =
        (before & NUMBER) << 32 | (~before & NUMBER) | (count_failed() == victims ? HEARD_ALL : 0);
    const int code = tutti_comm_agree(world, &flags);
    EXPECT(code == 0 || code == TUTTI_ERR_PEER_FAILED);
    EXPECT((flags >> 32 & NUMBER) == (~flags & NUMBER) && (flags & NUMBER) == (~before & NUMBER));
    *calm = code == 0 && (flags & HEARD_ALL) != 0;
    if (code != 0) OK(tutti_comm_acknowledge(world));
    return digest(before, flags, code);
}

int main(int argc, char **argv)
{
    const int victims = victims_open(argc, argv);
    uint32_t before = 1;
    int calm = 0;
    for (int rounds = 0; rounds < CALM_ROUNDS; rounds += calm)
        before = agree_once(before, victims, &calm);
    printf("rank %d is fine: %d died\n", rank, victims);
    return job_close();
}
