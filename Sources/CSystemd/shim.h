// The few functions of libsystemd that are used, declared here rather than through its headers: those bring the C
// library's structures into this module, and Swift then takes `timespec`, `sockaddr` and `iovec` for its property and
// asks every file that uses them to import it. The declarations are those of sd-daemon.h and sd-journal.h, whose
// binary interface is stable.
#include <stddef.h>
#include <stdint.h>

struct iovec;

/// sd_notify(3)
int sd_notify(int unset_environment, const char *state);
/// sd_watchdog_enabled(3)
int sd_watchdog_enabled(int unset_environment, uint64_t *usec);
/// The first descriptor that sd_listen_fds(3) tells of.
#define SD_LISTEN_FDS_START 3
int sd_listen_fds(int unset_environment);
/// sd_is_socket(3)
int sd_is_socket_unix(int fd, int type, int listening, const char *path, size_t length);
/// sd_journal_sendv(3)
int sd_journal_sendv(const struct iovec *iov, int n);
