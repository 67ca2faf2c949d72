// libcurl's variadic functions, spelled out with their types: Swift imports no variadic C function.
//
// curl.h stays out of this header: it brings the C library's structures into this module, and Swift then takes
// `sockaddr` and `timeval` for its property and asks every file that uses them to import it.
#ifndef CCURL_H
#define CCURL_H
#include <stddef.h>
#include <stdint.h>

/// An easy handle; one thread at a time (libcurl-thread(3)).
typedef void ccurl_handle;
struct curl_slist;

/// Loads libcurl and makes it ready (curl_global_init(3)): once in a process, before anything else here.
///
/// It is loaded when it is first needed, not with the program: with the thirty libraries behind it, it would take more than
/// half of the daemon's start and several megabytes, also where every feed is a file.
///
/// Returns NULL, or why it cannot be used.
const char *ccurl_load(void);
/// Codes are CURLcode, 0 is success. NULL when there is no memory.
ccurl_handle *ccurl_create(void);
void ccurl_destroy(ccurl_handle *handle);
int ccurl_perform(ccurl_handle *handle);
const char *ccurl_describe(int code);

extern const int CCURL_URL, CCURL_PROTOCOLS, CCURL_TIMEOUT_MS, CCURL_CONNECT_TIMEOUT_MS, CCURL_NO_SIGNAL;
extern const int CCURL_MAXIMUM_SIZE, CCURL_USER_AGENT, CCURL_HEADERS;

int ccurl_set_long(ccurl_handle *handle, int option, long value);
int ccurl_set_offset(ccurl_handle *handle, int option, int64_t value);
/// libcurl copies the text.
int ccurl_set_text(ccurl_handle *handle, int option, const char *value);
/// The list must live until the transfer has ended.
int ccurl_set_list(ccurl_handle *handle, int option, struct curl_slist *value);
/// NULL when there is no memory; the old list is then still there.
struct curl_slist *ccurl_append(struct curl_slist *list, const char *line);
void ccurl_free_list(struct curl_slist *list);

/// Gets `count` bytes of a body, or one header line; returns how many it took, anything else ends the transfer.
typedef size_t (*ccurl_receiver)(char *bytes, size_t size, size_t count, void *context);
/// Called about once a second and as bytes come; anything but 0 ends the transfer. `total` is 0 when it is not known.
typedef int (*ccurl_progress)(void *context, int64_t total, int64_t now, int64_t up_total, int64_t up_now);

int ccurl_set_body(ccurl_handle *handle, ccurl_receiver receiver, void *context);
int ccurl_set_header(ccurl_handle *handle, ccurl_receiver receiver, void *context);
int ccurl_set_progress(ccurl_handle *handle, ccurl_progress progress, void *context);

/// The HTTP status of the last response; 0 when there was none.
long ccurl_status(ccurl_handle *handle);
/// Where the last response redirects to, absolute; NULL when it does not. The text belongs to the handle.
const char *ccurl_redirection(ccurl_handle *handle);

extern const int CCURL_CODE_TIMED_OUT, CCURL_CODE_TOO_LARGE;
#endif
