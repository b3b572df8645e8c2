/* How much of a published list of names the rows of a library ask for: PyTorch's OpInfo, ONNX's
 * operators, the array API, OneFlow's own tests, LAPACK's drivers.  Each list is a file NAME.names
 * that the build embeds:
 *
 *   title TEXT              what the list is
 *   source TEXT             where it is published, and in which version
 *   bindings NAME...        whose calls count; without it operators count by their own names
 *   spell FROM=TO...        how a call is written in the list: F.=nn.functional. reads F.softmax as
 *                           nn.functional.softmax, .= reads a method x.t() as t; the first that
 *                           fits holds, and a call that none fits is none of the list
 *   means CALL...           what rows prepare operands by, which drives it in one way only: these
 *                           calls do not count
 *   names NAME...           the names
 *   same NAME = OPERATOR... a name that rows write in another way: driven where the bindings have
 *                           a call of each of the operators
 *   types TYPE...: NAME...  the element types that the list has names in, of those of ours
 *   promotes NAME...        names that make floating point of whole numbers: operands of integers
 *                           and booleans are forms of their calls (docs/bindings.md)
 *   besides TYPE...: NAME... types that drive names in another way than by their operators' types:
 *                           complex numbers as an axis of two
 *   absent NAME...: REASON  names that are not to be driven
 *   later NAME...: REASON   names that nothing drives yet, and what that would take
 *
 * A line that begins with a space goes on with the one before; # begins a comment. */
#ifndef OPS_BACKEND_BINDING_COVERAGE_H
#define OPS_BACKEND_BINDING_COVERAGE_H

#include "reference/base.h"

typedef struct CoverageFile {
    const char *name, *text;
} CoverageFile;

/* The files that the build embeds, ended by a NULL name. */
extern const CoverageFile coverage_files[];

/* One name.  operators: those that drive it, with spaces between; empty where there is none. why: a
 * reason that it is not driven, or empty; never: it is not to be, else it is not yet.  types: masks
 * of the element types that the list has it in, and of those among them that drive it. */
typedef struct CoverageRow {
    const char *name, *why;
    bool never;
    uint32_t types, driven_types;
    char *operators;
} CoverageRow;

typedef struct Coverage {
    const char *title, *source;
    CoverageRow *rows; /* in the order of the file */
    int count, driven, absent;
    int types, driven_types; /* pairs of a driven name and an element type */
    char *text;
} Coverage;

/* Reads a list and holds the bindings against it; false with one sentence in *error, after which
 * there is nothing to release. */
MUST_USE bool coverage_read(Coverage *coverage, const CoverageFile *file, Text *error);
void coverage_release(Coverage *coverage);

#endif
