/* SPDX-License-Identifier: BSD-3-Clause */
/* A picture is there whole, or what was there before is. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "examples/common/image.h"
#include "tests/unit/expect.h"

#define SIDE 100
#define TOO_FEW_BYTES 4096 /* of the more than 20,000 that pixels without order take */

const char program[] = "test_image";

static struct colour pixels[SIDE * SIDE];

static void fill_with_noise(void)
{
    unsigned char *bytes = (unsigned char *)pixels;
    for (size_t i = 0; i < sizeof pixels; i++)
        bytes[i] = (unsigned char)rand();
}

static struct stat about(const char *path)
{
    struct stat is;
    EXPECT(lstat(path, &is) == 0);
    return is;
}

static int entries(void)
{
    int count = 0;
    DIR *folder = opendir(".");
    EXPECT(folder != NULL);
    while (readdir(folder) != NULL)
        count++;
    EXPECT(closedir(folder) == 0);
    return count - 2; /* . and .. */
}

static void limit_files(rlim_t bytes)
{
    struct rlimit limit;
    EXPECT(getrlimit(RLIMIT_FSIZE, &limit) == 0);
    limit.rlim_cur = bytes;
    EXPECT(setrlimit(RLIMIT_FSIZE, &limit) == 0);
}

static void an_earlier_picture_outlives_a_failure(void)
{
    EXPECT(image_writable("x.png") && image_write("x.png", SIDE, 2, pixels));
    EXPECT(chmod("x.png", 0640) == 0);
    const struct stat before = about("x.png");
    limit_files(TOO_FEW_BYTES);
    EXPECT(!image_write("x.png", SIDE, SIDE, pixels) && !image_write("new.png", SIDE, SIDE, pixels));
    limit_files(RLIM_INFINITY);
    EXPECT(about("x.png").st_size == before.st_size && entries() == 1);
    EXPECT(image_write("x.png", SIDE, SIDE, pixels));
    EXPECT(about("x.png").st_size > TOO_FEW_BYTES && about("x.png").st_mode == before.st_mode);
}

static void a_link_stays_one(void)
{
    EXPECT(symlink("x.png", "link.png") == 0 && image_write("link.png", SIDE, 1, pixels));
    EXPECT(S_ISLNK(about("link.png").st_mode) && about("x.png").st_size < TOO_FEW_BYTES);
    EXPECT(unlink("link.png") == 0);
}

/* As /dev/full, which root could lose. */
static void a_device_stays_one(void)
{
    if (mknod("full", S_IFCHR | 0666, makedev(1, 7)) != 0) return;
    EXPECT(!image_write("full", SIDE, SIDE, pixels));
    EXPECT(S_ISCHR(about("full").st_mode) && entries() == 2);
    EXPECT(unlink("full") == 0);
}

/* Who reads a pipe takes its first writer's end for the end of all. */
static void a_pipe_is_not_tried(void)
{
    char bytes[4096];
    EXPECT(mkfifo("pipe", 0600) == 0);
    struct pollfd reader = {.fd = open("pipe", O_RDONLY | O_NONBLOCK), .events = POLLIN};
    EXPECT(reader.fd >= 0 && image_writable("pipe") && poll(&reader, 1, 0) == 0);
    EXPECT(image_write("pipe", 4, 4, pixels) && read(reader.fd, bytes, sizeof bytes) > 0);
    EXPECT(S_ISFIFO(about("pipe").st_mode) && close(reader.fd) == 0 && unlink("pipe") == 0);
}

int main(void)
{
    char folder[] = "/tmp/test_image.XXXXXX";
    EXPECT(mkdtemp(folder) != NULL && chdir(folder) == 0);
    signal(SIGXFSZ, SIG_IGN); /* the write fails instead */
    fill_with_noise();
    an_earlier_picture_outlives_a_failure();
    a_link_stays_one();
    a_device_stays_one();
    a_pipe_is_not_tried();
    EXPECT(!image_write("nowhere/x.png", 1, 1, pixels));
    EXPECT(unlink("x.png") == 0 && rmdir(folder) == 0);
    return 0;
}
