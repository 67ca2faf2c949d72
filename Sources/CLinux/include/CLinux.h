// Linux system calls for servers that Swift's Glibc module lacks.
//
// The functions use plain integers. Including the system's headers would make the C library's structures part of this
// module, and Swift would then require every file that uses them to import it.
#pragma once
#include <stdint.h>

// Events of a descriptor, with the same values as in epoll_ctl(2).
enum {
    LINUX_EVENT_READABLE = 0x001,
    LINUX_EVENT_WRITABLE = 0x004,
    LINUX_EVENT_FAILED = 0x008,
    LINUX_EVENT_HUNG_UP = 0x010,
    LINUX_EVENT_ONCE = 1 << 30,
};

enum { LINUX_WATCH_ADD = 1, LINUX_WATCH_REMOVE = 2, LINUX_WATCH_CHANGE = 3 };

// The functions return -1 and set errno on failure. Descriptors are non-blocking and closed on exec.

// epoll_create1(2), epoll_ctl(2)
int linux_epoll_create(void);
int linux_epoll_watch(int epoll, int operation, int fd, uint32_t events, uint64_t key);
// Calls epoll_wait(2) for one event without a timeout.
int linux_epoll_wait(int epoll, uint32_t *events, uint64_t *key);

// A timer of timerfd_create(2) on CLOCK_MONOTONIC that expires once at an absolute time.
int linux_timer_create(void);
int linux_timer_set(int timer, int64_t nanoseconds);

// A timer on CLOCK_BOOTTIME, which includes the time during which the machine is suspended.
int linux_boot_timer_create(void);

// Becomes readable when the wall clock is set (TFD_TIMER_CANCEL_ON_SET). Arm it again each time.
int linux_clock_watch_create(void);
int linux_clock_watch_arm(int watch);

// Becomes readable when an address, a link or a route of the machine changes (rtnetlink(7)).
int linux_network_watch_create(void);
// Reads and discards all data of a descriptor.
void linux_drain(int fd);

// Catches the signals, which then no longer end the process (sigaction(2)). SIGHUP stays ignored if the parent process
// ignores it (nohup(1)). linux_signal_next returns them in order of arrival and blocks until there is one. Call it at
// most once per process.
int linux_signals_take(const int32_t *signals, int count);
int linux_signal_next(void);

// Whether the process has a controlling terminal (tty(4), /dev/tty).
int linux_has_terminal(void);

// Gives up privileges that programs with the set-user-ID bit or file capabilities would grant (prctl(2),
// PR_SET_NO_NEW_PRIVS).
int linux_no_new_privileges(void);

// eventfd(2)
int linux_event_create(void);

// Closes all descriptors from `first` on (close_range(2)).
void linux_close_from(int first);

// Names the calling thread, with at most 15 bytes (pthread_setname_np(3)).
void linux_thread_set_name(const char *name);
// Lowers the priority of the calling thread (setpriority(2)). Does nothing if the system denies it.
void linux_thread_lower_priority(void);

// Sets the number of malloc arenas that all threads share (mallopt(3), M_ARENA_MAX).
void linux_memory_arenas(int count);
// malloc_trim(3)
void linux_memory_trim(void);
// Discards pages (madvise(2), MADV_DONTNEED).
int linux_memory_forget(uint64_t address, uint64_t size);
// Discards the pages of mapped files that cannot be written and are as in the file, above all code (proc_pid_maps(5)). The
// kernel maps them again when they are used: for a process that waits for months.
void linux_memory_forget_files(void);

// accept4(2)
int linux_accept(int listener);
// Returns the credentials of the other end (socket(7), SO_PEERCRED). `pid` is 0 for a process that is not visible.
int linux_peer(int fd, int32_t *pid, uint32_t *uid, uint32_t *gid);

// Executes a file as the leader of a new process group, in "/", with all signals at their defaults and none blocked, and
// with the given descriptors as standard input, output and error; /dev/null replaces an output of -1. It has no other
// descriptors (posix_spawn(3)). Unless `new_session` is 0, it is also the leader of a new session. Returns 0, or the
// error of the first step that failed, also of execve(2).
int linux_process_start(int32_t *pid, const char *file, char *const arguments[], char *const environment[], int input,
                        int output, int errors, int new_session);
// A pipe of which only the read end is non-blocking.
int linux_pipe(int32_t *reader, int32_t *writer);
// Returns a descriptor that becomes readable when a child process ends (pidfd_open(2)).
int linux_process_watch(int pid);
// Returns a file in memory with the given contents, at its beginning, that can no longer be changed (memfd_create(2),
// fcntl(2), F_ADD_SEALS).
int linux_memory_file(const void *bytes, uint64_t count);
// Catches the signals, which then no longer end the process. Returns the read end of a pipe that receives the number of
// each as a byte; it does not block. Call it at most once per process, and not with linux_signals_take.
int linux_signals_pipe(const int32_t *signals, int count);
