/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that outlives its rank: a memfd for each piece, whose pages the kernel keeps as long as somebody
 * maps them. The arena's are given back when they are freed, under the eyes of those that map them. */
#include "runtime/node/lasting.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/address_space.h"
#include "runtime/base/status.h"
#include "runtime/node/memory_room.h"
#include "runtime/node/peer_file.h"
#include "runtime/node/segment.h"

static const char what[] = "memory that outlives its rank";

static int map(int fd, size_t bytes, void **base)
{
    *base = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return *base == MAP_FAILED ? tti_fail_mapping(errno, what, bytes) : 0;
}

int tti_node_lasting_make(size_t bytes, void **base, tti_node_lasting *made)
{
    struct stat state;
    if (prctl(PR_GET_DUMPABLE) != 1)
        return tti_fail(TUTTI_ERR_UNSUPPORTED, "%s: peers open no files of a process that may not be dumped",
                        what);
    int code = tti_node_check_room(what, bytes);
    const int fd = code == 0 ? tti_node_memfd("tutti-lasting", bytes) : code;
    if (fd < 0) return fd;
    const int error = tti_node_take_pages(fd, 0, (off_t)bytes);
    if (error != 0) code = tti_fail_errno(TUTTI_ERR_NO_MEMORY, error, "%s: %zu bytes", what, bytes);
    if (code == 0 && fstat(fd, &state) != 0)
        code = tti_fail_errno(TUTTI_ERR_SYSTEM, errno, "%s: its file", what);
    if (code == 0) code = map(fd, bytes, base);
    if (code < 0)
        close(fd);
    else
        *made = (tti_node_lasting){(uint64_t)fd, state.st_dev, state.st_ino, bytes};
    return code;
}

int tti_node_lasting_map(const tti_node *node, int peer, const tti_node_lasting *made, void **base)
{
    const tti_node_file file = {(int32_t)made->fd, made->device, made->inode};
    const int fd = tti_node_open_of(node, peer, &file, O_RDWR);
    if (fd < 0) return fd;
    const int code = map(fd, (size_t)made->bytes, base);
    close(fd);
    return code;
}

void tti_node_lasting_unmap(void *base, const tti_node_lasting *made)
{
    munmap(base, (size_t)made->bytes);
}

void tti_node_lasting_free(void *base, const tti_node_lasting *made)
{
    munmap(base, (size_t)made->bytes);
    close((int)made->fd);
}
