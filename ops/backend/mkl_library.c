/* The names under which MKL's library is installed, and fetched. */
#include "mkl_library.h"

const char *const mkl_library_paths[] = {"libmkl_rt.so.3", "libmkl_rt.so.2", "libmkl_rt.so", NULL};
const char *const mkl_library_fetched[] = {"libmkl_rt.so.3", NULL};
