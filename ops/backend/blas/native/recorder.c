/* The library that `opconform record` has loaded before all others: its
 * functions have the names of the BLAS, write their calls down and call the
 * library that would have been called.
 *
 * There are no locks, so that a child of fork() never finds one taken: the file
 * is a hash table whose entries are claimed by compare-and-swap, and what was
 * found out of callers is in lists that only grow. */
#include "recorder.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ops/backend/blas/convention.h"
#include "ops/backend/blas/recording.h"

/* A function of a library, as callers of one object reach it. */
typedef struct Reached {
    const struct Reached *next;
    const void *object; /* where the caller's object begins */
    RecorderTarget *target;
    bool wide_integers, hidden_results;
} Reached;

/* What a place in a program calls, by its return address. */
typedef struct CallSite {
    const void *caller;
    uint32_t place;
    const Reached *reached;
} CallSite;

enum { SITES = 1 << 14, PLACES_MAX = 1 << 14, OBJECTS_MAX = 1024 };
static const CallSite *_Atomic sites[SITES];
static const Reached *_Atomic reached_by[PLACES_MAX];
static Recording *recording;
/* The frame of the outermost exported function of the thread. */
static __thread const void *outermost __attribute__((tls_model("initial-exec")));

/* Before any other object, which may call the BLAS as it is loaded. */
__attribute__((constructor(101))) static void open_recording(void)
{
    const char *path = getenv(RECORDING_VARIABLE);
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    void *map = file < 0
                    ? MAP_FAILED
                    : mmap(NULL, sizeof(Recording), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file >= 0)
        (void)close(file);
    if (map == MAP_FAILED || ((Recording *)map)->layout != RECORDING_LAYOUT) {
        if (path)
            (void)fprintf(stderr, "opconform record: process %d is not recorded: %s: %m\n",
                          (int)getpid(), path);
        return;
    }
    recording = map;
    (void)atomic_fetch_add(&recording->processes, 1);
}

/* The handle of an object by its name; it stays loaded, so that what was found
 * in it stays good. */
