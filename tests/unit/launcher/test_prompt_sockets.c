/* SPDX-License-Identifier: BSD-3-Clause */
/* What a listening socket of this process accepts sends at once; what it was left by another is as it was. */
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include "launcher/prompt_sockets.h"
#include "tests/unit/expect.h"

static int open_listener(int flags)
{
    const int fd = socket(AF_INET, SOCK_STREAM | flags, 0);
    const struct sockaddr_in any = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    EXPECT(fd >= 0 && bind(fd, (const struct sockaddr *)&any, sizeof any) == 0 && listen(fd, 1) == 0);
    return fd;
}

static int is_prompt(int fd)
{
    int prompt = 0;
    socklen_t size = sizeof prompt;
    EXPECT(getsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &prompt, &size) == 0);
    return prompt != 0;
}

static int accept_prompt(int listener)
{
    struct sockaddr_in there;
    socklen_t size = sizeof there;
    const int caller = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    EXPECT(getsockname(listener, (struct sockaddr *)&there, &size) == 0);
    EXPECT(connect(caller, (struct sockaddr *)&there, size) == 0);
    const int accepted = accept(listener, NULL, NULL), prompt = is_prompt(accepted);
    EXPECT(!is_prompt(caller));
    close(accepted);
    close(caller);
    return prompt;
}

int main(void)
{
    const int own = open_listener(SOCK_CLOEXEC), inherited = open_listener(0);
    EXPECT(!accept_prompt(own));
    tti_make_sockets_prompt();
    EXPECT(accept_prompt(own));
    EXPECT(!accept_prompt(inherited));
    close(own);
    close(inherited);
    return 0;
}
