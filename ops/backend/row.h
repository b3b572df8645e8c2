/* Rows of bindings as text: which operators, and what a library is asked for them.
 *
 *     "relu6", "eltwise_forward(forward_inference, eltwise_clip, src=x, [dst=y], 0, 6)"
 *
 * A call is a name and words in parentheses, with commas between; parentheses in words stay
 * together, and so do spaces.  Behind it may stand clauses, each a keyword and words: "requires
 * mode=linear, f32". What words mean is for the library to say. */
#ifndef OPS_BACKEND_ROW_H
#define OPS_BACKEND_ROW_H

#include "ops/case/operands.h"

/* ops: names with spaces between. */
typedef struct BindingRow {
    const char *ops, *call;
} BindingRow;

/* True when a row is for the operator. */
bool row_is_for(const BindingRow *row, const OpDesc *op);

/* Appends the calls of those of `count` rows that are for the operator, a line each. */
void rows_describe(const BindingRow *rows, size_t count, const OpDesc *op, Text *text);

enum { ROW_WORDS_MAX = 32, ROW_WORD_BYTES = 64 };
typedef struct RowWords {
    int count;
    char word[ROW_WORDS_MAX][ROW_WORD_BYTES];
} RowWords;

/* The name of the call, and its words. */
void row_name(const BindingRow *row, char name[ROW_WORD_BYTES]);
void row_words(const BindingRow *row, RowWords *words);
/* The words of a clause; none where the row has no such clause. */
void row_clause(const BindingRow *row, const char *keyword, RowWords *words);

/* True when the text is a call whose words have room; else false with one sentence in *error. */
MUST_USE bool row_check(const char *call, Text *error);

/* Cuts a word in two at a character; false, with it whole in front, where that is not in it. */
bool row_cut(const char *word, char at, char front[ROW_WORD_BYTES], char back[ROW_WORD_BYTES]);

/* A condition of a library's own, beside those of ops/case/condition.h. */
typedef struct RowCondition {
    const char *name;
    bool (*holds)(const Operands *operands);
    const char *reason; /* what the case is that fails it, for a user */
} RowCondition;

/* True when all that the row requires holds: conditions of the list, which ends with a NULL name,
 * and those that all rows may have.  Else the reason why it does not is appended to *why. */
bool row_holds(const BindingRow *row, const RowCondition *conditions, const Operands *operands,
               Text *why);

/* The parameter of an operator with this name, or NULL. */
const Param *row_param(const OpDesc *op, const char *name);

#endif
