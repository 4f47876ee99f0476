/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/base/keepalive.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stddef.h>
#include <sys/socket.h>

#define SILENT_S 10
#define QUESTIONS 3

void tti_keepalive_begin(int connection)
{
    static const struct {
        int level, name, value;
    } set[] = {{SOL_SOCKET, SO_KEEPALIVE, 1},
               {IPPROTO_TCP, TCP_KEEPIDLE, SILENT_S},
               {IPPROTO_TCP, TCP_KEEPINTVL, SILENT_S},
               {IPPROTO_TCP, TCP_KEEPCNT, QUESTIONS}};
    for (size_t i = 0; i < sizeof set / sizeof set[0]; i++)
        setsockopt(connection, set[i].level, set[i].name, &set[i].value, sizeof set[i].value);
}
