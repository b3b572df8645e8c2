/* Symbols and DWARF through elfutils. */
#include "debug_info.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct DebugInfo {
    int file;
    Elf *elf;
    Dwarf *dwarf; /* NULL: nothing */
};

DebugInfo *debug_info_open(const char *path, Text *error)
{
    DebugInfo info = {.file = open(path, O_RDONLY | O_CLOEXEC)};
    if (info.file < 0) {
        text_printf(error, "%s: %s", path, strerror(errno));
        return NULL;
    }
    (void)elf_version(EV_CURRENT);
    info.elf = elf_begin(info.file, ELF_C_READ, NULL);
    GElf_Ehdr header;
    if (!info.elf || elf_kind(info.elf) != ELF_K_ELF || !gelf_getehdr(info.elf, &header) ||
        header.e_type != ET_DYN) {
        text_printf(error, "%s is no shared library: build one with cc -shared -fPIC", path);
        (void)elf_end(info.elf);
        (void)close(info.file);
        return NULL;
    }
    info.dwarf = dwarf_begin_elf(info.elf, DWARF_C_READ, NULL);
    DebugInfo *opened = memory_allocate(1, sizeof *opened);
    *opened = info;
    return opened;
}

void debug_info_close(DebugInfo *info)
{
    if (!info)
        return;
    (void)dwarf_end(info->dwarf);
    (void)elf_end(info->elf);
    (void)close(info->file);
    free(info);
}

bool debug_info_has_types(const DebugInfo *info)
{
    Dwarf_CU *unit = NULL;
    return info->dwarf && dwarf_get_units(info->dwarf, NULL, &unit, NULL, NULL, NULL, NULL) == 0;
}

/* Visits the names of the functions that are exported, until visit is true. */
static bool visit_exports(const DebugInfo *info, bool (*visit)(const char *name, void *context),
                          void *context)
{
    for (Elf_Scn *section = NULL; (section = elf_nextscn(info->elf, section));) {
        GElf_Shdr header;
        Elf_Data *data = elf_getdata(section, NULL);
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_DYNSYM || !data)
            continue;
        GElf_Sym symbol;
        for (int i = 0; gelf_getsym(data, i, &symbol); i++) {
            int kind = GELF_ST_TYPE(symbol.st_info);
            const char *name = elf_strptr(info->elf, header.sh_link, symbol.st_name);
            if (name && *name && symbol.st_shndx != SHN_UNDEF &&
                (kind == STT_FUNC || kind == STT_GNU_IFUNC) && visit(name, context))
                return true;
        }
    }
    return false;
}

static bool is_name(const char *name, void *wanted)
{
    return !strcmp(name, wanted);
}

bool debug_info_exports(const DebugInfo *info, const char *function)
{
    return visit_exports(info, is_name, (void *)(uintptr_t)function);
}

static bool offer(const char *name, void *nearest)
{
    nearest_offer(nearest, name);
    return false;
}

void debug_info_offer_names(const DebugInfo *info, Nearest *nearest)
{
    (void)visit_exports(info, offer, nearest);
}

/* Half precision that is kept in integers is known by the names that people give their types. */
static void note_format(const char *name, CType *type)
{
    if (!name || type->bytes != 2)
        return;
    if (strstr(name, "bf16") || strstr(name, "bfloat"))
        type->kind = C_BFLOAT;
    else if (strstr(name, "half") || strstr(name, "fp16") || strstr(name, "float16"))
        type->kind = C_FLOAT;
}

static CTypeKind kind_of_encoding(Dwarf_Word encoding)
{
    switch (encoding) {
    case DW_ATE_boolean:
        return C_BOOL;
    case DW_ATE_signed:
        return C_SIGNED;
    case DW_ATE_unsigned:
        return C_UNSIGNED;
    case DW_ATE_signed_char:
    case DW_ATE_unsigned_char:
        return C_CHARACTER;
    case DW_ATE_float:
        return C_FLOAT;
    case DW_ATE_complex_float:
        return C_COMPLEX;
    default:
        return C_OTHER;
    }
}

