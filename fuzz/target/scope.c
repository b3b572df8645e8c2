#include "scope.h"

#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/check/blackbox.h"
#include "ops/backend/trust.h"

_Noreturn void target_refuse(const char *reason)
{
    (void)fprintf(stderr, "opconform: %s\n", reason);
    exit(3);
}

/* Puts the folder of this program in place of $ORIGIN. */
static void put_place(Text *names, const char *given)
{
    static const char word[] = "$ORIGIN";
    char program[PATH_MAX] = "";
    (void)!readlink("/proc/self/exe", program, sizeof program - 1);
    const char *folder = dirname(program);
    for (const char *at; (at = strstr(given, word)); given = at + sizeof word - 1) {
        text_append(names, given, (size_t)(at - given));
        text_put(names, folder);
    }
    text_put(names, given);
}

const char *const *target_backends(void)
{
    static Text wanted;
    static const char *names[BOX_BACKENDS_MAX + 1];
    if (names[0])
        return names;
    const char *given = getenv("OPCONFORM_BACKEND");
    int count = 0;
    put_place(&wanted, given ? given : TARGET_BACKEND);
    for (char *rest = wanted.data; rest && count < BOX_BACKENDS_MAX;)
        trust_name(names[count++] = strsep(&rest, ","));
    return names;
}

/* Adds the element types of the operators, by number, that some backend has. */
static void ask_backends(uint32_t offered[OP_MAX])
{
    Text error = {0};
    for (const char *const *name = target_backends(); *name; name++) {
        uint32_t own[OP_MAX];
        if (!backend_probe_offers(*name, own, &error))
            target_refuse(text_string(&error));
        for (int op = 0; op < OP_MAX; op++)
            offered[op] |= own[op];
    }
}

const Scope *target_scope(void)
{
    static Scope scope;
    if (scope.op_count > 0)
        return &scope;
    uint32_t offered[OP_MAX] = {0};
    ask_backends(offered);
    Scope all = scope_all();
    scope = all;
    scope.op_count = 0;
    for (int i = 0; i < all.op_count; i++) {
        const OpDesc *op = all.ops[i];
        int number = op_number(op);
        scope.only[number] = scope_dtypes(&all, op) & offered[number];
        if (scope.only[number] && (op_matches(op, TARGET_OP) || op_matches(op, TARGET_OP "/*")))
            scope.ops[scope.op_count++] = op;
    }
    if (scope.op_count == 0)
        target_refuse("no backend of OPCONFORM_BACKEND has " TARGET_OP);
    return &scope;
}
