/* Words of triggers are those of ops/case/trigger.h. */
#include "bug_words.h"

#include <string.h>

#include "ops/case/trigger.h"

typedef struct WordPair {
    const char *word, *said;
} WordPair;

/* Classes of values, behind a name and "=". */
static const WordPair classes[] = {
    {"nan", "NaN"}, {"inf", "infinity"},       {"-0", "-0"},
    {"0", "0"},     {"huge", "near overflow"}, {"tiny", "near underflow"},
};

static const WordPair whole[] = {
    {"input=nan", "NaN in an operand"},
    {"output=nan", "NaN in what is updated"},
    {"input=inf", "infinity in an operand"},
    {"output=inf", "infinity in what is updated"},
    {"input=-0", "-0 in an operand"},
    {"output=-0", "-0 in what is updated"},
    {"input=huge", "values near overflow"},
    {"output=huge", "values near overflow"},
    {"input=tiny", "values near underflow"},
    {"output=tiny", "values near underflow"},
    {"data", "special values in operands"},
    {TRIGGER_BACKWARDS, "a negative increment"},
    {"repeated", "an increment of 0"},
    {"stride", "an increment above 1"},
    {"gap", "gaps between rows"},
    {"layout=channels_last", "operands in channels-last order"},
    {"layout=sliced", "operands that are slices of larger ones"},
    {"layout=strided", "operands with a stride"},
    {"layout=expanded", "expanded operands"},
    {"overlap=inputs", "inputs that share memory"},
    {"overlap=output", "a result that overwrites an input"},
    {"relation=negated", "a negated alpha"},
    {"relation=scaled", "alpha times a power of two"},
    {"relation=factor", "an operand times a power of two"},
    {"relation=addend", "an addend of zeros"},
    {"relation=moved", "operands at other addresses"},
    {"relation=function", "the same call of another function"},
    {"relation=opposite", "negated operands"},
    {"relation=conjugated", "conjugated operands"},
    {"relation=reversed", "elements in reverse order"},
    {"relation=alone", "one row or element alone"},
    {"relation=part", "some rows or elements alone"},
    {"relation=rotated", "rows in another order"},
    {"relation=mirrored", "operands negated"},
    {"relation=dense", "operands in row-major order"},
    {"relation=plain", "the call written plainly"},
    {"relation=threads", "one thread in place of several"},
    {"repeat>1", "repeated calls"},
    {"threads>1", "several threads"},
    {"function>0", "another of the functions for it"},
    {"form=number", "a number in place of a tensor"},
    {"form=zero_dim", "a tensor without axes"},
    {"form=named", "arguments by name"},
    {"form=omitted", "default arguments left out"},
    {"form=given", "default arguments given"},
    {"form=negative", "axes counted from the end"},
    {"form=in_place", "the function in place"},
    {"form=out", "a result given by out="},
    {"form=view", "operands that are views"},
    {"form=lazy", "operands negated or conjugated lazily"},
    {"form=recorded", "operands that require a gradient"},
    {"form=batched", "calls mapped over a batch"},
    {"form=bool", "operands of truth values"},
    {"form=u8", "operands of integers"},
    {"form=i8", "operands of integers"},
    {"form=u16", "operands of integers"},
    {"form=i16", "operands of integers"},
    {"form=u32", "operands of integers"},
    {"form=i32", "operands of integers"},
    {"form=u64", "operands of integers"},
    {"form=i64", "operands of integers"},
};

/* Symptoms whose names are short for what a title says. */
static const WordPair symptoms[] = {
    {"NaN made", "NaN in place of a number"},
    {"infinity made", "infinity in place of a number"},
    {"not written", "result not written"},
    {"reads outside", "reads out of bounds"},
    {"writes outside", "writes out of bounds"},
    {"refused", "valid arguments refused"},
    {"accepted", "invalid argument accepted"},
    {"misreported", "invalid argument reported wrongly"},
    {"other bits", "last bits differ"},
    {"hang", "does not return"},
};

/* What ends the name of the gradient of an operator, and how that is said before its name. */
static const WordPair gradients[] = {
    {"_backward", "the gradient of "},
    {"_backward_data", "the data gradient of "},
    {"_backward_weights", "the weight gradient of "},
};

static const char *said_for(const WordPair *pairs, size_t count, const char *word, size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(pairs[i].word) == length && !strncmp(pairs[i].word, word, length))
            return pairs[i].said;
    return NULL;
}

void bug_put_condition(Text *to, const char *word, size_t length, bool value)
{
    const char *said = said_for(whole, COUNT_OF(whole), word, length);
    const char *equals = memchr(word, '=', length);
    const char *above = memchr(word, '>', length);
    size_t name = equals ? (size_t)(equals - word) : length;
    const char *class =
        equals ? said_for(classes, COUNT_OF(classes), equals + 1, length - name - 1) : NULL;
    if (said)
        text_put(to, said);
    else if (equals && class)
        text_printf(to, "%.*s %s%s", (int)name, word, !strncmp(class, "near", 4) ? "" : "= ",
                    class);
    else if (equals)
        text_printf(to, "%.*s = %.*s", (int)name, word, (int)(length - name - 1), equals + 1);
    else if (above)
        text_printf(to, "%.*s above %.*s", (int)(above - word), word,
                    (int)(word + length - above - 1), above + 1);
    else
        text_printf(to, "%s%.*s", value ? "a general " : "", (int)length, word);
}

const char *bug_symptom(const char *name)
{
    const char *said = said_for(symptoms, COUNT_OF(symptoms), name, strlen(name));
    return said ? said : name;
}

void bug_put_operator(Text *to, const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 0; i < COUNT_OF(gradients); i++) {
        size_t end = strlen(gradients[i].word);
        if (length > end && !strcmp(name + length - end, gradients[i].word)) {
            text_printf(to, "%s%.*s", gradients[i].said, (int)(length - end), name);
            return;
        }
    }
    text_put(to, name);
}
