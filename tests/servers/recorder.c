/* Preloaded: writes down what a process connects to, looks up, and opens to write.

   For machines without strace. It sees calls through the C library, those of native libraries
   among them, and not those that a library makes by itself; names that the C library's own
   resolver asks for are seen by getaddrinfo. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <netdb.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define INNER(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define WRITES(flags) ((flags) & (O_WRONLY | O_RDWR | O_CREAT))

static void note(const char *what, const char *which) {
    const char *log = getenv("RECORDER_LOG");
    char line[PATH_MAX + 64];
    if (log == NULL) return;
    int size = snprintf(line, sizeof line, "%s\t%s\n", what, which);
    int fd = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (fd < 0) return;
    if (syscall(SYS_write, fd, line, size < (int)sizeof line ? size : (int)sizeof line) < 0) abort();
    syscall(SYS_close, fd);
}

static void note_address(const struct sockaddr *to) {
    char host[INET6_ADDRSTRLEN] = "", line[INET6_ADDRSTRLEN + 16];
    int port = 0;
    if (to == NULL) return;
    if (to->sa_family == AF_INET) {
        const struct sockaddr_in *in = (const struct sockaddr_in *)to;
        inet_ntop(AF_INET, &in->sin_addr, host, sizeof host);
        port = ntohs(in->sin_port);
    } else if (to->sa_family == AF_INET6) {
        const struct sockaddr_in6 *in = (const struct sockaddr_in6 *)to;
        inet_ntop(AF_INET6, &in->sin6_addr, host, sizeof host);
        port = ntohs(in->sin6_port);
    } else {
        return;
    }
    snprintf(line, sizeof line, "%s %d", host, port);
    note("connect", line);
}

static void note_path(int folder, const char *path) {
    char link[64], base[PATH_MAX], whole[2 * PATH_MAX + 2];
    ssize_t size = 0;
    if (path[0] == '/') {
        note("write", path);
        return;
    }
    if (folder == AT_FDCWD) {
        snprintf(link, sizeof link, "/proc/self/cwd");
    } else {
        snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
    }
    size = readlink(link, base, sizeof base - 1);
    base[size < 0 ? 0 : size] = '\0';
    snprintf(whole, sizeof whole, "%s/%s", base, path);
    note("write", whole);
}

int connect(int fd, const struct sockaddr *to, socklen_t size) {
    note_address(to);
    return INNER(connect)(fd, to, size);
}

ssize_t sendto(int fd, const void *data, size_t length, int flags, const struct sockaddr *to,
               socklen_t size) {
    note_address(to);
    return INNER(sendto)(fd, data, length, flags, to, size);
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
    note_address(message->msg_name);
    return INNER(sendmsg)(fd, message, flags);
}

int getaddrinfo(const char *host, const char *service, const struct addrinfo *hints,
                struct addrinfo **found) {
    struct in6_addr number;
    int is_number = host != NULL && (inet_pton(AF_INET, host, &number) == 1 ||
                                     inet_pton(AF_INET6, host, &number) == 1);
    if (host != NULL && !is_number && strcmp(host, "localhost") != 0) note("lookup", host);
    return INNER(getaddrinfo)(host, service, hints, found);
}

#define OPENS(name)                                         \
    int name(const char *path, int flags, ...) {            \
        va_list rest;                                       \
        va_start(rest, flags);                              \
        mode_t mode = va_arg(rest, mode_t);                 \
        va_end(rest);                                       \
        int fd = INNER(name)(path, flags, mode);            \
        if (fd >= 0 && WRITES(flags)) note_path(AT_FDCWD, path); \
        return fd;                                          \
    }
OPENS(open)
OPENS(open64)

#define OPENS_AT(name)                                      \
    int name(int folder, const char *path, int flags, ...) { \
        va_list rest;                                       \
        va_start(rest, flags);                              \
        mode_t mode = va_arg(rest, mode_t);                 \
        va_end(rest);                                       \
        int fd = INNER(name)(folder, path, flags, mode);    \
        if (fd >= 0 && WRITES(flags)) note_path(folder, path); \
        return fd;                                          \
    }
OPENS_AT(openat)
OPENS_AT(openat64)

#define OPENS_STREAM(name)                                  \
    FILE *name(const char *path, const char *how) {         \
        FILE *stream = INNER(name)(path, how);              \
        if (stream != NULL && strpbrk(how, "wa+") != NULL) note_path(AT_FDCWD, path); \
        return stream;                                      \
    }
OPENS_STREAM(fopen)
OPENS_STREAM(fopen64)

int mkdir(const char *path, mode_t mode) {
    int done = INNER(mkdir)(path, mode);
    if (done == 0) note_path(AT_FDCWD, path);
    return done;
}

int mkdirat(int folder, const char *path, mode_t mode) {
    int done = INNER(mkdirat)(folder, path, mode);
    if (done == 0) note_path(folder, path);
    return done;
}
