/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/fabric/reference.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct {
    const ElfW(Rela) * relocations;
    size_t bytes;
    const ElfW(Sym) * symbols;
    const char *names;
    bool rela;
} jump_table;

static jump_table find_table(const struct link_map *map)
{
    jump_table table = {0};
    for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++) {
        switch (entry->d_tag) {
        case DT_JMPREL: table.relocations = (const void *)entry->d_un.d_ptr; break;
        case DT_PLTRELSZ: table.bytes = entry->d_un.d_val; break;
        case DT_PLTREL: table.rela = entry->d_un.d_val == DT_RELA; break;
        case DT_SYMTAB: table.symbols = (const void *)entry->d_un.d_ptr; break;
        case DT_STRTAB: table.names = (const void *)entry->d_un.d_ptr; break;
        default: break;
        }
    }
    return table;
}

static tti_fabric_function **find_slot(const struct link_map *map, const char *name)
{
    const jump_table table = find_table(map);
    if (!table.rela || table.relocations == NULL || table.symbols == NULL || table.names == NULL) return NULL;
    for (size_t i = 0; i < table.bytes / sizeof(ElfW(Rela)); i++) {
        const size_t symbol = sizeof(void *) == 8 ? ELF64_R_SYM(table.relocations[i].r_info)
                                                  : ELF32_R_SYM(table.relocations[i].r_info);
        if (strcmp(table.names + table.symbols[symbol].st_name, name) == 0)
            return (tti_fabric_function **)(map->l_addr + table.relocations[i].r_offset);
    }
    return NULL;
}

tti_fabric_function **tti_fabric_find_reference(void *handle, const char *name, tti_fabric_function *bound)
{
    struct link_map *map = NULL;
    if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0) return NULL;
    tti_fabric_function **slot = find_slot(map, name);
    return slot != NULL && *slot == bound ? slot : NULL;
}

/* The table is read-only once the library is bound (RELRO): opened for the one write. */
bool tti_fabric_point_reference(tti_fabric_function **slot, tti_fabric_function *to)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    void *start = (void *)((uintptr_t)slot & ~(page - 1));
    if (mprotect(start, page, PROT_READ | PROT_WRITE) != 0) return false;
    *slot = to;
    mprotect(start, page, PROT_READ);
    return true;
}
