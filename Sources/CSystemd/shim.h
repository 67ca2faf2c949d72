// The functions of libsystemd that the daemon uses. Including libsystemd's headers would make the C library's
// structures part of this module, and Swift would then require every file that uses `timespec`, `sockaddr` or `iovec`
// to import it. The declarations are those of sd-daemon.h and sd-journal.h, whose binary interface is stable.
#include <stddef.h>
#include <stdint.h>

struct iovec;

/// sd_notify(3)
int sd_notify(int unset_environment, const char *state);
/// sd_watchdog_enabled(3)
int sd_watchdog_enabled(int unset_environment, uint64_t *usec);
/// The first descriptor that systemd passes (sd_listen_fds(3)).
#define SD_LISTEN_FDS_START 3
int sd_listen_fds(int unset_environment);
/// sd_is_socket(3)
int sd_is_socket_unix(int fd, int type, int listening, const char *path, size_t length);
/// sd_journal_sendv(3)
int sd_journal_sendv(const struct iovec *iov, int n);
