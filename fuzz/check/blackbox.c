/* The table of cells: open addressing, one writer. */
#include "blackbox.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "reference/random.h"

const char *phase_name(Phase phase)
{
    static const char *const names[PHASE_COUNT] = {"engine", "fill", "reference", "kernel",
                                                   "oracle"};
    return names[phase];
}

static const uint64_t seal = 0x9d6a3f51c872be04;

void blackbox_seal(BlackBox *box)
{
    box->seal_first = box->seal_middle = box->seal_last = seal;
}

bool blackbox_is_whole(const BlackBox *box)
{
    return box->seal_first == seal && box->seal_middle == seal && box->seal_last == seal;
}

uint64_t blackbox_call(const BlackBox *box)
{
    uint64_t started = box->kernel_started;
    return blackbox_is_whole(box) ? started : 1;
}

static BlackBox *map(int kind, int file)
{
    void *memory = mmap(NULL, sizeof(BlackBox), PROT_READ | PROT_WRITE, kind, file, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

BlackBox *blackbox_map(int file)
{
    return map(MAP_SHARED, file);
}

BlackBox *blackbox_create(void)
{
    BlackBox *box = map(MAP_SHARED | MAP_ANONYMOUS, -1);
    if (box)
        blackbox_seal(box);
    return box;
}

BlackBox *blackbox_create_file(int *file)
{
    *file = memfd_create("record", MFD_CLOEXEC);
    BlackBox *box =
        *file >= 0 && ftruncate(*file, (off_t)sizeof(BlackBox)) == 0 ? blackbox_map(*file) : NULL;
    if (box) {
        blackbox_seal(box);
        return box;
    }
    if (*file >= 0)
        (void)close(*file);
    *file = -1;
    return blackbox_create();
}

void blackbox_destroy(BlackBox *box)
{
    if (box)
        (void)munmap(box, sizeof *box);
}

CoverageCell *blackbox_cell(BlackBox *box, const Case *c, int backend)
{
    const char *fill = case_fill_name(c);
    uint64_t key =
        random_mix(((uint64_t)op_tag(c->op) << 32) ^ ((uint64_t)name_tag("", fill) << 16) ^
                   ((uint64_t)case_dtype(c) << 8) ^ (uint64_t)backend) |
        1;
    for (uint64_t probe = 0; probe < BOX_CELLS_MAX; probe++) {
        CoverageCell *cell = &box->cells[(key + probe) % BOX_CELLS_MAX];
        if (cell->key == key)
            return cell;
        if (cell->key != 0)
            continue;
        cell->op = c->op;
        cell->dtype = case_dtype(c);
        cell->backend = backend;
        (void)snprintf(cell->fill, sizeof cell->fill, "%s", fill);
        cell->key = key;
        return cell;
    }
    return NULL;
}

int ladder_step(double ratio)
{
    if (ratio == 0)
        return 0;
    if (!(ratio <= 1))
        return LADDER_STEPS - 1;
    int step = LADDER_STEPS - 2 + (int)ceil(log2(ratio));
    return step < 1 ? 1 : step;
}
