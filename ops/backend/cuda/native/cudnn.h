/* cuDNN behind the worker protocol: its functions, looked up at run time, and one call. */
#ifndef OPS_BACKEND_NATIVE_CUDNN_H
#define OPS_BACKEND_NATIVE_CUDNN_H

#include "cuda.h"
#include "ops/backend/cuda/cudnn_graph.h"
#include "ops/backend/cuda/cudnn_plan.h"

/* Types as in cudnn.h, with handles, descriptors and streams as addresses and enumerations as int.
 */
typedef struct DnnGraphs {
    int (*create)(int kind, void **descriptor);
    int (*destroy)(void *descriptor);
    int (*set)(void *descriptor, int attribute, int type, int64_t count, const void *values);
    int (*get)(void *descriptor, int attribute, int type, int64_t room, int64_t *count,
               void *values);
    int (*finalize)(void *descriptor);
    int (*execute)(void *handle, void *plan, void *data);
} DnnGraphs;

enum { DNN_FUNCTIONS_MAX = 40 };
typedef struct DnnLibrary {
    const char *folder; /* of the libraries, or empty */
    CudaRuntime cuda;
    DnnMode mode;
    int (*create)(void **handle);
    int (*set_stream)(void *handle, void *stream);
    size_t (*version)(void);
    const char *(*error_text)(int status);
    DnnGraphs graphs;
    void *functions[DNN_FUNCTIONS_MAX]; /* as cudnn_functions names them; NULL where it has none */
} DnnLibrary;

typedef struct DnnSession {
    const DnnLibrary *library;
    CudaSession cuda;
    void *handle, *workspace; /* DNN_WORKSPACE_SIZE bytes on the device */
} DnnSession;

/* Descriptors in the making: nothing more is made once a status was not 0. */
enum { GRAPH_MADE_MAX = GRAPH_DESCRIPTORS_MAX + GRAPH_CONFIGS_MAX + 8 };
typedef struct GraphBuild {
    const DnnGraphs *graphs;
    void *made[GRAPH_MADE_MAX];
    int count, status;
} GraphBuild;
/* A descriptor of a kind; NULL after a failure. */
void *graph_new(GraphBuild *build, int kind);
void graph_set(GraphBuild *build, void *descriptor, int attribute, int64_t count,
               const void *values);
/* Up to so many values; returns their number. */
int64_t graph_get(GraphBuild *build, void *descriptor, int attribute, int64_t room, void *values);
void graph_finish(GraphBuild *build, void *descriptor);
/* Ends all that was made. */
void graph_end(GraphBuild *build);
/* The operations of a plan whose operands are aligned to so many bytes; handle may be NULL. */
void *graph_operations(GraphBuild *build, const GraphPlan *plan, const int *alignments,
                       void *handle);

/* cudnnStatus_t of what is not supported, in versions 8 and 9. */
enum { DNN_UNSUPPORTED = 9, DNN_UNSUPPORTED_FROM = 3000, DNN_UNSUPPORTED_END = 4000 };

/* One call: REPLY_..., and what its status comes to. */
uint32_t cudnn_call(DnnSession *session, const NativeRequest *request);
uint32_t cudnn_graph_call(DnnSession *session, const NativeRequest *request);
uint32_t cudnn_reply(const DnnSession *session, const NativeRequest *request, uint32_t reply,
                     int status);

#endif
