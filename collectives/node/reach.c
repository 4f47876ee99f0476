/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/node/reach.h"

#include <string.h>

#include "collectives/execute/run.h"
#include "runtime/base/status.h"
#include "runtime/p2p/p2p.h"
#include "runtime/p2p/progress.h"

/* As much is asked for at a time: the other rank keeps a copy of what has no room in the mailbox. */
#define ASK_MOST 65536

/* An asker sends READ or WRITE; it is answered by DATA, with what was read or the number of bytes written, or
 * by REFUSED. */
enum { READ, WRITE, DATA, REFUSED };

/* Among ranks of one node and one version; sent as it is. */
typedef struct {
    uint64_t context; /* of the board's communicator */
    uint32_t what, number;
    uint64_t address, bytes;
} reach_head;

#define CHUNK (TTI_AM_MAX - sizeof(reach_head))

static bool is_answered(const void *argument)
{
    const tti_board *board = argument;
    return board->asked.left == 0 || board->asked.refused || board->dropped ||
           tti_p2p_check_alive(board->comm) < 0;
}

static int await_answer(tti_board *board, int world_rank)
{
    const int code = tti_wait_until(is_answered, board, board->call, world_rank);
    const bool complete = board->asked.left == 0;
    board->asked.left = 0;
    if (code < 0 || complete) return code;
    if (board->asked.refused)
        return tti_fail(TUTTI_ERR_UNSUPPORTED, "%s: rank %d of the job takes part in another operation",
                        board->call, world_rank);
    return board->dropped ? tti_run_check_whole(board->comm) : tti_p2p_check_alive(board->comm);
}

static int ask_to_read(tti_board *board, int world_rank, reach_head *head, unsigned char *to)
{
    board->asked.to = to;
    head->what = READ;
    return tti_am_send(world_rank, TTI_AM_BOARD_REACH, head, sizeof *head, NULL, 0);
}

static int ask_to_write(int world_rank, reach_head *head, const unsigned char *from)
{
    const uint64_t all = head->bytes;
    int code = 0;
    head->what = WRITE;
    for (uint64_t done = 0; done < all && code == 0; done += head->bytes, head->address += head->bytes) {
        head->bytes = all - done < CHUNK ? all - done : CHUNK;
        code = tti_am_send(world_rank, TTI_AM_BOARD_REACH, head, sizeof *head, from + done, head->bytes);
    }
    return code;
}

/* Reads into `to`, or writes from `from`. */
static int by_messages(tti_board *board, int rank, uint64_t address, unsigned char *to,
                       const unsigned char *from, size_t bytes)
{
    const int world_rank = tti_comm_world(board->comm, rank);
    int code = 0;
    for (size_t done = 0; done < bytes && code == 0; done += ASK_MOST) {
        const size_t part = bytes - done < ASK_MOST ? bytes - done : ASK_MOST;
        board->asked.number++;
        board->asked.left = part;
        board->asked.refused = false;
        reach_head head = {.context = board->comm->context,
                           .number = board->asked.number,
                           .address = address + done,
                           .bytes = part};
        code = to != NULL ? ask_to_read(board, world_rank, &head, to + done)
                          : ask_to_write(world_rank, &head, from + done);
        if (code == 0) code = await_answer(board, world_rank);
    }
    board->asked.left = 0;
    return code;
}

int tti_reach_read(tti_board *board, int rank, uint64_t address, void *to, size_t bytes)
{
    if (bytes == 0) return 0;
    const int code = tti_node_read(board->node, board->peers[rank], address, to, bytes);
    if (code != TUTTI_ERR_UNSUPPORTED || board->comm == NULL) return code;
    return by_messages(board, rank, address, to, NULL, bytes);
}

int tti_reach_write(tti_board *board, int rank, uint64_t address, const void *from, size_t bytes)
{
    if (bytes == 0) return 0;
    const int code = tti_node_write(board->node, board->peers[rank], address, from, bytes);
    if (code != TUTTI_ERR_UNSUPPORTED || board->comm == NULL) return code;
    return by_messages(board, rank, address, NULL, from, bytes);
}

/* Whether the range lies in a buffer that this rank offers now. */
static bool is_exposed(const tti_board *board, uint64_t address, uint64_t bytes)
{
    for (int i = 0; board->exposes && i < 2; i++) {
        const uint64_t base = board->exposed[i].address, room = board->exposed[i].bytes;
        if (address >= base && bytes <= room && address - base <= room - bytes) return true;
    }
    return false;
}

static void answer(int world_rank, reach_head *head, uint32_t what, const void *data, size_t bytes)
{
    head->what = what;
    /* An error here means that the asker is gone. */
    tti_am_send(world_rank, TTI_AM_BOARD_REACH, head, sizeof *head, data, bytes);
}

static void give(int world_rank, reach_head *head)
{
    const unsigned char *from = (const unsigned char *)(uintptr_t)head->address;
    const uint64_t all = head->bytes;
    for (uint64_t done = 0; done < all; done += head->bytes) {
        head->bytes = all - done < CHUNK ? all - done : CHUNK;
        answer(world_rank, head, DATA, from + done, head->bytes);
    }
}

static void take(tti_board *board, const reach_head *head, const unsigned char *data, size_t bytes)
{
    if (head->number != board->asked.number || head->bytes > board->asked.left) return;
    if (bytes > 0 && bytes == head->bytes && board->asked.to != NULL) {
        memcpy(board->asked.to, data, bytes);
        board->asked.to += bytes;
    }
    board->asked.left -= head->bytes;
}

static void serve(tti_board *board, int world_rank, reach_head *head, const unsigned char *data, size_t bytes)
{
    const bool fits = head->what == READ ? bytes == 0 && head->bytes <= ASK_MOST : bytes == head->bytes;
    if (!fits || !is_exposed(board, head->address, head->bytes)) {
        answer(world_rank, head, REFUSED, NULL, 0);
    } else if (head->what == READ) {
        give(world_rank, head);
    } else {
        memcpy((void *)(uintptr_t)head->address, data, bytes);
        answer(world_rank, head, DATA, NULL, 0);
    }
}

/* An answer may come late, to an operation that has been given up. */
static bool arrived(int world_rank, const void *payload, size_t bytes)
{
    reach_head head;
    if (bytes < sizeof head) return false;
    memcpy(&head, payload, sizeof head);
    if (head.what > REFUSED) return false;
    tti_board *board = tti_board_of(head.context);
    if (board == NULL || tti_comm_rank_of(board->comm, world_rank) < 0) return true;
    const unsigned char *data = (const unsigned char *)payload + sizeof head;
    bytes -= sizeof head;
    if (head.what == READ || head.what == WRITE)
        serve(board, world_rank, &head, data, bytes);
    else if (head.what == DATA)
        take(board, &head, data, bytes);
    else if (head.number == board->asked.number)
        board->asked.refused = true;
    return true;
}

void tti_reach_register(void)
{
    tti_am_register(TTI_AM_BOARD_REACH, arrived);
}
