/* SPDX-License-Identifier: BSD-3-Clause */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include "runtime/base/parse.h"
#include "streams/stream_state.h"

#define HOST_ROOM (TTI_STREAM_TEXT * 4)

static bool take_port(const char *text, char port[8])
{
    int64_t value;
    if (text[0] < '0' || text[0] > '9' || !tti_parse_int(text, &value) || value > 65535) return false;
    snprintf(port, 8, "%d", (int)value);
    return true;
}

bool tti_stream_split_address(const char *address, char host[HOST_ROOM], char port[8])
{
    const char *colon = strrchr(address, ':');
    snprintf(host, HOST_ROOM, "127.0.0.1");
    if (colon == NULL) return take_port(address, port);
    size_t length = (size_t)(colon - address);
    if (length >= 2 && address[0] == '[' && address[length - 1] == ']') {
        address++;
        length -= 2;
    } else if (memchr(address, ':', length) != NULL) {
        return false; /* an IPv6 address without brackets: which of its colons parts it from the port? */
    }
    if (length >= HOST_ROOM) return false;
    if (length > 0) snprintf(host, HOST_ROOM, "%.*s", (int)length, address);
    return take_port(colon + 1, port);
}

void tti_stream_print_address(const void *address, size_t bytes, char text[TTI_STREAM_TEXT])
{
    char host[INET6_ADDRSTRLEN];
    const struct sockaddr *any = address;
    snprintf(text, TTI_STREAM_TEXT, "?");
    if (address == NULL || bytes < sizeof any->sa_family) return;
    if (any->sa_family == AF_INET && bytes >= sizeof(struct sockaddr_in)) {
        const struct sockaddr_in *four = address;
        inet_ntop(AF_INET, &four->sin_addr, host, sizeof host);
        snprintf(text, TTI_STREAM_TEXT, "%s:%u", host, ntohs(four->sin_port));
    } else if (any->sa_family == AF_INET6 && bytes >= sizeof(struct sockaddr_in6)) {
        const struct sockaddr_in6 *six = address;
        inet_ntop(AF_INET6, &six->sin6_addr, host, sizeof host);
        snprintf(text, TTI_STREAM_TEXT, "[%s]:%u", host, ntohs(six->sin6_port));
    }
}
