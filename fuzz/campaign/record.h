/* Turns a case and its verdict into the record that the store files. */
#ifndef FUZZ_RECORD_H
#define FUZZ_RECORD_H

#include "fuzz/shrink.h"
#include "reports/store/store.h"

/* The strings of a record. */
typedef struct RecordTexts {
    Text signature, raw, line, min_line, expected, got, bound, policies, picture, ulps;
    char detail[96];
} RecordTexts;

/* c and result are as captured, and decide raw and line; shrunk, unless NULL, is what became of
 * them and decides the rest.  The record points into texts. */
FindingRecord record_of(RecordTexts *texts, const Case *c, const CheckResult *result,
                        const char *backend, const ShrinkResult *shrunk);
/* The same of a death that is the library's as a whole (STORE_WHOLE); last is the case that was
 * begun last, or any. */
FindingRecord record_of_library(RecordTexts *texts, const Case *last, const char *detail,
                                const char *backend);
void record_release(RecordTexts *texts);

#endif
