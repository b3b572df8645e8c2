/* Graphs of the simulated cuDNN: descriptors as lists of attributes, and their operations. */
#ifndef FAKECUDA_DNN_GRAPH_H
#define FAKECUDA_DNN_GRAPH_H

#include "dnn.h"

enum { NODE_VALUES = 112, NODE_ATTRIBUTES = 20, TENSOR_AXES = 6 };
enum { TYPE_BOOLEAN = 2, TYPE_INTEGER = 3, TYPE_SINGLE = 4, TYPE_DOUBLE = 5, TYPE_ADDRESS = 6 };
enum { TYPE_HANDLE = 0, TYPE_DESCRIPTOR = 15 };

typedef struct Attribute {
    int number, type;
    int64_t count;
    union {
        int64_t integers[NODE_VALUES];
        void *addresses[NODE_VALUES];
        double real;
    } as;
} Attribute;

typedef struct Node {
    int magic, kind, count;
    bool finished;
    Attribute attributes[NODE_ATTRIBUTES];
} Node;

Attribute *node_find(Node *node, int number);
/* One value of an attribute, or what it is without. */
int64_t node_integer(Node *node, int number, int64_t otherwise);
double node_real(Node *node, int number, double otherwise);
Node *node_part(Node *node, int number);

/* A tensor in an execution: elements in memory of the device or, where it lies between operations,
 * values that are rounded to its type. */
typedef struct View {
    int rank, type;
    int64_t extent[TENSOR_AXES], stride[TENSOR_AXES];
    void *data;
} View;
double view_read(const View *view, const int64_t *at);
/* Indices beyond an extent of 1 are 0. */
void view_write(const View *view, const int64_t *at, double value);
int64_t view_count(const View *view);
void view_indices(const View *view, int64_t number, int64_t *at);

/* Where tensors lie: the view of one. */
typedef struct Execution Execution;
View execution_view(const Execution *execution, Node *tensor);

/* Runs one operation; false where there is no such kernel.  engine is 1 on the matrix unit. */
bool graph_run(const Execution *execution, Node *operation, int engine);
/* Whether there is an operation of that kind. */
bool graph_has(Node *operation);

#endif
