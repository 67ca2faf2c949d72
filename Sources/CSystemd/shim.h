// SD_JOURNAL_SUPPRESS_LOCATION: the location would be this shim's, not the caller's.
#define SD_JOURNAL_SUPPRESS_LOCATION
#include <systemd/sd-daemon.h>
#include <systemd/sd-journal.h>
