/* SPDX-License-Identifier: BSD-3-Clause */
/* What is no stream knocks at a listener, many at a time: streams come and go beside it undisturbed. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/streams/ends.h"

#define ROUNDS 100
#define SILENT 20

static int knock(const char *address)
{
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    name.sin_port = htons((uint16_t)atoi(strrchr(address, ':') + 1));
    const int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    EXPECT(descriptor >= 0 && connect(descriptor, (struct sockaddr *)&name, sizeof name) == 0);
    return descriptor;
}

static void say_garbage(const char *address, int number)
{
    static const char *const known[] = {"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "SSH-2.0-x\r\n", "TTIS", "\n"};
    const int descriptor = knock(address);
    uint8_t bytes[600];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)rand();
    const size_t length = (size_t)rand() % sizeof bytes;
    const char *text = known[number % 4];
    if (number % 2 == 0)
        EXPECT(send(descriptor, bytes, length, MSG_NOSIGNAL) >= 0);
    else
        EXPECT(send(descriptor, text, strlen(text), MSG_NOSIGNAL) >= 0);
    close(descriptor);
}

static void stream_beside(tutti_stream_context *context, end *near, const char *address)
{
    end far = {0};
    *near = (end){0};
    ends_connect(context, &far, address);
    ends_send_all(context, &far, 20);
    ends_until_messages(context, near, 20);
    ends_close(context, &far);
    ends_until(context, &near->closed, "the close");
    EXPECT(far.code == 0 && near->code == 0);
}

int main(int argc, char **argv)
{
    ends_setup(argc, argv);
    tutti_stream_context *context = ends_context(NULL);
    end near = {0};
    char address[80];
    tutti_stream_listener *listener = ends_listen(context, &near, address);
    int silent[SILENT];
    for (int i = 0; i < SILENT; i++)
        silent[i] = knock(address);
    srand(7);
    for (int i = 0; i < ROUNDS; i++) {
        say_garbage(address, i);
        if (i % 10 == 0) stream_beside(context, &near, address);
        EXPECT(tutti_stream_process(context, 0) >= 0);
    }
    EXPECT(near.streams == 0);
    for (int i = 0; i < SILENT; i++)
        close(silent[i]);
    stream_beside(context, &near, address);
    EXPECT(tutti_stream_listener_close(&listener) == 0);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
    return 0;
}
