/* A row for each symptom. */
#include "symptom_words.h"

#include <stddef.h>
#include <string.h>

#include "reference/base.h"

typedef struct Words {
    const char *phrase, *reason;
} Words;

static const char returns[] = "The arguments are legal, so that the call returns.";

static const Words words[SYMPTOM_COUNT] = {
    [SYMPTOM_VALUE] = {"returns a wrong result", ""},
    [SYMPTOM_ZERO_SIGN] = {"returns a zero of the wrong sign",
                           "IEEE 754 (6.3) defines the signs of zeros."},
    [SYMPTOM_NAN_LOST] = {"does not propagate NaN",
                          "IEEE 754 (6.2): an operation on a quiet NaN gives NaN, and so do the "
                          "products and sums of the definition."},
    [SYMPTOM_NAN_MADE] = {"returns NaN in place of a number",
                          "The definition gives a number or an infinity for these inputs."},
    [SYMPTOM_INFINITY_LOST] = {"does not propagate infinity",
                               "Operations on infinities are exact (IEEE 754, 6.1)."},
    [SYMPTOM_INFINITY_MADE] = {"returns infinity in place of a finite number",
                               "The result is within the range of the type; an infinity is due "
                               "beyond it only (IEEE 754, 7.4)."},
    [SYMPTOM_INFINITY_SIGN] = {"returns an infinity of the wrong sign",
                               "Operations on infinities are exact (IEEE 754, 6.1)."},
    [SYMPTOM_UNWRITTEN] = {"leaves an element of its result unwritten",
                           "The call defines every element of its result."},
    [SYMPTOM_VARIES] = {"gives other bits in a call that is bound to give the same",
                        "The library documents no such dependence."},
    [SYMPTOM_WRITES_OUTSIDE] = {"writes out of bounds", "A call may write the elements of its "
                                                        "outputs, and nothing else."},
    [SYMPTOM_READS_OUTSIDE] =
        {"reads out of bounds",
         "A call may touch the elements that its arguments describe, and no memory beside them: "
         "where an operand ends at the end of a mapping the process crashes."},
    [SYMPTOM_INPUT_CHANGED] = {"changes an input", "Inputs are only read."},
    [SYMPTOM_ENVIRONMENT] = {"leaves the floating-point environment changed",
                             "A function restores the rounding mode and the control bits (C17, "
                             "7.6)."},
    [SYMPTOM_LEAK] = {"leaks memory", ""},
    [SYMPTOM_REFUSED] = {"refuses valid arguments",
                         "The arguments are legal, so that the call computes."},
    [SYMPTOM_ACCEPTED] = {"accepts an invalid argument",
                          "An illegal argument is refused, and nothing is computed or written."},
    [SYMPTOM_MISREPORTED] = {"refuses an invalid argument in an undocumented way", ""},
    [SYMPTOM_HANG] = {"does not return", returns},
    [SYMPTOM_SEGFAULT] = {"ends with a segmentation fault", returns},
    [SYMPTOM_ABORT] = {"aborts", returns},
    [SYMPTOM_ARITHMETIC] = {"ends with SIGFPE", returns},
    [SYMPTOM_MEMORY] = {"takes memory without end", returns},
    [SYMPTOM_DEATH] = {"ends the process", returns},
};

const char *symptom_phrase(Symptom symptom)
{
    return words[symptom].phrase ? words[symptom].phrase : symptom_name(symptom);
}

const char *symptom_reason(Symptom symptom)
{
    return words[symptom].reason ? words[symptom].reason : "";
}

const char *tier_certainty(const char *tier)
{
    static const struct {
        const char *tier, *sentence;
    } rows[] = {
        {"exact", "Every right order of operations gives the expected value."},
        {"violation", "The bound on the error holds for every order of the operations, with or "
                      "without fused multiply-add."},
        {"probable", "So large an error is all but impossible for any order of the operations."},
        {"suspicious", "So large an error is unlikely."},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (!strcmp(rows[i].tier, tier))
            return rows[i].sentence;
    return "";
}
