/* Offers graphs of random cases, in whatever layout they have, to the cuDNN that is installed,
 * which knows the device from its description alone: which operators it takes, and what engines it
 * has for them.
 *
 *     offer FOLDER CASES OPERATOR...
 *
 * prints for each operator and element type how many cases had a graph, how many of those were
 * taken as one, how many have a configuration that is compiled, and the first error otherwise. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ops/backend/cuda/native/cudnn.h"

enum { KIND_DEVICE = 38, DEVICE_TEXT = 2702, TYPE_TEXT = 24, EXECUTION_DEVICE = 407 };
enum { HEURISTICS_DEVICE = 204, WANTED = 8, BYTES = 4096, WORK_MAX = 1 << 24 };

/* An H200 as CUDA describes it. */
static const char device[] =
    "{\"maxGridSize\":[2147483647,65535,65535],\"maxBlockSize\":[1024,1024,64],"
    "\"regsPerBlock\":65536,\"multiProcessorCount\":132,\"smCountOrigin\":0,\"warpSize\":32,"
    "\"maxSharedMemoryPerBlock\":49152,\"maxSharedMemoryPerBlockOptin\":232448,"
    "\"oversizedSharedMemoryPerBlock\":0,\"memoryBusWidth\":6144,"
    "\"reservedSharedMemoryPerBlock\":1024,\"maxRegistersPerSM\":65536,\"maxCtasPerSM\":32,"
    "\"maxThreadsPerBlock\":1024,\"maxThreadsPerSM\":2048,\"pciDeviceId\":9041,\"isTccDriver\":0,"
    "\"supportCoopLaunch\":1,\"smClockRateKHz\":1980000,\"memClockRateKHz\":3201000,"
    "\"l2CacheSize\":62914560,\"deviceName\":\"NVIDIA H200\",\"deviceVer\":900,"
    "\"driverVer\":13000,\"totalGlobalMem\":150754820096,\"cudaDeviceId\":0}";

typedef struct Tally {
    int planned, taken, compiled, first_error;
    Text first; /* the case that it was of */
} Tally;

static DnnGraphs graphs;
static Workspace workspace;
static const char *(*error_text)(int status);

static void *find(void *library, const char *name)
{
    void *found = dlsym(library, name);
    if (!found) {
        (void)fprintf(stderr, "no %s\n", name);
        exit(3);
    }
    return found;
}

static void load(const char *folder)
{
    char path[512];
    (void)snprintf(path, sizeof path, "%s/libcudnn.so.9", folder);
    void *library = dlopen(path, RTLD_NOW);
    if (!library) {
        (void)fprintf(stderr, "%s\n", dlerror());
        exit(3);
    }
    *(void **)&graphs.create = find(library, "cudnnBackendCreateDescriptor");
    *(void **)&graphs.destroy = find(library, "cudnnBackendDestroyDescriptor");
    *(void **)&graphs.set = find(library, "cudnnBackendSetAttribute");
    *(void **)&graphs.get = find(library, "cudnnBackendGetAttribute");
    *(void **)&graphs.finalize = find(library, "cudnnBackendFinalize");
    *(void **)&error_text = find(library, "cudnnGetErrorString");
}

/* An attribute that only this program has. */
static void set(GraphBuild *build, void *descriptor, int attribute, int type, int64_t count,
                const void *values)
{
    if (!build->status)
        build->status = graphs.set(descriptor, attribute, type, count, values);
}

static int compile(GraphBuild *build, void *operations, void *described)
{
    void *configs[WANTED];
    int mode = HEURISTICS_A, compiled = 0;
    void *heuristics = graph_new(build, GRAPH_KIND_HEURISTICS);
    graph_set(build, heuristics, HEURISTICS_OPERATIONS, 1, &operations);
    graph_set(build, heuristics, HEURISTICS_MODE, 1, &mode);
    set(build, heuristics, HEURISTICS_DEVICE, GRAPH_DESCRIPTOR, 1, &described);
    graph_finish(build, heuristics);
    for (int i = 0; i < WANTED; i++)
        configs[i] = graph_new(build, GRAPH_KIND_CONFIG);
    int64_t found = graph_get(build, heuristics, HEURISTICS_RESULTS, WANTED, configs);
    for (int64_t i = 0; i < found && !compiled; i++) {
        GraphBuild one = {.graphs = &graphs};
        void *execution = graph_new(&one, GRAPH_KIND_EXECUTION);
        graph_set(&one, execution, EXECUTION_CONFIG, 1, &configs[i]);
        set(&one, execution, EXECUTION_DEVICE, GRAPH_DESCRIPTOR, 1, &described);
        graph_finish(&one, execution);
        compiled += one.status == 0;
        if (one.status)
            build->status = one.status;
        graph_end(&one);
    }
    return compiled;
}

static void offer(const Case *c, void *described, Tally *tally)
{
    GraphPlan plan;
    Shapes shapes;
    int alignments[OP_TENSORS_MAX];
    GraphBuild build = {.graphs = &graphs};
    Operands o;
    operands_build(&o, &workspace, c);
    shapes = o.shapes;
    for (int i = 0; i < shapes.count; i++)
        shapes.tensor[i].layout = o.view[i];
    if (!cudnn_graph_plan(&plan, c, &shapes))
        return;
    for (int i = 0; i < shapes.count; i++)
        alignments[i] = GRAPH_ALIGNMENT_MOST;
    tally->planned++;
    void *operations = graph_operations(&build, &plan, alignments, NULL);
    tally->taken += build.status == 0;
    tally->compiled += compile(&build, operations, described);
    if (build.status && !tally->first_error) {
        tally->first_error = build.status;
        case_print_call(c, &tally->first);
    }
    graph_end(&build);
}

static void offer_operator(const OpDesc *op, DType dtype, int cases, void *described)
{
    Tally tally = {0};
    Scope scope = {.ops = {op}, .op_count = 1, .dtypes = 1u << dtype};
    for (int drawn = 0; tally.planned < cases && drawn < 20 * cases; drawn++) {
        uint8_t bytes[BYTES];
        Case c;
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)(random() >> 8);
        case_draw(&c, &scope, (Choices){bytes, sizeof bytes, 0});
        if (case_work(&c) < WORK_MAX)
            offer(&c, described, &tally);
    }
    printf("%s %s: %d graphs, %d taken, %d compiled", op->name, dtype_name(dtype), tally.planned,
           tally.taken, tally.compiled);
    if (tally.first_error)
        printf(", %s for %s", error_text(tally.first_error), text_string(&tally.first));
    printf("\n");
    text_release(&tally.first);
}

int main(int count, char **arguments)
{
    if (count < 4) {
        (void)fprintf(stderr, "usage: %s FOLDER CASES OPERATOR...\n", arguments[0]);
        return 2;
    }
    load(arguments[1]);
    if (!workspace_init(&workspace))
        return 3;
    GraphBuild build = {.graphs = &graphs};
    void *described = graph_new(&build, KIND_DEVICE);
    set(&build, described, DEVICE_TEXT, TYPE_TEXT, sizeof device, device);
    graph_finish(&build, described);
    if (build.status) {
        (void)fprintf(stderr, "the device: %s\n", error_text(build.status));
        return 3;
    }
    for (int i = 3; i < count; i++) {
        const OpDesc *op = op_find(arguments[i]);
        for (int dtype = 0; op && dtype < DT_COUNT; dtype++)
            if (cudnn_graph_dtypes(op) >> dtype & 1)
                offer_operator(op, (DType)dtype, atoi(arguments[2]), described);
        (void)fflush(stdout);
    }
    return 0;
}
