#define _GNU_SOURCE
#include "CSanitizer.h"

#include <dlfcn.h>
#include <stdint.h>

// Package.swift defines SANITIZER_REPORTS: the path of the reports, to which the runtime appends the process ID.

// Memory that the Swift runtime keeps until the end is no leak.
const char *__asan_default_options(void) { return "detect_leaks=0:exitcode=66:log_path=" SANITIZER_REPORTS; }

// A race does not end a program, so that one run reports all of them.
const char *__tsan_default_options(void) { return "halt_on_error=0:exitcode=66:log_path=" SANITIZER_REPORTS; }

#if __has_feature(thread_sanitizer)

// Synchronization.Mutex without contention is compiled into each program, and ThreadSanitizer sees its atomic operations.
// With contention, it calls two functions of libswiftSynchronization.so, which is not built with ThreadSanitizer, so that
// each access under a contended lock would be reported as a race. These functions replace the two in a program. They call
// them, and report that the lock is acquired and released. The lock is at the address of its atomic value.

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef __attribute__((swiftcall)) void LockSlow(uint32_t thread, __attribute__((swift_context)) void *mutex);
typedef __attribute__((swiftcall)) void UnlockSlow(__attribute__((swift_context)) void *mutex);

LockSlow lockSlow __asm__(LOCK_SLOW);
UnlockSlow unlockSlow __asm__(UNLOCK_SLOW);
void __tsan_acquire(void *address);
void __tsan_release(void *address);

static LockSlow *librarysLockSlow;
static UnlockSlow *librarysUnlockSlow;

__attribute__((constructor)) static void findFunctions(void) {
    librarysLockSlow = (LockSlow *)dlsym(RTLD_NEXT, LOCK_SLOW);
    librarysUnlockSlow = (UnlockSlow *)dlsym(RTLD_NEXT, UNLOCK_SLOW);
}

__attribute__((swiftcall)) void lockSlow(uint32_t thread, __attribute__((swift_context)) void *mutex) {
    librarysLockSlow(thread, mutex);
    __tsan_acquire(mutex);
}

__attribute__((swiftcall)) void unlockSlow(__attribute__((swift_context)) void *mutex) {
    __tsan_release(mutex);
    librarysUnlockSlow(mutex);
}

#endif
