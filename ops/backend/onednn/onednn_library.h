/* The functions of oneDNN that every primitive takes, by name; versions 2 and 3. */
#ifndef OPS_BACKEND_ONEDNN_LIBRARY_H
#define OPS_BACKEND_ONEDNN_LIBRARY_H

#include "plan.h"

enum { DNNL_ALGORITHMS_MAX = 128 };

typedef struct DnnlExecArgument {
    int argument;
    void *memory;
} DnnlExecArgument;

typedef struct DnnlLibrary {
    void *handle, *engine, *stream;
    int version;
    int (*engine_create)(void **engine, int kind, size_t index);
    int (*stream_create)(void **stream, void *engine, unsigned flags);
    int (*stream_wait)(void *stream);
    int (*strides_2)(void *blob, int rank, const int64_t *dims, int type, const int64_t *strides);
    int (*strides_3)(void **memory, int rank, const int64_t *dims, int type,
                     const int64_t *strides);
    int (*describe)(void **result, const void *blob, const void *attributes, void *engine,
                    const void *hint);
    int (*primitive_create)(void **primitive, const void *descriptor);
    int (*execute)(const void *primitive, void *stream, int count,
                   const DnnlExecArgument *arguments);
    int (*memory_create)(void **memory, const void *descriptor, void *engine, void *data);
    int (*destroy_memory)(void *), (*destroy_descriptor)(void *), (*destroy_primitive)(void *);
    int (*destroy_memory_descriptor)(void *);
    const char *(*algorithm_name)(int number);
    /* For layouts that the library chooses. */
    int (*tag_2)(void *blob, int rank, const int64_t *dims, int type, int tag);
    int (*tag_3)(void **memory, int rank, const int64_t *dims, int type, int tag);
    const void *(*query)(const void *descriptor, int what, int index);
    int (*reorder)(void **descriptor, const void *from, void *from_engine, const void *to,
                   void *to_engine, const void *attributes);
    /* Functions for post-operations, which a primitive applies to its result. */
    int (*attributes_create)(void **attributes), (*attributes_destroy)(void *attributes);
    int (*operations_create)(void **operations), (*operations_destroy)(void *operations);
    int (*append_2)(void *operations, float scale, int algorithm, float alpha, float beta);
    int (*append_3)(void *operations, int algorithm, float alpha, float beta);
    int (*set_operations)(void *attributes, const void *operations);
    bool blocked;
    uint32_t dtypes; /* element types, by 1 << DType, that it has any primitive for here */
    /* Algorithms that were asked for already. */
    struct {
        char name[DNNL_NAME_BYTES];
        int number;
    } algorithms[DNNL_ALGORITHMS_MAX];
    int algorithm_count;
} DnnlLibrary;

/* BackendKind.open and BackendKind.close. */
bool onednn_open(Backend *backend, Text *error);
void onednn_close(Backend *backend);

/* A function of the library, or NULL. */
void *dnnl_find(const DnnlLibrary *library, const char *name);

/* The number that the library gives an algorithm; -1 if it has none of this name. */
int dnnl_algorithm(DnnlLibrary *library, const char *name);

/* Layouts that the library chooses: format "any", and where it wants which argument of a
 * primitive. */
enum { DNNL_TAG_ANY = 1, DNNL_QUERY_ARGUMENT = 255 };
/* True when a primitive of this plan is described without layouts. */
bool dnnl_chooses(const DnnlLibrary *library, const DnnlPlan *plan);
/* True when the primitive takes or gives a copy of memory number i, in its own layout: where it is
 * described without layouts, and of operands with gaps that its description does not name, such as
 * a scale. */
bool dnnl_copies(const DnnlLibrary *library, const DnnlPlan *plan, int i);
/* Copies a memory into another of the same extents; the library's status. */
int dnnl_reorder(const DnnlLibrary *library, const void *from_descriptor, void *from,
                 const void *to_descriptor, void *to);

/* Attributes with the plan's activation, which attributes_destroy releases; the library's status.
 */
int dnnl_make_attributes(DnnlLibrary *library, const DnnlPlan *plan, void **attributes);

#endif
