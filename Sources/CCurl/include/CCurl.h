// libcurl's variadic functions with fixed types, because Swift cannot import variadic C functions.
//
// This header does not include curl.h. That would make the C library's structures part of this module, and Swift would
// then require every file that uses `sockaddr` or `timeval` to import it.
#ifndef CCURL_H
#define CCURL_H
#include <stddef.h>
#include <stdint.h>

/// An easy handle. Use it on one thread at a time (libcurl-thread(3)).
typedef void ccurl_handle;
struct curl_slist;

/// Loads and initializes libcurl (curl_global_init(3)). Call it once per process, before the other functions.
///
/// libcurl is loaded when it is first needed. Loading it with its thirty dependencies at the start of the program would
/// take more than half of the daemon's startup time and several megabytes, even if every feed is a file.
///
/// Returns NULL on success, otherwise the reason why libcurl cannot be used.
const char *ccurl_load(void);
/// Returns NULL if there is not enough memory. Functions below that return a code return a CURLcode; 0 is success.
ccurl_handle *ccurl_create(void);
void ccurl_destroy(ccurl_handle *handle);
const char *ccurl_describe(int code);

extern const int CCURL_URL, CCURL_PROTOCOLS, CCURL_TIMEOUT_MS, CCURL_CONNECT_TIMEOUT_MS, CCURL_NO_SIGNAL, CCURL_QUICK_EXIT;
extern const int CCURL_MAXIMUM_SIZE, CCURL_USER_AGENT, CCURL_HEADERS, CCURL_ENCODINGS, CCURL_CA_FILE, CCURL_CA_FOLDER;
extern const int CCURL_VERIFY_PEER, CCURL_VERIFY_HOST, CCURL_PROXY, CCURL_TLS_VERSION;
/// Whether the request opens a connection instead of using one that was kept open.
extern const int CCURL_NEW_CONNECTION;
/// A value of CCURL_TLS_VERSION: TLS 1.2 or later.
extern const long CCURL_TLS_1_2;
/// The minimum speed in bytes per second, and the number of seconds for which a transfer may be slower.
extern const int CCURL_LOW_SPEED, CCURL_LOW_SPEED_SECONDS;

int ccurl_set_long(ccurl_handle *handle, int option, long value);
int ccurl_set_offset(ccurl_handle *handle, int option, int64_t value);
/// Sets a string option, which libcurl copies. NULL resets the option.
int ccurl_set_text(ccurl_handle *handle, int option, const char *value);
/// Sets a list option. The list must exist until the transfer has ended.
int ccurl_set_list(ccurl_handle *handle, int option, struct curl_slist *value);
/// Returns NULL if there is not enough memory; the list is then unchanged.
struct curl_slist *ccurl_append(struct curl_slist *list, const char *line);
void ccurl_free_list(struct curl_slist *list);

/// Sets the method and copies the body of the request. With NULL as the method, the request is GET without a body.
int ccurl_set_method(ccurl_handle *handle, const char *method, const void *body, size_t count);

/// Receives `count` bytes of a body, or one header line. Returns the number of accepted bytes; any other number than
/// `count` aborts the transfer.
typedef size_t (*ccurl_receiver)(char *bytes, size_t size, size_t count, void *context);
int ccurl_set_body(ccurl_handle *handle, ccurl_receiver receiver, void *context);
int ccurl_set_header(ccurl_handle *handle, ccurl_receiver receiver, void *context);
/// Called over a connection, just before a request is sent. A result other than 0 ends the transfer instead.
typedef int (*ccurl_gate)(void *context, char *remote, char *local, int remote_port, int local_port);
/// Sets the function that is called before each request, also before one that libcurl repeats because a connection that
/// it kept open was closed. Before libcurl 7.80, which cannot do this, every request opens a connection, and libcurl
/// repeats none.
int ccurl_set_gate(ccurl_handle *handle, ccurl_gate gate, void *context);
/// Sets the buffer of CCURL_REASON_SIZE bytes for libcurl's error message. The buffer must exist as long as the handle.
int ccurl_set_reason(ccurl_handle *handle, char *buffer);
enum { CCURL_REASON_SIZE = 256 };

