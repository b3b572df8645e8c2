/* Landlock knows files by the folders that they are in, and seccomp knows system calls by their
 * numbers.  Numbers are those of the interfaces' versions; headers may be older. */
#include "confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { VERSION_REFER = 2, VERSION_TRUNCATE = 3, VERSION_NET = 4, VERSION_SCOPES = 6 };

/* Rights of Landlock. */
enum {
    WRITE_FILE = 1 << 1,
    /* To remove and to make what is in a folder. */
    CHANGE_FOLDER = (1 << 13) - (1 << 4),
    REFER = 1 << 13,
    TRUNCATE = 1 << 14,
    BIND_AND_CONNECT = 3,
    SCOPE_SOCKETS_AND_SIGNALS = 3,
    RULE_BELOW_PATH = 1
};

/* As the system reads them. */
typedef struct Rules {
    uint64_t files, net, scopes;
} Rules;

typedef struct __attribute__((packed)) PathRule {
    uint64_t rights;
    int32_t path;
} PathRule;

enum { OWN_PATHS_MAX = 8 };

static const char *own_paths[OWN_PATHS_MAX];
static size_t own_count;

void confine_allow(const char *path)
{
    if (path && own_count == OWN_PATHS_MAX)
        BUG("more than %d paths of a process's own", OWN_PATHS_MAX);
    if (path)
        own_paths[own_count++] = path;
}

/* 0: there is none. */
static int landlock_version(void)
{
    enum { ASK = 1 };
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, ASK);
    return version > 0 ? (int)version : 0;
}

#if defined __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

Confinement confine_possible(void)
{
    int version = landlock_version();
    Confinement can = {.signals = version >= VERSION_SCOPES, .files = version > 0};
#ifdef ARCHITECTURE
    uint32_t action = SECCOMP_RET_ERRNO;
    can.sockets = syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
#endif
    return can;
}

/* Lets a file, or all that is below a folder, be written. */
static void allow_path(int ruleset, const char *path, uint64_t rights)
{
    struct stat facts;
    PathRule rule = {rights, open(path, O_PATH | O_CLOEXEC)};
    if (rule.path < 0)
        return;
    if (fstat(rule.path, &facts) == 0 && !S_ISDIR(facts.st_mode))
        rule.rights &= WRITE_FILE | TRUNCATE;
    (void)syscall(SYS_landlock_add_rule, ruleset, RULE_BELOW_PATH, &rule, 0);
    (void)close(rule.path);
}

static void allow_paths(int ruleset, uint64_t rights)
{
    static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/full"};
    for (size_t i = 0; i < COUNT_OF(devices); i++)
        allow_path(ruleset, devices[i], rights);
    for (size_t i = 0; i < own_count; i++)
        allow_path(ruleset, own_paths[i], rights);
    const char *listed = getenv(CONFINE_VARIABLE);
    char *names = listed ? strdup(listed) : NULL, *rest = names;
    for (char *name; rest && (name = strsep(&rest, ":"));)
        if (*name)
            allow_path(ruleset, name, rights);
    free(names);
}

/* The rights that a version of Landlock knows. */
static Rules rules_of(int version)
{
    Rules rules = {.files = WRITE_FILE | CHANGE_FOLDER};
    if (version >= VERSION_REFER)
        rules.files |= REFER;
    if (version >= VERSION_TRUNCATE)
        rules.files |= TRUNCATE;
    if (version >= VERSION_NET)
        rules.net = BIND_AND_CONNECT;
    if (version >= VERSION_SCOPES)
        rules.scopes = SCOPE_SOCKETS_AND_SIGNALS;
    return rules;
}

/* As much of the rules as a version reads. */
static size_t size_of_rules(int version)
{
    return version >= VERSION_SCOPES ? sizeof(Rules)
           : version >= VERSION_NET  ? offsetof(Rules, scopes)
                                     : offsetof(Rules, net);
}

static void restrict_to(const Rules *rules, size_t size)
{
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, rules, size, 0);
    if (ruleset < 0)
        return;
    if (rules->files & WRITE_FILE)
        allow_paths(ruleset, rules->files);
    else if (rules->files)
        allow_path(ruleset, "/", rules->files);
    (void)syscall(SYS_landlock_restrict_self, ruleset, 0);
    (void)close(ruleset);
}

#ifdef ARCHITECTURE
/* Sockets, and rings of requests, which open sockets as well; and calls by the numbers of other
 * interfaces, of which none are needed.  Pairs of sockets lead nowhere. */
static void deny_sockets(void)
{
    enum { OTHER_NUMBERS = 0x40000000 };
    const uint32_t denied = SECCOMP_RET_ERRNO | EACCES;
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 0, 4),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, OTHER_NUMBERS, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, denied),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {COUNT_OF(filter), filter};
    /* The numbers that a kernel computes with are no secret: its code need not be slowed down. */
    (void)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program);
}
#else
static void deny_sockets(void)
{
}
#endif

static void begin(bool sockets, bool signals)
{
    static bool confined;
    int version = landlock_version();
    Rules rules = rules_of(version);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return;
    if (sockets)
        rules.net = 0;
    if (signals)
        rules.scopes = 0;
    /* A process of a process that is confined is kept from signals to that one as well.  Rules that
     * do not speak of moves between folders would forbid them. */
    if (confined)
        rules = (Rules){rules.files & REFER, 0, rules.scopes};
    if (version > 0 && (rules.files & WRITE_FILE || rules.scopes))
        restrict_to(&rules, size_of_rules(version));
    if (!confined && !sockets)
        deny_sockets();
    confined = true;
}

void confine_begin(void)
{
    begin(false, false);
}

void confine_begin_but_sockets(void)
{
    begin(true, false);
}

void confine_begin_but_signals(void)
{
    begin(false, true);
}
