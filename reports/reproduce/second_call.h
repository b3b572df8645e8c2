/* The second of two related calls, whose results must follow from the first one's. */
#ifndef REPORTS_SECOND_CALL_H
#define REPORTS_SECOND_CALL_H

#include "ops/case/relation.h"
#include "reproduce.h"

/* What is compared is the judgement's component of the second call, and `image` of the first,
 * times factor. */
typedef struct SecondCall {
    Related related;
    Workspace workspace;
    Operands o;
    size_t image;
    double factor;
} SecondCall;

/* True where the finding is that two calls differ. */
bool second_call_is_asked(const ReproduceInput *input);

/* Builds it beside the first call's operands and references; false where there is none. */
MUST_USE bool second_call_begin(SecondCall *second, const ReproduceInput *input,
                                const Operands *first, const Ref *refs);
void second_call_end(SecondCall *second);

/* The expression that must be the same of both answers: before and behind each of them.  Of answers
 * of two classes that is the class, of zeros the sign, else the number itself. */
typedef struct AnswerWords {
    const char *before, *behind;
} AnswerWords;
AnswerWords second_call_words(const Judgement *judgement);

#endif
