/* What changes from one version of a library to the next within bounds: two backends run the same
 * cases, both are right, and the results differ; or only one of them runs a case. */
#ifndef FUZZ_CHANGE_H
#define FUZZ_CHANGE_H

#include "ops/case/case.h"

enum { CHANGES_MAX = 4096 };

/* By rising gravity of what differs in results that both agree with the reference.  A case counts
 * once, under the gravest. */
typedef enum ChangeKind {
    CHANGE_NONE,  /* the same bits */
    CHANGE_NAN,   /* sign or payload of a NaN */
    CHANGE_ZERO,  /* sign of a zero */
    CHANGE_VALUE, /* another finite number, or another whole number */
    CHANGE_CLASS, /* NaN, an infinity of a sign, or a finite number */
    CHANGE_OLD_DECLINES,
    CHANGE_NEW_DECLINES,
    CHANGE_KINDS
} ChangeKind;
/* As they are stored and shown. */
extern const char *const change_names[CHANGE_KINDS];

/* Cases of one operator, element type and kind. */
typedef struct ChangeEntry {
    uint64_t key; /* 0: none */
    ChangeKind kind;
    uint64_t count, ulps; /* ulps: the most between two finite values */
    double work;          /* of the example */
    Case example;         /* the one of the least work */
    char detail[96];      /* the reason of a decline */
} ChangeEntry;

/* In shared memory, with one writer. */
typedef struct ChangeTable {
    ChangeEntry entries[CHANGES_MAX];
    uint64_t lost; /* cases that the table had no room for */
} ChangeTable;

struct Checker;
struct CheckResult;
struct Operands;

/* The outputs of one backend as their bits, kept from one backend to the other. */
typedef struct KeptBits {
    uint64_t *bits[OP_TENSORS_MAX];
    size_t counts[OP_TENSORS_MAX];
} KeptBits;
/* Keeps the outputs where the results of two calls on the same data must be comparable: the verdict
 * is that they agree, and neither chance nor threads have a say. */
void change_keep(KeptBits *kept, const struct Checker *checker, const struct Operands *operands,
                 const struct CheckResult *result);

void change_release(KeptBits *kept);

/* Counts what backends 0 and 1, old and new, made of the case of these operands. */
void change_count(ChangeTable *table, const struct Operands *operands,
                  const struct CheckResult *old_and_new, const KeptBits kept[2]);

#endif
