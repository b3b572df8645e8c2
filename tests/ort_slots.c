/* ort_slots LIBRARY VERSION: whether the functions of ONNX Runtime's table that we call by number
 * (ort_api.h) do what we call them for.  No package has the header of these versions, so each is
 * held to its effect. */
#include <dirent.h>
#include <dlfcn.h>
#include <malloc.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "ops/backend/onnx/ort_api.h"

enum {
    INVALID_ARGUMENT = 2,
    INVALID_PROTOBUF = 7,
    FLOAT = 1,
    DEVICE_ALLOCATOR = 0,
    DEFAULT_MEMORY = 0
};
enum { LONGEST_WAIT = 10000, THREADS = 3, ROUNDS = 20000, GROWTH = 1 << 20 };

/* y = Neg(x) on two elements of f32, as protocol buffers: IR 8, operators of version 13. */
static const char model[] = "\x08\x08\x42\x02\x10\x0d\x3a\x33"
                            "\x0a\x0b\x0a\x01x\x12\x01y\x22\x03Neg\x12\x02me"
                            "\x5a\x0f\x0a\x01x\x12\x0a\x0a\x08\x08\x01\x12\x04\x0a\x02\x08\x02"
                            "\x62\x0f\x0a\x01y\x12\x0a\x0a\x08\x08\x01\x12\x04\x0a\x02\x08\x02";

static void *const *api;

/* The function of a slot, of the type that is wanted. */
#define SLOT(Type, slot) ((Type *)(api[slot]))

/* The code of an error, whose status is released; 0 is success. */
static int code_of(void *status)
{
    if (!status)
        return 0;
    int code = SLOT(OrtErrorCode, ORT_ERROR_CODE)(status);
    CHECK(strlen(SLOT(OrtErrorMessage, ORT_ERROR_MESSAGE)(status)) > 3);
    SLOT(OrtRelease, ORT_RELEASE_STATUS)(status);
    return code;
}

static int threads_alive(void)
{
    int count = 0;
    DIR *folder = opendir("/proc/self/task");
    while (folder && readdir(folder))
        count++;
    if (folder)
        closedir(folder);
    return count;
}

/* Whether so many threads are alive, within LONGEST_WAIT milliseconds: a thread that has been
   joined stays in the list of its process until the kernel has taken it down. */
static bool threads_become(int expected)
{
    struct timespec pause = {.tv_nsec = 1000 * 1000};
    for (int wait = 0; wait < LONGEST_WAIT && threads_alive() != expected; wait++)
        nanosleep(&pause, NULL);
    return threads_alive() == expected;
}

static void *new_tensor(const void *memory, float *data)
{
    static const int64_t shape[] = {2};
    void *value = NULL;
    OrtCreateTensor *create = SLOT(OrtCreateTensor, ORT_CREATE_TENSOR);
    CHECK(code_of(create(memory, data, sizeof *data, shape, 1, FLOAT, &value)) == INVALID_ARGUMENT);
    CHECK(code_of(create(memory, data, 2 * sizeof *data, shape, 1, FLOAT, &value)) == 0 && value);
    return value;
}

static void check_session(void *environment, const void *memory, void *options)
{
    static const char *const x_name = "x", *const y_name = "y";
    float data[] = {1, -2}, result[] = {0, 0};
    void *session = NULL, *y = new_tensor(memory, result);
    const void *x = new_tensor(memory, data);
    OrtCreateSession *create = SLOT(OrtCreateSession, ORT_CREATE_SESSION);
    int before = threads_alive();
    CHECK(code_of(create(environment, "nonsense", 8, options, &session)) == INVALID_PROTOBUF);
    CHECK(threads_become(before));
    CHECK(code_of(create(environment, model, sizeof model - 1, options, &session)) == 0 && session);
    CHECK(threads_become(before + THREADS - 1));
    if (session) {
        CHECK(code_of(SLOT(OrtRun, ORT_RUN)(session, NULL, &x_name, &x, 1, &y_name, 1, &y)) == 0);
        CHECK(result[0] == -1 && result[1] == 2);
        SLOT(OrtRelease, ORT_RELEASE_SESSION)(session);
    }
    CHECK(threads_become(before));
    SLOT(OrtRelease, ORT_RELEASE_VALUE)((void *)x);
    SLOT(OrtRelease, ORT_RELEASE_VALUE)(y);
}

/* Release must free values, and the statuses of errors. */
static void check_release(const void *memory)
{
    float data[2] = {0};
    SLOT(OrtRelease, ORT_RELEASE_VALUE)(new_tensor(memory, data));
    size_t before = mallinfo2().uordblks;
    for (int i = 0; i < ROUNDS; i++)
        SLOT(OrtRelease, ORT_RELEASE_VALUE)(new_tensor(memory, data));
    CHECK(mallinfo2().uordblks < before + GROWTH);
}

int main(int argc, char **argv)
{
    void *library = argc == 3 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    const OrtApiBase *(*base)(void) = NULL;
    *(void **)&base = library ? dlsym(library, "OrtGetApiBase") : NULL;
    if (!base) {
        (void)fprintf(stderr, "ort_slots: %s\n", argc == 3 ? dlerror() : "two arguments");
        return 2;
    }
    CHECK(!strcmp(base()->version(), argv[2]));
    CHECK(!base()->api(100000));
    api = base()->api(ORT_API_VERSION);
    CHECK(api);
    if (!api)
        return check_end("ort_slots");
    void *environment = NULL, *options = NULL, *memory = NULL;
    CHECK(code_of(SLOT(OrtCreateEnvironment, ORT_CREATE_ENVIRONMENT)(ORT_LOG_FATAL, "slots",
                                                                     &environment)) == 0 &&
          environment);
    CHECK(code_of(SLOT(OrtCreate, ORT_CREATE_OPTIONS)(&options)) == 0 && options);
    CHECK(code_of(SLOT(OrtSetNumber, ORT_SET_OPTIMISATION)(options, 12345)) == INVALID_ARGUMENT);
    CHECK(code_of(SLOT(OrtSetNumber, ORT_SET_OPTIMISATION)(options, ORT_OPTIMISE_ALL)) == 0);
    CHECK(code_of(SLOT(OrtSetNumber, ORT_SET_INTRA_THREADS)(options, THREADS)) == 0);
    CHECK(code_of(SLOT(OrtSetNumber, ORT_SET_INTER_THREADS)(options, 1)) == 0);
    CHECK(code_of(SLOT(OrtCreateMemory, ORT_CREATE_CPU_MEMORY)(DEVICE_ALLOCATOR, DEFAULT_MEMORY,
                                                               &memory)) == 0 &&
          memory);
    check_session(environment, memory, options);
    check_release(memory);
    return check_end("ort_slots");
}
