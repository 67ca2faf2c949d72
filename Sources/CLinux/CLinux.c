#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

_Static_assert(LINUX_EVENT_READABLE == EPOLLIN && LINUX_EVENT_WRITABLE == EPOLLOUT, "the same bits");
_Static_assert(LINUX_EVENT_FAILED == EPOLLERR && LINUX_EVENT_HUNG_UP == EPOLLHUP, "the same bits");
_Static_assert(LINUX_EVENT_ONCE == EPOLLONESHOT, "the same bits");
_Static_assert(LINUX_WATCH_ADD == EPOLL_CTL_ADD && LINUX_WATCH_REMOVE == EPOLL_CTL_DEL, "the same numbers");
_Static_assert(LINUX_WATCH_CHANGE == EPOLL_CTL_MOD, "the same numbers");

int linux_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

int linux_epoll_watch(int epoll, int operation, int fd, uint32_t events, uint64_t key) {
    struct epoll_event event = {.events = events, .data.u64 = key};
    return epoll_ctl(epoll, operation, fd, &event);
}

int linux_epoll_wait(int epoll, uint32_t *events, uint64_t *key) {
    struct epoll_event event;
    int count = epoll_wait(epoll, &event, 1, -1);
    if (count == 1) {
        *events = event.events;
        *key = event.data.u64;
    }
    return count;
}

int linux_timer_create(void) { return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK); }

int linux_timer_set(int timer, int64_t nanoseconds) {
    struct itimerspec value = {
        .it_value = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000},
    };
    return timerfd_settime(timer, TFD_TIMER_ABSTIME, &value, 0);
}

int linux_boot_timer_create(void) { return timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK); }

int linux_clock_watch_create(void) { return timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK); }

int linux_clock_watch_arm(int watch) {
    // A time that is never reached. The timer is canceled when the clock is set.
    struct itimerspec value = {.it_value = {.tv_sec = (time_t)1 << 40}};
    return timerfd_settime(watch, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &value, 0);
}

int linux_network_watch_create(void) {
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
    if (fd < 0) return -1;
    struct sockaddr_nl address = {
        .nl_family = AF_NETLINK,
        .nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE,
    };
    if (bind(fd, (struct sockaddr *)&address, sizeof address) != 0) {
        int reason = errno;
        close(fd);
        errno = reason;
        return -1;
    }
    return fd;
}

void linux_drain(int fd) {
    char buffer[4096];
    ssize_t count;
    // An overflow of the queue (ENOBUFS) has emptied it.
    do count = read(fd, buffer, sizeof buffer);
    while (count > 0 || (count < 0 && errno == EINTR));
}

// A pipe (signal-safety(7)): the handler writes the signal's number, and linux_signal_next reads it.
static int signal_pipe[2] = {-1, -1};
static sigset_t signals_taken;

static void signal_arrived(int number) {
    int reason = errno;
    unsigned char byte = (unsigned char)number;
    // If the write fails, the pipe is full of unread signals, and one more makes no difference.
    ssize_t written = write(signal_pipe[1], &byte, 1);
    (void)written;
    errno = reason;
}

int linux_signals_take(const int32_t *signals, int count) {
    if (pipe2(signal_pipe, O_CLOEXEC) != 0) return -1;
    if (fcntl(signal_pipe[1], F_SETFL, O_NONBLOCK) != 0) return -1;
    struct sigaction action = {.sa_handler = signal_arrived, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigemptyset(&signals_taken);
    for (int n = 0; n < count; n++) {
        struct sigaction inherited;
        if (sigaction(signals[n], NULL, &inherited) != 0) return -1;
        if (signals[n] == SIGHUP && inherited.sa_handler == SIG_IGN) continue;
        if (sigaction(signals[n], &action, NULL) != 0) return -1;
        sigaddset(&signals_taken, signals[n]);
    }
    return 0;
}

int linux_signal_next(void) {
    // The parent process may have blocked these signals, and new threads inherit the mask. This thread must receive
    // them.
    pthread_sigmask(SIG_UNBLOCK, &signals_taken, NULL);
    unsigned char number;
    ssize_t count;
    do count = read(signal_pipe[0], &number, 1);
    while (count < 0 && errno == EINTR);
    return count == 1 ? number : -1;
}

int linux_signals_pipe(const int32_t *signals, int count) {
    if (linux_signals_take(signals, count) != 0) return -1;
    if (fcntl(signal_pipe[0], F_SETFL, O_NONBLOCK) != 0) return -1;
    pthread_sigmask(SIG_UNBLOCK, &signals_taken, NULL);
    return signal_pipe[0];
}

int linux_has_terminal(void) {
    int terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    if (terminal < 0) return 0;
    close(terminal);
    return 1;
}

int linux_no_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }

int linux_event_create(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

// A program that is linked with the C library's function does not start with one older than that of Debian 12.
void linux_close_from(int first) { syscall(SYS_close_range, first, ~0U, 0); }

void linux_thread_set_name(const char *name) { pthread_setname_np(pthread_self(), name); }

void linux_thread_lower_priority(void) {
    // On Linux, 0 is the calling thread, not the process.
    setpriority(PRIO_PROCESS, 0, 10);
}

int linux_accept(int listener) { return accept4(listener, 0, 0, SOCK_NONBLOCK | SOCK_CLOEXEC); }

int linux_peer(int fd, int32_t *pid, uint32_t *uid, uint32_t *gid) {
    struct ucred peer;
    socklen_t length = sizeof peer;
    int result = getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length);
    if (result == 0) {
        *pid = peer.pid;
        *uid = peer.uid;
        *gid = peer.gid;
    }
    return result;
}

