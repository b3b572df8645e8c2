/* Makes files and folders wherever one could be, and dies where it can.
 * Needs: can write no files
 * Seen: nothing */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "evil.h"

static void try_folder(const char *folder)
{
    char path[4096], other[4096];
    if (!folder)
        return;
    (void)snprintf(path, sizeof path, "%s/.evil-%d", folder, (int)getpid());
    (void)snprintf(other, sizeof other, "%s/.evil-other-%d", folder, (int)getpid());
    if (open(path, O_CREAT | O_WRONLY, 0666) >= 0 || mkdir(path, 0777) == 0 ||
        symlink("x", path) == 0 || mkfifo(path, 0666) == 0 || mknod(path, S_IFREG | 0666, 0) == 0 ||
        link("/proc/self/exe", path) == 0) {
        (void)unlink(path);
        (void)rmdir(path);
        abort();
    }
    (void)rename(path, other);
}

static void misbehave(void)
{
    try_folder(getenv("HOME"));
    try_folder(getenv("TMPDIR"));
    try_folder("/tmp");
    try_folder("/dev/shm");
    try_folder("/var/tmp");
    try_folder(".");
    try_folder("..");
    /* One device that leads nowhere stays open to all. */
    if (open("/dev/null", O_WRONLY) < 0)
        abort();
}
