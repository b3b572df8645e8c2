/* A case as a graph of cuDNN (cudnn_graph.h of its headers): descriptors with attributes, which the
 * worker makes, reproducers print, and a test offers to the library. */
#ifndef OPS_BACKEND_CUDNN_GRAPH_H
#define OPS_BACKEND_CUDNN_GRAPH_H

#include "ops/case/case.h"

/* An attribute: its name in the headers, its number, and the cudnnBackendAttributeType_t of its
 * values.  A kind of descriptor: its name and its number. */
typedef struct GraphKey {
    const char *name;
    int number, type;
} GraphKey;

/* Types whose values are no 32-bit enumerators. */
enum {
    GRAPH_HANDLE = 0,
    GRAPH_BOOLEAN = 2,
    GRAPH_INTEGER = 3, /* int64_t */
    GRAPH_SINGLE = 4,  /* float */
    GRAPH_DOUBLE = 5,
    GRAPH_ADDRESS = 6,
    GRAPH_DESCRIPTOR = 15
};

enum {
    GRAPH_AXES_MAX = 6,
    GRAPH_ATTRIBUTES_MAX = 12,
    GRAPH_DESCRIPTORS_MAX = 56,
    GRAPH_OPERATIONS_MAX = 14
};

/* values are integers, enumerators, or places of descriptors in the plan, as the type of the key
 * says; real is the one value of a floating-point type. */
typedef struct GraphAttribute {
    const GraphKey *key;
    int count;
    int64_t values[GRAPH_AXES_MAX];
    double real;
} GraphAttribute;

/* The value of an alignment that is the one of the operand's address, up to GRAPH_ALIGNMENT_MOST.
 */
enum { GRAPH_AS_ALIGNED = 0, GRAPH_ALIGNMENT_MOST = 16, GRAPH_TENSOR_ALIGNMENT = 900 };

enum { GRAPH_NO_DATA = -1, GRAPH_NUMBER = -2, GRAPH_OWN = -3 };
typedef struct GraphDescriptor {
    const GraphKey *kind;
    int count;
    GraphAttribute attributes[GRAPH_ATTRIBUTES_MAX];
    /* The operand with a tensor's data, or if inverse is set with v of 1 / sqrt(v + number) in
     * memory of its own; GRAPH_NUMBER for `number`, in memory of the host; GRAPH_OWN for a result
     * that nobody wants, of so many bytes; or GRAPH_NO_DATA, which is all that other descriptors
     * have. */
    int operand;
    bool inverse;
    float number;
    int64_t bytes;
} GraphDescriptor;

/* The unique number of a tensor is its place and 1. */
typedef struct GraphPlan {
    GraphDescriptor descriptors[GRAPH_DESCRIPTORS_MAX];
    int operations[GRAPH_OPERATIONS_MAX]; /* places of descriptors */
    int count, operation_count;
} GraphPlan;

/* Element types (a mask) in which there are graphs for an operator. */
uint32_t cudnn_graph_dtypes(const OpDesc *op);
/* The graph of a case whose operands lie as the layouts of shapes say, with any strides; false
 * where there is none. */
bool cudnn_graph_plan(GraphPlan *plan, const Case *c, const Shapes *shapes);

/* The mode of an operator's function, reduction or normalisation: an enumerator; NULL without. */
const GraphKey *cudnn_graph_mode(const OpDesc *op);

/* All attributes, types of values and kinds of descriptors that this tool names, each list ended by
 * one without a name. */
extern const GraphKey graph_keys[], graph_types[], graph_kinds[];
/* The one with a number, which must be in the list. */
const GraphKey *graph_name(const GraphKey *list, int number);

/* Kinds of the descriptors between a plan and its execution; they are in those lists too. */
enum {
    GRAPH_KIND_ENGINE = 2,
    GRAPH_KIND_CONFIG = 3,
    GRAPH_KIND_HEURISTICS = 4,
    GRAPH_KIND_EXECUTION = 5,
    GRAPH_KIND_OPERATIONS = 15,
    GRAPH_KIND_DATA = 16
};
enum {
    HEURISTICS_MODE = 200,
    HEURISTICS_OPERATIONS = 201,
    HEURISTICS_RESULTS = 202,
    CONFIG_ENGINE = 300,
    EXECUTION_HANDLE = 400,
    EXECUTION_CONFIG = 401,
    EXECUTION_WORKSPACE = 402,
    OPERATIONS_HANDLE = 800,
    OPERATIONS_LIST = 801,
    DATA_NUMBERS = 1000,
    DATA_ADDRESSES = 1001,
    DATA_WORKSPACE = 1003,
    ENGINE_NOTES = 1303
};
/* Enumerators: heuristics that return most, and notes of engines whose errors no bound of a sum
 * covers, or that do not promise the same bits again. */
enum { HEURISTICS_A = 3, HEURISTICS_FALLBACK = 2 };
enum { NOTE_TRANSFORM = 3, NOTE_NONDETERMINISTIC = 4, NOTE_WINOGRAD = 5, NOTE_WINOGRAD_LAST = 8 };
enum { TYPE_HEURISTICS_MODE = 8, TYPE_NOTE = 11 };
/* Configurations of engines that are asked for. */
enum { GRAPH_CONFIGS_MAX = 100 };

#endif