void linux_memory_arenas(int count) { mallopt(M_ARENA_MAX, count); }

void linux_memory_trim(void) { malloc_trim(0); }

int linux_memory_forget(uint64_t address, uint64_t size) {
    return madvise((void *)(uintptr_t)address, size, MADV_DONTNEED);
}

// Discards the pages of a mapping that are in memory as they are in its file. Pages that differ from the file are kept: they
// are anonymous (proc_pid_pagemap(5)), or swapped, and so not present.
static void forget_file_pages(int pagemap, unsigned long begin, unsigned long end) {
    const uint64_t wanted = UINT64_C(1) << 63 | UINT64_C(1) << 61; // present, a page of a file
    const unsigned long size = (unsigned long)sysconf(_SC_PAGESIZE);
    uint64_t pages[256];
    while (begin < end) {
        unsigned long count = (end - begin) / size;
        if (count > sizeof pages / sizeof *pages) count = sizeof pages / sizeof *pages;
        ssize_t length = pread(pagemap, pages, count * sizeof *pages, (off_t)(begin / size * sizeof *pages));
        if (length < (ssize_t)sizeof *pages) return;
        count = (unsigned long)length / sizeof *pages;
        for (unsigned long first = 0, next; first < count; first = next) {
            next = first + 1;
            if ((pages[first] & wanted) != wanted) continue;
            while (next < count && (pages[next] & wanted) == wanted) next++;
            madvise((void *)(begin + first * size), (next - first) * size, MADV_DONTNEED);
        }
        begin += count * size;
    }
}

void linux_memory_forget_files(void) {
    struct {
        unsigned long begin, end;
    } found[4096]; // More than a program maps. The tests map many files.
    size_t count = 0;
    FILE *maps = fopen("/proc/self/maps", "re");
    if (!maps) return;
    // A line is such as "7f0000000000-7f0000100000 r-xp 00001000 08:01 1234 /usr/bin/program". A mapping without a file
    // has the inode 0. The rest of a line that is longer than the buffer is part of a path, which is no mapping.
    char line[512];
    while (count < sizeof found / sizeof *found && fgets(line, sizeof line, maps)) {
        unsigned long begin, end, inode;
        char access[5];
        int fields = sscanf(line, "%lx-%lx %4s %*x %*x:%*x %lu", &begin, &end, access, &inode);
        // Nothing can change a page of a mapping that is not writable between the look at it and its removal.
        if (fields != 4 || inode == 0 || access[1] == 'w') continue;
        found[count].begin = begin;
        found[count++].end = end;
    }
    fclose(maps);
    int pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    if (pagemap < 0) return;
    // After all else, because the code that runs now is mapped again.
    for (size_t position = 0; position < count; position++)
        forget_file_pages(pagemap, found[position].begin, found[position].end);
    close(pagemap);
}

static int set_output(posix_spawn_file_actions_t *actions, int descriptor, int target) {
    return descriptor >= 0 ? posix_spawn_file_actions_adddup2(actions, descriptor, target)
                           : posix_spawn_file_actions_addopen(actions, target, "/dev/null", O_WRONLY, 0);
}

int linux_process_start(int32_t *pid, const char *file, char *const arguments[], char *const environment[], int input,
                        int output, int errors, int new_session) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int reason = posix_spawn_file_actions_init(&actions);
    if (reason != 0) return reason;
    reason = posix_spawnattr_init(&attributes);
    if (reason != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return reason;
    }
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    pid_t child = 0;
    // A new session has a new process group (setsid(2)).
    short group = new_session ? POSIX_SPAWN_SETSID : POSIX_SPAWN_SETPGROUP;
    (reason = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)) ||
        (reason = set_output(&actions, output, STDOUT_FILENO)) ||
        (reason = set_output(&actions, errors, STDERR_FILENO)) ||
        (reason = posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)) ||
        (reason = posix_spawn_file_actions_addchdir_np(&actions, "/")) ||
        (reason = posix_spawnattr_setsigmask(&attributes, &none)) ||
        (reason = posix_spawnattr_setsigdefault(&attributes, &all)) ||
        (reason = posix_spawnattr_setpgroup(&attributes, 0)) ||
        (reason = posix_spawnattr_setflags(&attributes, group | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK)) ||
        (reason = posix_spawn(&child, file, &actions, &attributes, arguments, environment));
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    *pid = child;
    return reason;
}

int linux_pipe(int32_t *reader, int32_t *writer) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    *reader = ends[0];
    *writer = ends[1];
    return 0;
}

// The C library of Debian 12 has the function, but a program that is linked with it does not start with an older one.
int linux_process_watch(int pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

int linux_memory_file(const void *bytes, uint64_t count) {
    int fd = memfd_create("event", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0) return -1;
    uint64_t written = 0;
    while (written < count) {
        ssize_t part = pwrite(fd, (const char *)bytes + written, count - written, (off_t)written);
        if (part < 0 && errno == EINTR) continue;
        if (part <= 0) {
            int reason = part < 0 ? errno : ENOSPC;
            close(fd);
            errno = reason;
            return -1;
        }
        written += (uint64_t)part;
    }
    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL);
    return fd;
}
