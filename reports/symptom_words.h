/* Words for the people who maintain a library about what a bug shows. */
#ifndef REPORTS_SYMPTOM_WORDS_H
#define REPORTS_SYMPTOM_WORDS_H

#include "oracle/symptom.h"

/* What the call does, for a title: "does not return". */
const char *symptom_phrase(Symptom symptom);
/* Why it is wrong, in a sentence with its source; "" where the numbers say all. */
const char *symptom_reason(Symptom symptom);
/* How sure that is, by the tier of the judgement ("exact", "violation" and so on), in a sentence;
 * "" where the reason says it. */
const char *tier_certainty(const char *tier);

#endif
