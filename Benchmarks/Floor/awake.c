/* Keeps one processor awake for at most a minute, during measurements of a few microseconds. It runs with idle priority
 * (SCHED_IDLE, sched(7)) and pauses in each iteration, so that it does not slow another processor of the same core. */
#define _GNU_SOURCE
#include <sched.h>
#include <unistd.h>

int main(void) {
    struct sched_param parameters = {0};
    if (sched_setscheduler(0, SCHED_IDLE, &parameters) != 0) return 1;
    alarm(60);
    for (;;) {
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#endif
    }
}
