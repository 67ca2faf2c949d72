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
const char *ccurl_describe(int code);

extern const int CCURL_URL, CCURL_PROTOCOLS, CCURL_TIMEOUT_MS, CCURL_CONNECT_TIMEOUT_MS, CCURL_NO_SIGNAL, CCURL_QUICK_EXIT;
extern const int CCURL_MAXIMUM_SIZE, CCURL_USER_AGENT, CCURL_HEADERS, CCURL_ENCODINGS, CCURL_CA_FILE, CCURL_CA_FOLDER;
extern const int CCURL_VERIFY_PEER, CCURL_VERIFY_HOST, CCURL_PROXY, CCURL_TLS_VERSION;
/// A value of CCURL_TLS_VERSION: this version or a later one.
extern const long CCURL_TLS_1_2;
/// The minimum speed in bytes per second, and the number of seconds for which a transfer may be slower.
extern const int CCURL_LOW_SPEED, CCURL_LOW_SPEED_SECONDS;

int ccurl_set_long(ccurl_handle *handle, int option, long value);
int ccurl_set_offset(ccurl_handle *handle, int option, int64_t value);
/// libcurl copies the text; NULL unsets the option.
int ccurl_set_text(ccurl_handle *handle, int option, const char *value);
/// The list must live until the transfer has ended.
int ccurl_set_list(ccurl_handle *handle, int option, struct curl_slist *value);
/// NULL when there is no memory; the old list is then still there.
struct curl_slist *ccurl_append(struct curl_slist *list, const char *line);
void ccurl_free_list(struct curl_slist *list);

/// Gets `count` bytes of a body, or one header line; returns how many it took, anything else ends the transfer.
typedef size_t (*ccurl_receiver)(char *bytes, size_t size, size_t count, void *context);
int ccurl_set_body(ccurl_handle *handle, ccurl_receiver receiver, void *context);
int ccurl_set_header(ccurl_handle *handle, ccurl_receiver receiver, void *context);
/// CCURL_REASON_SIZE bytes that libcurl writes a failure's reason to; they must live as long as the handle.
int ccurl_set_reason(ccurl_handle *handle, char *buffer);
enum { CCURL_REASON_SIZE = 256 };

/// The HTTP status of the last response; 0 when there was none.
long ccurl_status(ccurl_handle *handle);
/// Where the last response redirects to, absolute; NULL when it does not. The text belongs to the handle.
const char *ccurl_redirection(ccurl_handle *handle);

/// Whether the last request had a connection with a completed TLS handshake; 0 if the connection was not established.
int ccurl_is_connected(ccurl_handle *handle);

/// Bytes of the last response on the wire, its head included, before decompression.
int64_t ccurl_received(ccurl_handle *handle);

/// A connection without a transfer (CURLOPT_CONNECT_ONLY): whoever asks for it speaks over it himself, through its TLS where
/// the URL is https. All calls are for one thread.
///
/// `is_over` is asked about once a second while the connection is made; anything but 0 ends that.
typedef int (*ccurl_question)(void *context, int64_t, int64_t, int64_t, int64_t);
/// To be called once, before ccurl_connect.
int ccurl_set_connect_only(ccurl_handle *handle, ccurl_question is_over, void *context);
/// Blocks until the connection is there; the result is a CURLcode.
int ccurl_connect(ccurl_handle *handle);
/// The connection's descriptor, to wait for; -1 when it is gone.
int ccurl_socket(ccurl_handle *handle);
/// Sends and receives what can be without waiting (curl_easy_send(3), curl_easy_recv(3)): CCURL_CODE_AGAIN where nothing
/// can; 0 with a count of 0 when the server has ended the connection.
int ccurl_send(ccurl_handle *handle, const void *bytes, size_t count, size_t *sent);
int ccurl_receive(ccurl_handle *handle, void *bytes, size_t count, size_t *received);
extern const int CCURL_CODE_AGAIN, CCURL_CODE_ENDED_HERE;

/// What a CURLcode means for a request.
typedef enum {
    CCURL_DNS,
    CCURL_CONNECT,
    CCURL_TLS,
    CCURL_TIMED_OUT,
    CCURL_TOO_LARGE,
    CCURL_ENCODING,
    /// The connection ended before the response did.
    CCURL_INTERRUPTED,
    CCURL_OTHER,
} ccurl_failure;
ccurl_failure ccurl_kind(int code);
extern const int CCURL_CODE_OUT_OF_MEMORY;

/// Many transfers on one thread, with the connections that they leave open (libcurl-multi(3)). All calls but
/// ccurl_multi_wake are for that one thread.
typedef void ccurl_multi;

/// Keeps at most so many connections open. NULL when there is no memory.
ccurl_multi *ccurl_multi_create(int connections);
/// Closes all connections; every handle must have been removed.
void ccurl_multi_destroy(ccurl_multi *multi);
/// Not 0: it was not added.
int ccurl_multi_add(ccurl_multi *multi, ccurl_handle *handle);
void ccurl_multi_remove(ccurl_multi *multi, ccurl_handle *handle);
/// Does what can be done without waiting; not 0 is a failure of the whole.
int ccurl_multi_advance(ccurl_multi *multi);
/// Waits for the network, a deadline of a transfer, ccurl_multi_wake, or so many milliseconds.
int ccurl_multi_wait(ccurl_multi *multi, int milliseconds);
/// Ends a wait, or the next one; from any thread (curl_multi_wakeup(3)).
void ccurl_multi_wake(ccurl_multi *multi);
/// A transfer that has ended, with its CURLcode; NULL when there is none. It must then be removed.
ccurl_handle *ccurl_multi_ended(ccurl_multi *multi, int *code);
#endif
