/* opconform-USER in the first folder for temporary files that takes it. */
#include "scratch.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base.h"

/* What others could have put there, or could change, is not used. */
static bool is_own_folder(const char *path)
{
    struct stat facts;
    return (mkdir(path, 0700) == 0 || access(path, W_OK) == 0) && lstat(path, &facts) == 0 &&
           S_ISDIR(facts.st_mode) && facts.st_uid == geteuid() &&
           (facts.st_mode & (S_IRWXG | S_IRWXO)) == 0;
}

const char *scratch_folder(void)
{
    static char folder[PATH_MAX];
    const char *places[] = {getenv("TMPDIR"), "/tmp", "/var/tmp"};
    for (size_t i = 0; i < COUNT_OF(places) && !folder[0]; i++) {
        char *place = places[i] ? realpath(places[i], NULL) : NULL;
        char path[PATH_MAX];
        int length =
            snprintf(path, sizeof path, "%s/opconform-%d", place ? place : "", (int)geteuid());
        if (place && length < (int)sizeof path && is_own_folder(path))
            (void)snprintf(folder, sizeof folder, "%s", path);
        free(place);
    }
    return folder[0] ? folder : NULL;
}

void scratch_use(void)
{
    /* Files that go, what desktops call caches, and caches with folders of their own in the user's
     * home. */
    static const char *const variables[] = {"TMPDIR",         "XDG_CACHE_HOME", "TRITON_CACHE_DIR",
                                            "MPLCONFIGDIR",   "KERAS_HOME",     "NUMBA_CACHE_DIR",
                                            "CUDA_CACHE_PATH"};
    const char *folder = scratch_folder();
    for (size_t i = 0; folder && i < COUNT_OF(variables); i++)
        (void)setenv(variables[i], folder, 1);
}
