/* The calls of bindings: a subset of Python's expressions, parsed so that the names in a call are
 * known, and so that programs in C can make the call as well.
 *
 * Numbers, texts in single quotes, None, True, False, names, lists, tuples, calls with positional
 * and named arguments, x.name, x[i], x[i:j], unary minus, and + - * / @ > <.  Where the call is
 * made through a library's dispatcher in C a name may contain ::, and ? behind an argument says
 * that the function takes it as optional. */
#ifndef OPS_BACKEND_BINDING_EXPRESSION_H
#define OPS_BACKEND_BINDING_EXPRESSION_H

#include "reference/base.h"

typedef enum TermKind {
    TERM_NAME, /* text is the name */
    TERM_INTEGER,
    TERM_REAL,
    TERM_TEXT, /* without its quotes */
    TERM_NONE,
    TERM_BOOLEAN,  /* text is True or False */
    TERM_LIST,     /* children: its elements; tuples as well */
    TERM_CALL,     /* children: what is called, then the arguments */
    TERM_MEMBER,   /* text of the child */
    TERM_OPERATION /* children: operands, of indices and slices too */
} TermKind;

/* A place in the expression's text. */
typedef struct Slice {
    short start, length;
} Slice;

/* Children are linked: first, then next of each; -1 ends. */
typedef struct Term {
    TermKind kind;
    Slice text, keyword; /* keyword: NAME= in front of an argument; empty where there is none */
    short first, next;
    bool optional;
} Term;

enum { EXPRESSION_TERMS_MAX = 96, EXPRESSION_BYTES = 512, EXPRESSION_NAME_BYTES = 64 };

typedef struct Expression {
    char text[EXPRESSION_BYTES];
    int count, root;
    Term terms[EXPRESSION_TERMS_MAX];
} Expression;

/* Parses the text, which is copied; false with one sentence in *error. */
MUST_USE bool expression_parse(Expression *e, const char *text, Text *error);

/* Copies a slice as a string that is cut where it is too long. */
void expression_copy(const Expression *e, Slice slice, char name[EXPRESSION_NAME_BYTES]);

#endif
