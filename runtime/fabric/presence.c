/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a peer that takes no connection of the provider's is there all the same. Providers accept one only
 * within calls that make progress: a rank that computes before its first one looks like a rank that cannot be
 * reached. What tells the two apart needs no call of the peer's. Over TCP its kernel takes a connection in
 * its stead while its endpoint listens, and resets it when the process ends; a provider over shared memory
 * has a file that goes with the process. The connection says nothing, and is kept while the peer is waited
 * for: each new one would take one of the places of those that the peer has still to accept. */
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "runtime/base/keepalive.h"
#include "runtime/fabric/fabric_state.h"
#include "runtime/fabric/provider.h"

/* It breaks when its host vanishes, and ends by a reset: where data merely end, libfabric before 2.2 takes an
 * old errno for what came of reading them, and if that is EAGAIN keeps the descriptor (net) or looks at it
 * again and again. */
static void set_ends(int connection)
{
    static const struct linger by_reset = {.l_onoff = 1, .l_linger = 0};
    tti_keepalive_begin(connection);
    setsockopt(connection, SOL_SOCKET, SO_LINGER, &by_reset, sizeof by_reset);
}

static bool has_port(const tti_fabric *fabric)
{
    return (fabric->quirks & TTI_FABRIC_TCP_PORT) != 0;
}

static bool is_whole(int connection)
{
    struct pollfd look = {.fd = connection, .events = POLLOUT | POLLRDHUP};
    return poll(&look, 1, 0) == 1 && look.revents == POLLOUT;
}

static int begin_connection(const struct sockaddr *address, size_t bytes)
{
    const int connection = socket(address->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (connection < 0) return -1;
    set_ends(connection);
    if (connect(connection, address, (socklen_t)bytes) == 0 || errno == EINPROGRESS) return connection;
    close(connection);
    return -1;
}

void tti_fabric_ask_presence(const tti_fabric *fabric, tti_fabric_contact *contact)
{
    struct sockaddr_storage address;
    size_t bytes = sizeof address;
    /* One that has broken is not made anew: another process may listen there by now. */
    if (contact->presence_fd >= 0 || !has_port(fabric)) return;
    if (fi_av_lookup(fabric->addresses, contact->address, &address, &bytes) != 0) return;
    contact->presence_fd = begin_connection((const struct sockaddr *)&address, bytes);
}

static bool has_segment(const tti_fabric *fabric, const tti_fabric_contact *contact)
{
    char address[TTI_CARD_ADDRESS_MAX + 1] = "", path[TTI_CARD_ADDRESS_MAX + 16];
    size_t bytes = TTI_CARD_ADDRESS_MAX;
    return fabric->card.address_format == FI_ADDR_STR &&
           fi_av_lookup(fabric->addresses, contact->address, address, &bytes) == 0 &&
           tti_fabric_find_segment(address, path, sizeof path);
}

bool tti_fabric_is_present(const tti_fabric *fabric, const tti_fabric_contact *contact)
{
    if (!has_port(fabric)) return has_segment(fabric, contact);
    return contact->presence_fd >= 0 && is_whole(contact->presence_fd);
}

void tti_fabric_end_presence(tti_fabric_contact *contact)
{
    if (contact->presence_fd >= 0) close(contact->presence_fd);
    contact->presence_fd = -1;
}
