/* SPDX-License-Identifier: BSD-3-Clause */
/* Fault: libfabric goes on using a passive endpoint that is closed, for who had connected to it before and
 * asks to be let in only then. Argument: provider (tcp, net). */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fault_pair.h"

#define LOOKS 100

static struct fid_eq *events;

static struct fid_pep *listen_over(const char *provider, struct sockaddr_in *name)
{
    struct fi_info *hints = fi_allocinfo(), *info;
    struct fid_fabric *fabric;
    struct fid_pep *listener;
    struct fi_eq_attr attributes = {.wait_obj = FI_WAIT_FD};
    size_t length = sizeof *name;
    hints->ep_attr->type = FI_EP_MSG;
    hints->caps = FI_MSG;
    hints->fabric_attr->prov_name = strdup(provider);
    if (fi_getinfo(FI_VERSION(1, 17), "127.0.0.1", "0", FI_SOURCE, hints, &info) != 0) exit(77);
    must("fi_fabric", fi_fabric(info->fabric_attr, &fabric, NULL));
    must("fi_eq_open", fi_eq_open(fabric, &attributes, &events, NULL));
    must("fi_passive_ep", fi_passive_ep(fabric, info, &listener, NULL));
    must("fi_pep_bind", fi_pep_bind(listener, &events->fid, 0));
    must("fi_listen", fi_listen(listener));
    must("fi_getname", fi_getname(&listener->fid, name, &length));
    return listener;
}

/* Whether libfabric speaks of `closed`, or comes to grief over it. */
static int looks_for(const void *closed)
{
    struct fi_eq_cm_entry entry[8];
    uint32_t kind;
    for (int i = 0; i < LOOKS; i++) {
        if (fi_eq_read(events, &kind, entry, sizeof entry, 0) > 0 && entry->fid == closed) return 1;
        usleep(1000);
    }
    return 0;
}

static int use_after_close(const char *provider)
{
    static const unsigned char request[32] = {[0] = 3, [24] = 1};
    struct sockaddr_in name;
    uint32_t kind;
    char word[512];
    struct fid_pep *listener = listen_over(provider, &name);
    const void *closed = listener;
    const int guest = socket(AF_INET, SOCK_STREAM, 0);
    must("connect", connect(guest, (struct sockaddr *)&name, sizeof name));
    for (int i = 0; i < LOOKS; i++) {
        fi_eq_read(events, &kind, word, sizeof word, 0);
        usleep(1000);
    }
    must("fi_close", fi_close(&listener->fid));
    must("send", send(guest, request, sizeof request, MSG_NOSIGNAL) == sizeof request ? 0 : -FI_EIO);
    return looks_for(closed);
}

int main(int argc, char **argv)
{
    int status;
    const char *provider = argc > 1 ? argv[1] : "tcp";
    const pid_t child = fork();
    if (child == 0) _exit(use_after_close(provider));
    must("waitpid", waitpid(child, &status, 0) == child ? 0 : -FI_EIO);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) return 77;
    const int there = !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    printf("%s: a closed listener is %s\n", provider, there ? "used on" : "forgotten");
    return there ? 0 : 1;
}
