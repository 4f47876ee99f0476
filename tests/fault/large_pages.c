/* SPDX-License-Identifier: BSD-3-Clause */
/* To be loaded into a program (LD_PRELOAD): the kernel seems to have pages of 64 KiB, as those of some
 * distributions for ARM64 have. What lies in a file is mapped from a multiple of that on. */
#include <dlfcn.h>
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 65536

typedef void *mmap_fn(void *address, size_t bytes, int protection, int flags, int fd, off_t offset);

void *mmap(void *address, size_t bytes, int protection, int flags, int fd, off_t offset)
{
    static mmap_fn *real;
    if (real == NULL) real = (mmap_fn *)dlsym(RTLD_NEXT, "mmap");
    if (fd < 0 || offset % PAGE == 0) return real(address, bytes, protection, flags, fd, offset);
    errno = EINVAL;
    return MAP_FAILED;
}

void *mmap64(void *address, size_t bytes, int protection, int flags, int fd, off_t offset)
{
    return mmap(address, bytes, protection, flags, fd, offset);
}

long sysconf(int name)
{
    static long (*real)(int name);
    if (name == _SC_PAGESIZE) return PAGE;
    if (real == NULL) real = (long (*)(int))dlsym(RTLD_NEXT, "sysconf");
    return real(name);
}
