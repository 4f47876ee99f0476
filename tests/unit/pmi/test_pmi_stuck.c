/* SPDX-License-Identifier: BSD-3-Clause */
/* A launcher that takes the connection and never says a word: joining ends at the time limit. And one that is
 * not there at all: it ends at once. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "pmi/pmi.h"
#include "runtime/base/clock.h"
#include "runtime/base/options.h"
#include "tests/unit/expect.h"

static void on_failure(int rank, void *context)
{
    (void)rank, (void)context;
}

static int listen_on_loopback(char *uri, size_t room)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t bytes = sizeof address;
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    EXPECT(fd >= 0);
    EXPECT(bind(fd, (struct sockaddr *)&address, bytes) == 0 && listen(fd, 8) == 0);
    EXPECT(getsockname(fd, (struct sockaddr *)&address, &bytes) == 0);
    snprintf(uri, room, "stuck.0;tcp4://127.0.0.1:%d", ntohs(address.sin_port));
    return fd;
}

static void announce(const char *uri)
{
    static const char *const names[] = {"PMIX_SERVER_URI2", "PMIX_SERVER_URI21", "PMIX_SERVER_URI3",
                                        "PMIX_SERVER_URI4", "PMIX_SERVER_URI41", "PMIX_SERVER_URI5"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        setenv(names[i], uri, 1);
    setenv("PMIX_NAMESPACE", "stuck", 1);
    setenv("PMIX_RANK", "0", 1);
}

static void join_in_vain(const char *reason)
{
    const tti_job *job;
    EXPECT(tti_pmi_open(on_failure, NULL, &job) == TUTTI_ERR_LAUNCH);
    EXPECT(strstr(tutti_error_detail(), "PMIX_NAMESPACE") != NULL &&
           strstr(tutti_error_detail(), reason) != NULL &&
           strstr(tutti_error_detail(), "stuck") == NULL /* the job's name may be a secret */);
}

int main(int argc, char **argv)
{
    char uri[64];
    const char *const set[] = {"TUTTI_CONNECT_TIMEOUT=500ms", NULL};
    EXPECT(tti_options_load(set) == 0);
    const int fd = listen_on_loopback(uri, sizeof uri);
    announce(uri);
    /* Each in a process of its own, because PMIx keeps the first attempt's result. */
    if (argc > 1) {
        close(fd);
        join_in_vain("launcher still alive");
        return 0;
    }
    join_in_vain("TUTTI_CONNECT_TIMEOUT");
    close(fd);
    execl(argv[0], argv[0], "absent", (char *)NULL);
    return 1;
}
