#include "refer.h"

#include "reference/draft.h"

void checker_refer_draft(Checker *checker, const Operands *o, bool may_draft)
{
    Arena *arena = &checker->workspace.arena;
    if (may_draft)
        operands_reference_draft(o, checker->refs, arena);
    else
        operands_reference(o, checker->refs, arena);
    for (int i = 0; i < o->shapes.count; i++) {
        if (!operands_is_output(o, i))
            continue;
        Ref *ref = &checker->refs[i];
        checker->bounds[i] = bound_table_room(ref, checker->backends[0].promise.models, arena);
        if (!ref->draft)
            bound_table_fill(&checker->bounds[i], ref);
    }
}

void checker_refer(Checker *checker, const Operands *o)
{
    checker_refer_draft(checker, o, false);
}

void checker_complete(Checker *checker, int output)
{
    Arena *arena = &checker->workspace.arena;
    size_t used = arena->used;
    if (!checker->refs[output].draft)
        return;
    draft_complete(&checker->refs[output], arena);
    bound_table_fill(&checker->bounds[output], &checker->refs[output]);
    arena->used = used;
}