/// Returns the HTTP status of the last response; 0 if there was none.
long ccurl_status(ccurl_handle *handle);
/// Returns the absolute URL to which the last response redirects; NULL if it does not. The handle owns the text.
const char *ccurl_redirection(ccurl_handle *handle);

/// Returns 1 if the last request had a connection with a completed TLS handshake, otherwise 0.
int ccurl_is_connected(ccurl_handle *handle);

/// Returns the bytes of the last response as transferred, including its head, before decompression.
int64_t ccurl_received(ccurl_handle *handle);

/// A connection without a transfer (CURLOPT_CONNECT_ONLY). The caller sends and receives raw data over it, through TLS
/// if the URL is https. Use it on one thread.
///
/// While the connection is being established, `is_over` is called about once a second. A result other than 0 aborts the
/// attempt.
typedef int (*ccurl_question)(void *context, int64_t, int64_t, int64_t, int64_t);
/// Call it once, before ccurl_connect.
int ccurl_set_connect_only(ccurl_handle *handle, ccurl_question is_over, void *context);
/// Connects, which blocks. Returns a CURLcode.
int ccurl_connect(ccurl_handle *handle);
/// Returns the descriptor of the connection, for polling; -1 if it is closed.
int ccurl_socket(ccurl_handle *handle);
/// Sends or receives without blocking (curl_easy_send(3), curl_easy_recv(3)). Returns CCURL_CODE_AGAIN if that is
/// impossible at the moment, and 0 with a count of 0 if the server has closed the connection.
int ccurl_send(ccurl_handle *handle, const void *bytes, size_t count, size_t *sent);
int ccurl_receive(ccurl_handle *handle, void *bytes, size_t count, size_t *received);
extern const int CCURL_CODE_AGAIN, CCURL_CODE_ENDED_HERE;

/// The cause of a failed request.
typedef enum {
    CCURL_DNS,
    CCURL_CONNECT,
    CCURL_TLS,
    CCURL_TIMED_OUT,
    CCURL_TOO_LARGE,
    // A line or a header exceeds the size that libcurl accepts, or there is no memory: libcurl reports both alike.
    CCURL_BUFFER_LIMIT,
    CCURL_ENCODING,
    /// The connection closed in the middle of the response.
    CCURL_INTERRUPTED,
    CCURL_OTHER,
} ccurl_failure;
ccurl_failure ccurl_kind(int code);
extern const int CCURL_CODE_OUT_OF_MEMORY;

/// Runs many transfers on one thread and keeps connections open (libcurl-multi(3)). Only ccurl_multi_wake may be called
/// on other threads.
typedef void ccurl_multi;

/// Creates a handle that keeps at most the given number of connections open. Returns NULL if there is not enough
/// memory.
ccurl_multi *ccurl_multi_create(int connections);
/// Closes all connections. All easy handles must have been removed.
void ccurl_multi_destroy(ccurl_multi *multi);
/// Returns a value other than 0 if the handle was not added.
int ccurl_multi_add(ccurl_multi *multi, ccurl_handle *handle);
void ccurl_multi_remove(ccurl_multi *multi, ccurl_handle *handle);
/// Performs the work that does not block. Returns a value other than 0 if libcurl failed as a whole.
int ccurl_multi_advance(ccurl_multi *multi);
/// Waits for the network, a transfer's deadline, ccurl_multi_wake, or the timeout.
int ccurl_multi_wait(ccurl_multi *multi, int milliseconds);
/// Ends the current or the next wait (curl_multi_wakeup(3)). Thread-safe.
void ccurl_multi_wake(ccurl_multi *multi);
/// Returns a transfer that has ended and its CURLcode, or NULL if there is none. The caller must remove the handle.
ccurl_handle *ccurl_multi_ended(ccurl_multi *multi, int *code);
#endif