/* signed char and unsigned char are numbers; plain char is either. */
static void read_base(Dwarf_Die *die, CType *type)
{
    Dwarf_Attribute attribute;
    Dwarf_Word encoding = 0;
    const char *name = dwarf_diename(die);
    if (dwarf_attr(die, DW_AT_encoding, &attribute))
        (void)dwarf_formudata(&attribute, &encoding);
    type->kind = kind_of_encoding(encoding);
    type->bytes = dwarf_bytesize(die);
    if (type->kind == C_CHARACTER && name && strcmp(name, "char") != 0)
        type->kind = encoding == DW_ATE_signed_char ? C_SIGNED : C_UNSIGNED;
    (void)snprintf(type->words, sizeof type->words, "%s", name ? name : "");
    note_format(name, type);
}

/* Follows names and qualifiers of a type down to a number or what else it is. */
static void read_type(Dwarf_Die *owner, CType *type)
{
    Dwarf_Attribute attribute;
    Dwarf_Die die = *owner;
    const char *named = NULL;
    *type = c_type_named(C_VOID, 0, "void");
    while (dwarf_attr_integrate(&die, DW_AT_type, &attribute) &&
           dwarf_formref_die(&attribute, &die)) {
        switch (dwarf_tag(&die)) {
        case DW_TAG_typedef:
            named = dwarf_diename(&die);
            break;
        case DW_TAG_const_type:
            type->constant = true;
            break;
        case DW_TAG_restrict_type:
            type->restricted = true;
            break;
        case DW_TAG_volatile_type:
            break;
        case DW_TAG_pointer_type:
            type->pointers++;
            type->constant = false;
            named = NULL;
            break;
        case DW_TAG_base_type:
            read_base(&die, type);
            note_format(named, type);
            return;
        case DW_TAG_enumeration_type:
            type->kind = C_UNSIGNED;
            type->bytes = dwarf_bytesize(&die);
            (void)snprintf(type->words, sizeof type->words, "int");
            return;
        default:
            type->kind = C_OTHER;
            type->bytes = dwarf_bytesize(&die);
            (void)snprintf(type->words, sizeof type->words, "void");
            note_format(named, type);
            return;
        }
    }
}

typedef struct Search {
    const char *function;
    CSignature *signature;
    bool found;
} Search;

static void read_arguments(Dwarf_Die *function, CSignature *signature)
{
    Dwarf_Die child;
    read_type(function, &signature->result);
    for (int more = dwarf_child(function, &child); more == 0;
         more = dwarf_siblingof(&child, &child)) {
        if (dwarf_tag(&child) != DW_TAG_formal_parameter)
            continue;
        CArgument *argument = &signature->arguments[signature->count++ % SIGNATURE_ARGUMENTS_MAX];
        const char *name = dwarf_diename(&child);
        read_type(&child, &argument->type);
        (void)snprintf(argument->name, sizeof argument->name, "%s", name ? name : "");
    }
}

static int visit_function(Dwarf_Die *die, void *context)
{
    Search *search = context;
    Dwarf_Attribute attribute;
    const char *name = dwarf_diename(die), *linked = NULL;
    if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute))
        linked = dwarf_formstring(&attribute);
    if (!name || dwarf_hasattr_integrate(die, DW_AT_declaration) ||
        strcmp(linked ? linked : name, search->function) != 0)
        return DWARF_CB_OK;
    read_arguments(die, search->signature);
    search->found = search->signature->count <= SIGNATURE_ARGUMENTS_MAX;
    return DWARF_CB_ABORT;
}

bool debug_info_signature(const DebugInfo *info, const char *function, CSignature *signature)
{
    Search search = {function, signature, false};
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;
    *signature = (CSignature){0};
    while (info->dwarf && !search.found &&
           dwarf_get_units(info->dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0)
        if (dwarf_tag(&die) == DW_TAG_compile_unit)
            (void)dwarf_getfuncs(&die, visit_function, &search, 0);
    return search.found;
}

void signature_put(const CSignature *signature, const char *function, Text *text)
{
    c_type_put(&signature->result, text);
    text_printf(text, "%s(", function);
    for (int i = 0; i < signature->count; i++) {
        text_put(text, i ? ", " : "");
        c_type_put(&signature->arguments[i].type, text);
        text_put(text, signature->arguments[i].name);
    }
    text_put(text, signature->count ? ")" : "void)");
}
