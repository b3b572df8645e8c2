/* Builds the related case with the data that follow from the first one's. */
#include "second_call.h"

#include <math.h>
#include <string.h>

bool second_call_is_asked(const ReproduceInput *input)
{
    return input->c->exec.relation != RELATION_NONE && input->judgement->kind == VERDICT_INVARIANCE;
}

/* Whether a function is odd or even its references tell, by the first of their numbers that is not
 * 0. */
static double sign_of_mirrored(const SecondCall *second, const ReproduceInput *input,
                               const Ref *first)
{
    Ref refs[OP_TENSORS_MAX];
    Arena *arena = (Arena *)&second->workspace.arena;
    size_t mark = arena->used;
    double sign = 1, factor;
    memset(refs, 0, sizeof refs);
    operands_reference(&second->o, refs, arena);
    const Ref *ref = &refs[input->output];
    for (size_t k = 0; k < ref->count; k++) {
        size_t image = relation_image(&second->related, &second->o, input->output, k, &factor);
        double number = image < first->count ? first->high[image] : 0;
        if (number == 0 || isnan(number))
            continue;
        sign = signbit(number) == signbit(ref->high[k]) ? 1 : -1;
        break;
    }
    arena->used = mark;
    return sign;
}

bool second_call_begin(SecondCall *second, const ReproduceInput *input, const Operands *first,
                       const Ref *refs)
{
    RelatedElements kept;
    if (!relation_apply(input->c, &second->related))
        return false;
    if (!workspace_init(&second->workspace))
        BUG("no address space");
    operands_build(&second->o, &second->workspace, &second->related.c);
    relation_keep(&kept, &second->related, first);
    relation_change(&second->related, &kept, &second->o);
    relation_release(&kept);
    if (relation_is_mirrored(&second->related))
        second->related.factor *= sign_of_mirrored(second, input, &refs[input->output]);
    second->image = relation_image(&second->related, &second->o, input->output,
                                   input->judgement->worst, &second->factor);
    return true;
}

void second_call_end(SecondCall *second)
{
    workspace_release(&second->workspace);
}

AnswerWords second_call_words(const Judgement *judgement)
{
    double expected = judgement->expected_high, got = judgement->got;
    if (isnan(expected) != isnan(got))
        return (AnswerWords){"isnan(", ") != 0"};
    if (isinf(expected) != isinf(got))
        return (AnswerWords){"isinf(", ") != 0"};
    if (expected == 0 && got == 0)
        return (AnswerWords){"signbit(", ") != 0"};
    return (AnswerWords){"", ""};
}
