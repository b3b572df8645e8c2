/* The attributes of a case: what libraries are told of it beside its operands, by name and with
 * the type in which they take it.
 *
 * Every parameter is an attribute: a yes or no is a boolean, a choice its word, a tuple its
 * numbers.  What libraries want in another form is derived here once (attribute_rows): reduced axes
 * as a list instead of bits, the equation of einsum, padding in the order of a library; and
 * products of extents by the words of extent.h. */
#ifndef OPS_CASE_ATTRIBUTE_H
#define OPS_CASE_ATTRIBUTE_H

#include "case.h"

typedef enum AttributeKind {
    ATTRIBUTE_INTEGER,
    ATTRIBUTE_BOOLEAN, /* in integer: 0 or 1 */
    ATTRIBUTE_REAL,
    ATTRIBUTE_TUPLE, /* count numbers in list */
    ATTRIBUTE_TEXT
} AttributeKind;

enum { ATTRIBUTE_LIST_MAX = 2 * TENSOR_RANK_MAX, ATTRIBUTE_TEXT_BYTES = 64 };

typedef struct Attribute {
    AttributeKind kind;
    int64_t integer;
    double real;
    int count;
    int64_t list[ATTRIBUTE_LIST_MAX];
    char text[ATTRIBUTE_TEXT_BYTES];
} Attribute;

/* A derived attribute.  needs names the parameters that it is computed from, with spaces between;
 * NAME:WORD is a choice that has this word.  It stands before a parameter of the same name. */
typedef struct AttributeRow {
    const char *name, *needs;
    void (*put)(Attribute *value, const Case *c);
    const char *help;
} AttributeRow;

/* Ended by a row without name. */
extern const AttributeRow attribute_rows[];

/* True when the attribute is derived, and not the parameter of the name. */
bool attribute_is_derived(const OpDesc *op, const char *name);
/* True when every case of the operator has the attribute. */
bool attribute_exists(const OpDesc *op, const char *name);
/* Its value for a case; false where the operator has none of this name. */
bool attribute_get(const Case *c, const char *name, Attribute *value);
/* Appends a literal of Python: (1, 2), True, 'mean', 0.5; inf and nan are names. */
void attribute_print(const Attribute *value, Text *text);

#endif
