/* Keeps one processor awake while answers of some microseconds are timed, for a minute at most: runs while nobody else wants
 * to (SCHED_IDLE, sched(7)), and pauses between two looks, so that a processor beside it on the same core is not slowed. */
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
