/* OpenBLAS keeps the parameters of the running core in the table `gotoblas`, for each element type
 * the integers P, Q, R, UNROLL_M, UNROLL_N and the larger of these two; BLIS keeps block sizes of
 * s, d, c and z in rows of 8 (sizes, then storage) at the beginning of its context, in the order
 * KR, MR, NR, MC, KC, NC.  Where in the table differs between versions, so that numbers count only
 * if they relate to each other as such sizes do. */
#include "blocks.h"

#include <dlfcn.h>
#include <link.h>

enum { SMALLEST_BLOCK = 32, LARGEST_UNROLL = 64, LARGEST_BLOCK = 65536 };

static void add_block(BackendFacts *facts, int64_t block)
{
    int count = 0;
    while (facts->blocks[count] && facts->blocks[count] != block)
        count++;
    if (block > 1 && block <= BLOCK_EXTENT_MAX && count < BLOCKS_MAX - 1)
        facts->blocks[count] = block;
}

static bool is_unroll(int value)
{
    return value >= 1 && value <= LARGEST_UNROLL && (value & (value - 1)) == 0;
}

static bool is_block(int value)
{
    return value >= SMALLEST_BLOCK && value < LARGEST_BLOCK && value % 8 == 0;
}

static void read_gotoblas(const int *table, BackendFacts *facts)
{
    Dl_info file;
    const ElfW(Sym) *symbol = NULL;
    if (!dladdr1(table, &file, (void **)&symbol, RTLD_DL_SYMENT) || !symbol)
        return;
    for (const int *at = table; at + 6 <= table + symbol->st_size / sizeof *table; at++) {
        int larger = at[3] > at[4] ? at[3] : at[4];
        if (!is_block(at[0]) || !is_block(at[1]) || at[2] < at[1] || !is_unroll(at[3]) ||
            !is_unroll(at[4]) || at[5] != larger)
            continue;
        for (int k = 0; k < 5; k++)
            add_block(facts, at[k]);
        at += 5;
    }
}

typedef enum BlisRow { BLIS_KR, BLIS_MR, BLIS_NR, BLIS_MC, BLIS_KC, BLIS_NC, BLIS_ROWS } BlisRow;

static void read_blis(const int64_t (*rows)[8], BackendFacts *facts)
{
    enum { TYPES = 4 };
    for (int type = 0; type < TYPES; type++) {
        int64_t mr = rows[BLIS_MR][type], nr = rows[BLIS_NR][type];
        if (mr < 1 || mr > LARGEST_UNROLL || nr < 1 || nr > LARGEST_UNROLL ||
            rows[BLIS_MC][type] % mr != 0 || rows[BLIS_NC][type] % nr != 0)
            return;
        for (int row = BLIS_MR; row < BLIS_ROWS; row++)
            if (rows[row][type] < mr)
                return;
    }
    for (int row = BLIS_MR; row < BLIS_ROWS; row++)
        for (int type = 0; type < TYPES; type++)
            add_block(facts, rows[row][type]);
}

void cblas_read_blocks(void *handle, BackendFacts *facts)
{
    const int *const *gotoblas = dlsym(handle, "gotoblas");
    void (*blis_init)(void) = (void (*)(void))dlsym(handle, "bli_init");
    const void *(*blis_context)(void) =
        (const void *(*)(void))dlsym(handle, "bli_gks_query_nat_cntx");
    if (gotoblas && *gotoblas)
        read_gotoblas(*gotoblas, facts);
    if (!blis_init || !blis_context)
        return;
    blis_init();
    read_blis(blis_context(), facts);
}
