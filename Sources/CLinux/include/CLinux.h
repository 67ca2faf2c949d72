// What Linux has for servers and Swift's Glibc module leaves out.
//
// Functions of its own with plain integers: the system's headers would bring the C library's structures into this
// module, and Swift would then ask every file that uses them to import it.
#pragma once
#include <stdint.h>

// Events of a descriptor; the same bits as in epoll_ctl(2).
enum {
    LINUX_EVENT_READABLE = 0x001,
    LINUX_EVENT_WRITABLE = 0x004,
    LINUX_EVENT_FAILED = 0x008,
    LINUX_EVENT_HUNG_UP = 0x010,
    LINUX_EVENT_ONCE = 1 << 30,
};

enum { LINUX_WATCH_ADD = 1, LINUX_WATCH_REMOVE = 2, LINUX_WATCH_CHANGE = 3 };

// All of them answer -1 and set errno on failure. Descriptors are closed on exec and do not block.

// epoll_create1(2), epoll_ctl(2)
int linux_epoll_create(void);
int linux_epoll_watch(int epoll, int operation, int fd, uint32_t events, uint64_t key);
// epoll_wait(2) for one event, without end.
int linux_epoll_wait(int epoll, uint32_t *events, uint64_t *key);

// timerfd_create(2) on CLOCK_MONOTONIC; set to go off once at an absolute time.
int linux_timer_create(void);
int linux_timer_set(int timer, int64_t nanoseconds);

// The same on CLOCK_BOOTTIME, which also runs while the machine is suspended.
int linux_boot_timer_create(void);

// Becomes readable when somebody sets the wall clock (TFD_TIMER_CANCEL_ON_SET); to be armed again each time.
int linux_clock_watch_create(void);
int linux_clock_watch_arm(int watch);

// Becomes readable when an address, a link or a route of the machine changes (rtnetlink(7)).
int linux_network_watch_create(void);
// Throws away what a descriptor of this page has to say.
void linux_drain(int fd);

// Catches these signals, which then no longer end the process (sigaction(2)). linux_signal_next returns them in the
// order of their arrival and blocks while there is none. Must be called at most once per process.
int linux_signals_take(const int32_t *signals, int count);
int linux_signal_next(void);

// eventfd(2)
int linux_event_create(void);

// mallopt(3), M_ARENA_MAX: how many pools of memory the threads share.
void linux_memory_arenas(int count);
// malloc_trim(3)
void linux_memory_trim(void);
// MADV_DONTNEED of madvise(2)
int linux_memory_forget(uint64_t address, uint64_t size);

// accept4(2)
int linux_accept(int listener);
// SO_PEERCRED of socket(7). `pid` is 0 for a process out of sight.
int linux_peer(int fd, int32_t *pid, uint32_t *uid, uint32_t *gid);
