/*
 * Fails calls of a command, for workbench/fault_injection: the n-th call of a family, or that one and all later ones.
 *
 * LD_PRELOAD puts this library before the C library in a command and in all processes that it starts. Nothing is
 * counted before a process is ready, since the start of Python is not what is tested: the command calls begin_faults(),
 * and a supervisor, which Python runs as a script, is ready when it makes its first pipe. A process that another program
 * has replaced by exec, such as an adapter, is never ready.
 *
 * The environment names the family, the number, the mode, a pattern that the description of a call must match, and a
 * file for the counts, which all processes of the command share.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* Smaller allocations succeed: a command makes a million of them, and Python cannot even report an error without. */
#define LARGE 32768
#define SUPERVISOR "/protocol/supervisor.py"

enum family { OPEN, READ, WRITE, RENAME, FORK, ALLOCATION, FAMILIES };
static const char *const names[FAMILIES] = {"open", "read", "write", "rename", "fork", "allocation"};

struct counts {
    atomic_ulong made[FAMILIES]; /* all calls of each family */
    atomic_ulong reached;        /* those among which the environment chooses */
    atomic_ulong failed;
    char first[512]; /* the description of the first call that failed */
};

static struct counts *counts;
static char only[256];
static enum family chosen = FAMILIES;
static unsigned long at;
static int ever, ready, is_supervisor;
static pid_t command;
static const char *process = "command";

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);

/* The function of this name that would have been called without this library. */
#define NEXT(result, name, ...)                                           \
    ({                                                                    \
        static result (*next)(__VA_ARGS__);                               \
        if (!next)                                                        \
            next = (result (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name);      \
        next;                                                             \
    })

static void copy_variable(const char *name, char *to, size_t size) {
    const char *value = getenv(name);
    snprintf(to, size, "%s", value ? value : "");
}

/* Count from now on, and fail what the environment says. */
void begin_faults(void) {
    char file[PATH_MAX], family[16], number[32], mode[16];
    copy_variable("HOYLE_FAULT_COUNTS", file, sizeof file);
    copy_variable("HOYLE_FAULT_FAMILY", family, sizeof family);
    copy_variable("HOYLE_FAULT_AT", number, sizeof number);
    copy_variable("HOYLE_FAULT_MODE", mode, sizeof mode);
    copy_variable("HOYLE_FAULT_ONLY", only, sizeof only);
    int opened = NEXT(int, open, const char *, int, mode_t)(file, O_RDWR | O_CLOEXEC, 0);
    if (opened < 0)
        return;
    counts = mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED, opened, 0);
    close(opened);
    for (int each = 0; each < FAMILIES; each++)
        if (strcmp(names[each], family) == 0)
            chosen = each;
    at = strtoul(number, NULL, 10);
    ever = strcmp(mode, "ever") == 0;
    command = getpid();
    ready = counts != MAP_FAILED;
}

/* Describe a call: the process, the function, and the file or whatever a descriptor is open on. */
static void describe(char *to, size_t size, const char *call, const char *path, int descriptor) {
    char link[64], target[PATH_MAX] = "";
    if (descriptor >= 0) {
        snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
        ssize_t length = readlink(link, target, sizeof target - 1);
        target[length > 0 ? length : 0] = '\0';
    }
    snprintf(to, size, "%s %s %s", getpid() == command ? process : "child", call, path ? path : target);
}

/* Whether this call fails; if so, errno is the error. */
static int fails(enum family family, const char *call, const char *path, int descriptor, int error) {
    if (!ready)
        return 0;
    atomic_fetch_add(&counts->made[family], 1);
    if (family != chosen)
        return 0;
    int before = errno;
    char text[sizeof counts->first] = "";
    if (*only) {
        describe(text, sizeof text, call, path, descriptor);
        errno = before;
        if (fnmatch(only, text, 0) != 0)
            return 0;
    }
    unsigned long number = atomic_fetch_add(&counts->reached, 1) + 1;
    if (number < at || (number > at && !ever))
        return 0;
    if (atomic_fetch_add(&counts->failed, 1) == 0) {
        describe(text, sizeof text, call, path, descriptor);
        memcpy(counts->first, text, sizeof text);
    }
    errno = error;
    return 1;
}

/* ---- open: whatever takes a descriptor */

static int error_of_open(int flags) {
    return (flags & O_ACCMODE) == O_RDONLY ? EMFILE : EACCES;
}