static void *object_handle(const struct link_map *map)
{
    return dlopen(map && map->l_name[0] ? map->l_name : NULL,
                  RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

/* Names of loaded objects. */
typedef struct Objects {
    const char *names[OBJECTS_MAX];
    int count;
} Objects;

static int list_object(struct dl_phdr_info *object, size_t size, void *context)
{
    Objects *objects = context;
    (void)size;
    if (objects->count < OBJECTS_MAX && object->dlpi_name[0])
        objects->names[objects->count++] = object->dlpi_name;
    return 0;
}

/* The function of the first loaded object, other than this one, through which there is one. */
static void *search_objects(const char *name)
{
    Objects objects = {.count = 0};
    Dl_info own = {0}, found = {0};
    (void)dl_iterate_phdr(list_object, &objects);
    (void)dladdr((const void *)sites, &own);
    for (int i = 0; i < objects.count; i++) {
        void *handle = dlopen(objects.names[i], RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
        void *function = handle ? dlsym(handle, name) : NULL;
        if (function && dladdr(function, &found) && found.dli_fbase != own.dli_fbase)
            return function;
    }
    return NULL;
}

/* A function as the dynamic linker finds it for an object: in what the program
 * was started with, or else in what the object brought with it.  A caller that
 * ended with a jump to the function is not seen, but the one before it, whose
 * object may know nothing of the library: then it is the first that is loaded.
 */
static void *find_function(const char *name, void *handle)
{
    void *function = dlsym(RTLD_NEXT, name);
    if (!function && handle)
        function = dlsym(handle, name);
    return function ? function : search_objects(name);
}

static const Reached *reach(uint32_t place, const void *caller)
{
    const RecorderFunction *function = &recorder_functions[place];
    Dl_info object = {0};
    struct link_map *map = NULL;
    (void)dladdr1(caller, &object, (void **)&map, RTLD_DL_LINKMAP);
    for (const Reached *at = reached_by[place]; at; at = at->next)
        if (at->object == object.dli_fbase)
            return at;
    void *handle = object_handle(map), *target = find_function(function->name, handle);
    Reached *found = calloc(1, sizeof *found);
    if (!target || !found) {
        (void)fprintf(stderr, "opconform record: %s is called, and no library has it\n",
                      function->name);
        abort();
    }
    *found = (Reached){.object = object.dli_fbase, .wide_integers = function->wide_integers};
    *(void **)&found->target = target;
    if (!found->wide_integers)
        found->wide_integers = cblas_has_wide_integers(find_function(function->isamax, handle));
    if (function->may_hide)
        found->hidden_results = fortran_hides_results(find_function(function->cdotu, handle));
    found->next = reached_by[place];
    while (!atomic_compare_exchange_weak(&reached_by[place], &found->next, found))
        continue;
    return found;
}

static const Reached *reach_quickly(uint32_t place, const void *caller)
{
    size_t slot = ((uintptr_t)caller * 31 + place) % SITES;
    const CallSite *site = sites[slot];
    if (site && site->caller == caller && site->place == place)
        return site->reached;
    const Reached *reached = reach(place, caller);
    CallSite *own = site ? NULL : malloc(sizeof *own);
    if (own) {
        *own = (CallSite){caller, place, reached};
        if (!atomic_compare_exchange_strong(&sites[slot], &site, own))
            free(own);
    }
    return reached;
}

static uint64_t class_of(double value)
{
    return isnan(value)   ? SCALAR_NAN
           : isinf(value) ? SCALAR_INFINITE
           : value == 0   ? SCALAR_ZERO
           : value == 1   ? SCALAR_ONE
           : value == -1  ? SCALAR_MINUS_ONE
                          : SCALAR_OTHER;
}

/* What tells a call from others; of the arrays, what the arguments fill. */
typedef struct Key {
    uint32_t function, same;
    uint64_t classes;
    int count, scalar_count;
    int64_t integers[RECORDED_ARGUMENTS];
    double scalars[RECORDED_SCALARS][2];
} Key;

static int64_t read_integer(const void *at, bool wide)
{
    int64_t wide_value;
    int32_t value;
    if (wide)
        memcpy(&wide_value, at, sizeof wide_value);
    else
        memcpy(&value, at, sizeof value);
    return wide ? wide_value : value;
}

static void read_scalar(Key *key, char type, const void *at)
{
    bool wide = type == 'd' || type == 'z';
    int components = type == 'c' || type == 'z' ? 2 : 1;
    if (key->scalar_count == RECORDED_SCALARS)
        return;
    key->scalars[key->scalar_count][1] = 0;
    for (int part = 0; part < components; part++) {
        float narrow;
        double value;
        memcpy(wide ? (void *)&value : (void *)&narrow, (const char *)at + part * (wide ? 8 : 4),
               wide ? 8 : 4);
        value = wide ? value : narrow;
        key->scalars[key->scalar_count][part] = value;
        key->classes = key->classes << 4 | class_of(value);
    }
    key->scalar_count++;
}

/* False for a call whose arguments are arrays of groups. */
static bool read_call(Key *key, const RecorderFunction *function, const Reached *reached,
                      const void *const *values)
{
    const void *operands[RECORDED_ARGUMENTS];
    int count = 0;
    values += reached->hidden_results;
    key->function = function->number;
    key->same = 0;
    key->classes = 0;
    key->count = key->scalar_count = 0;
    for (int i = 0; function->arguments[i]; i++) {
        char type = function->arguments[i];
        if (type == 'g')
            return false;
        key->integers[key->count++] = 0;
        if (type == 'i')
            key->integers[i] = read_integer(values[i], reached->wide_integers);
        else if (type == 'e')
            key->integers[i] = read_integer(values[i], false);
        else if (type == 'l')
            key->integers[i] = *(const unsigned char *)values[i];
        else if (type == 'o')
            operands[count++] = values[i];
        else if (type != 'h')
            read_scalar(key, type, values[i]);
    }
    for (int k = 1; k < count && k < 4; k++)
        for (int i = 0; i < k; i++)
            if (operands[k] && operands[k] == operands[i])
                key->same |= 1u << (4 * i + k);
    return true;
}

static uint64_t hash_of(const Key *key)
{
    uint64_t hash = key->function * 0x9e3779b97f4a7c15u ^ key->classes ^ (uint64_t)key->same << 32;
    for (int i = 0; i < key->count; i++) {
        hash = (hash ^ (uint64_t)key->integers[i]) * 0xff51afd7ed558ccdu;
        hash ^= hash >> 32;
    }
    return hash;
}

static bool is_same_call(const RecordedCall *call, const Key *key)
{
    return call->function == key->function && call->same == key->same &&
           call->classes == key->classes &&
           !memcmp(call->integers, key->integers, (size_t)key->count * sizeof key->integers[0]);
}

/* Takes a free entry for the call; false where another thread was first. */
static bool write_call(RecordedCall *call, const Key *key, uint64_t hash)
{
    uint64_t free_entry = 0;
    if (!atomic_compare_exchange_strong(&call->state, &free_entry, hash * 4 + 1))
        return false;
    call->function = key->function;
    call->same = key->same;
    call->classes = key->classes;
    memcpy(call->integers, key->integers, (size_t)key->count * sizeof key->integers[0]);
    memcpy(call->scalars, key->scalars, (size_t)key->scalar_count * sizeof key->scalars[0]);
    atomic_store(&call->count, 1);
    atomic_store(&call->state, hash * 4 + 2);
    return true;
}

static void note(const Key *key)
{
    enum { STEPS = 512 };
    uint64_t hash = hash_of(key);
    for (uint64_t step = 0; step < STEPS; step++) {
        RecordedCall *call = &recording->calls[(hash + step) % RECORDED_CALLS];
        uint64_t state = atomic_load_explicit(&call->state, memory_order_acquire);
        if (state == 0 && write_call(call, key, hash))
            return;
        if (atomic_load(&call->state) == hash * 4 + 2 && is_same_call(call, key)) {
            (void)atomic_fetch_add_explicit(&call->count, 1, memory_order_relaxed);
            return;
        }
    }
    (void)atomic_fetch_add(&recording->lost[LOSS_FULL], 1);
}

RecorderTarget *recorder_begin(uint32_t place, const void *const *values, const void *caller,
                               const void *frame)
{
    const Reached *reached = reach_quickly(place, caller);
    if (!recording)
        return reached->target;
    /* The stack grows downwards: what lies above has been left, if only by a
     * jump. */
    if (outermost && frame < outermost) {
        (void)atomic_fetch_add_explicit(&recording->lost[LOSS_NESTED], 1, memory_order_relaxed);
        return reached->target;
    }
    outermost = frame;
    Key key;
    if (read_call(&key, &recorder_functions[place], reached, values))
        note(&key);
    else
        (void)atomic_fetch_add(&recording->lost[LOSS_GROUPS], 1);
    return reached->target;
}

void recorder_end(const void *frame)
{
    if (outermost == frame)
        outermost = NULL;
}
