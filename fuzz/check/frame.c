/* The dynamic linker knows the libraries and their functions. */
#include "frame.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>

uintptr_t frame_address(const void *context)
{
    const ucontext_t *interrupted = context;
#if defined(__x86_64__)
    return (uintptr_t)interrupted->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (uintptr_t)interrupted->uc_mcontext.pc;
#else
    (void)interrupted;
    return 0;
#endif
}

void frame_name(char *name, size_t size, uintptr_t address)
{
    Dl_info info;
    name[0] = '\0';
    if (address == 0 || !dladdr((const void *)address, &info) || !info.dli_fname ||
        strstr(info.dli_fname, "/libc.so"))
        return;
    const char *slash = strrchr(info.dli_fname, '/');
    if (info.dli_sname)
        (void)snprintf(name, size, "%s", info.dli_sname);
    else
        (void)snprintf(name, size, "%s+%#zx", slash ? slash + 1 : info.dli_fname,
                       (size_t)(address - (uintptr_t)info.dli_fbase));
}