#define OPENS(name)                                                          \
    int name(const char *path, int flags, ...) {                             \
        va_list more;                                                        \
        va_start(more, flags);                                               \
        mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(more, mode_t) : 0; \
        va_end(more);                                                        \
        if (fails(OPEN, #name, path, -1, error_of_open(flags)))            \
            return -1;                                                       \
        return NEXT(int, name, const char *, int, mode_t)(path, flags, mode); \
    }
OPENS(open)
OPENS(open64)

#define OPENS_AT(name)                                                       \
    int name(int folder, const char *path, int flags, ...) {                 \
        va_list more;                                                        \
        va_start(more, flags);                                               \
        mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(more, mode_t) : 0; \
        va_end(more);                                                        \
        if (fails(OPEN, #name, path, -1, error_of_open(flags)))            \
            return -1;                                                       \
        return NEXT(int, name, int, const char *, int, mode_t)(folder, path, flags, mode); \
    }
OPENS_AT(openat)
OPENS_AT(openat64)

/* As fortified programs call them. */
int __open_2(const char *path, int flags) {
    return open(path, flags);
}

int __open64_2(const char *path, int flags) {
    return open64(path, flags);
}

static void notice_supervisor(const char *path) {
    size_t length = strlen(path), ending = strlen(SUPERVISOR);
    is_supervisor |= !ready && length >= ending && strcmp(path + length - ending, SUPERVISOR) == 0;
}

#define OPENS_A_STREAM(name)                                                 \
    FILE *name(const char *path, const char *mode) {                         \
        if (fails(OPEN, #name, path, -1, EMFILE))                          \
            return NULL;                                                     \
        FILE *stream = NEXT(FILE *, name, const char *, const char *)(path, mode); \
        notice_supervisor(path);                                             \
        return stream;                                                       \
    }
OPENS_A_STREAM(fopen)
OPENS_A_STREAM(fopen64)

DIR *opendir(const char *path) {
    return fails(OPEN, "opendir", path, -1, EMFILE) ? NULL : NEXT(DIR *, opendir, const char *)(path);
}

int pipe(int ends[2]) {
    return fails(OPEN, "pipe", "", -1, EMFILE) ? -1 : NEXT(int, pipe, int *)(ends);
}

int pipe2(int ends[2], int flags) {
    if (is_supervisor && !ready) {
        process = "supervisor";
        begin_faults();
    }
    return fails(OPEN, "pipe2", "", -1, EMFILE) ? -1 : NEXT(int, pipe2, int *, int)(ends, flags);
}

int socket(int domain, int type, int protocol) {
    return fails(OPEN, "socket", "", -1, EMFILE) ? -1 : NEXT(int, socket, int, int, int)(domain, type, protocol);
}

int accept4(int descriptor, struct sockaddr *restrict from, socklen_t *restrict size, int flags) {
    if (fails(OPEN, "accept4", NULL, descriptor, EMFILE))
        return -1;
    return NEXT(int, accept4, int, struct sockaddr *, socklen_t *, int)(descriptor, from, size, flags);
}

#define CONTROLS(name)                                                       \
    int name(int descriptor, int what, ...) {                                \
        va_list more;                                                        \
        va_start(more, what);                                                \
        void *argument = va_arg(more, void *);                               \
        va_end(more);                                                        \
        int duplicates = what == F_DUPFD || what == F_DUPFD_CLOEXEC;         \
        if (duplicates && fails(OPEN, "dup", NULL, descriptor, EMFILE))    \
            return -1;                                                       \
        return NEXT(int, name, int, int, void *)(descriptor, what, argument); \
    }
CONTROLS(fcntl)
CONTROLS(fcntl64)

/* ---- read */

ssize_t read(int descriptor, void *to, size_t size) {
    if (fails(READ, "read", NULL, descriptor, EIO))
        return -1;
    return NEXT(ssize_t, read, int, void *, size_t)(descriptor, to, size);
}

ssize_t __read_chk(int descriptor, void *to, size_t size, size_t room) {
    (void)room;
    return read(descriptor, to, size);
}

ssize_t recv(int descriptor, void *to, size_t size, int flags) {
    if (fails(READ, "recv", NULL, descriptor, ECONNRESET))
        return -1;
    return NEXT(ssize_t, recv, int, void *, size_t, int)(descriptor, to, size, flags);
}

struct dirent *readdir(DIR *folder) {
    return fails(READ, "readdir", NULL, dirfd(folder), EIO) ? NULL : NEXT(struct dirent *, readdir, DIR *)(folder);
}

struct dirent64 *readdir64(DIR *folder) {
    if (fails(READ, "readdir64", NULL, dirfd(folder), EIO))
        return NULL;
    return NEXT(struct dirent64 *, readdir64, DIR *)(folder);
}

/* ---- write */

static int error_of_write(int descriptor) {
    struct stat found;
    return ready && fstat(descriptor, &found) == 0 && S_ISREG(found.st_mode) ? ENOSPC : EIO;
}

ssize_t write(int descriptor, const void *from, size_t size) {
    if (fails(WRITE, "write", NULL, descriptor, error_of_write(descriptor)))
        return -1;
    return NEXT(ssize_t, write, int, const void *, size_t)(descriptor, from, size);
}

ssize_t send(int descriptor, const void *from, size_t size, int flags) {
    if (fails(WRITE, "send", NULL, descriptor, ECONNRESET))
        return -1;
    return NEXT(ssize_t, send, int, const void *, size_t, int)(descriptor, from, size, flags);
}

/* ---- rename: whatever else changes a folder or cuts a file */

#define CHANGES(name)                                                        \
    int name(const char *path) {                                             \
        return fails(RENAME, #name, path, -1, EACCES) ? -1 : NEXT(int, name, const char *)(path); \
    }
CHANGES(unlink)
CHANGES(rmdir)

int rename(const char *from, const char *to) {
    return fails(RENAME, "rename", to, -1, EACCES) ? -1 : NEXT(int, rename, const char *, const char *)(from, to);
}

int renameat(int old, const char *from, int new, const char *to) {
    if (fails(RENAME, "renameat", to, -1, EACCES))
        return -1;
    return NEXT(int, renameat, int, const char *, int, const char *)(old, from, new, to);
}

int unlinkat(int folder, const char *path, int flags) {
    if (fails(RENAME, "unlinkat", path, -1, EACCES))
        return -1;
    return NEXT(int, unlinkat, int, const char *, int)(folder, path, flags);
}

int mkdir(const char *path, mode_t mode) {
    return fails(RENAME, "mkdir", path, -1, EACCES) ? -1 : NEXT(int, mkdir, const char *, mode_t)(path, mode);
}

int chmod(const char *path, mode_t mode) {
    return fails(RENAME, "chmod", path, -1, EACCES) ? -1 : NEXT(int, chmod, const char *, mode_t)(path, mode);
}

#define CUTS(name, number)                                                   \
    int name(int descriptor, number size) {                                  \
        if (fails(RENAME, #name, NULL, descriptor, EIO))                   \
            return -1;                                                       \
        return NEXT(int, name, int, number)(descriptor, size);               \
    }
CUTS(ftruncate, off_t)
CUTS(ftruncate64, off64_t)

/* ---- fork: whatever starts a process or a thread */

pid_t fork(void) {
    return fails(FORK, "fork", "", -1, EAGAIN) ? -1 : NEXT(pid_t, fork, void)();
}

/* A function that calls vfork must not return before its child has gone, so this one forks. */
pid_t vfork(void) {
    return fails(FORK, "vfork", "", -1, EAGAIN) ? -1 : NEXT(pid_t, fork, void)();
}

#define SPAWNS(name)                                                         \
    int name(pid_t *restrict child, const char *restrict path, const posix_spawn_file_actions_t *actions, \
             const posix_spawnattr_t *restrict attributes, char *const words[], char *const variables[]) { \
        if (fails(FORK, #name, path, -1, EAGAIN))                          \
            return EAGAIN;                                                   \
        return NEXT(int, name, pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, \
                    char *const *, char *const *)(child, path, actions, attributes, words, variables); \
    }
SPAWNS(posix_spawn)
SPAWNS(posix_spawnp)

int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes, void *(*runs)(void *),
                   void *restrict argument) {
    if (fails(FORK, "pthread_create", "", -1, EAGAIN))
        return EAGAIN;
    return NEXT(int, pthread_create, pthread_t *, const pthread_attr_t *, void *(*)(void *), void *)(
        thread, attributes, runs, argument);
}

/* ---- allocation */

void *malloc(size_t size) {
    return size >= LARGE && fails(ALLOCATION, "malloc", "", -1, ENOMEM) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    int large = size && count >= (LARGE + size - 1) / size;
    return large && fails(ALLOCATION, "calloc", "", -1, ENOMEM) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
    return size >= LARGE && fails(ALLOCATION, "realloc", "", -1, ENOMEM) ? NULL : __libc_realloc(old, size);
}
