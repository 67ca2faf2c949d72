#include "CCurl.h"
// The type checks of curl.h are macros that call functions which are not linked.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <dlfcn.h>

_Static_assert(sizeof(curl_off_t) == sizeof(int64_t), "curl_off_t has 64 bits");

const int CCURL_URL = CURLOPT_URL;
const int CCURL_PROTOCOLS = CURLOPT_PROTOCOLS_STR;
const int CCURL_TIMEOUT_MS = CURLOPT_TIMEOUT_MS;
const int CCURL_CONNECT_TIMEOUT_MS = CURLOPT_CONNECTTIMEOUT_MS;
const int CCURL_NO_SIGNAL = CURLOPT_NOSIGNAL;
const int CCURL_QUICK_EXIT = CURLOPT_QUICK_EXIT;
const int CCURL_MAXIMUM_SIZE = CURLOPT_MAXFILESIZE_LARGE;
const int CCURL_USER_AGENT = CURLOPT_USERAGENT;
const int CCURL_HEADERS = CURLOPT_HTTPHEADER;
const int CCURL_ENCODINGS = CURLOPT_ACCEPT_ENCODING;
const int CCURL_CA_FILE = CURLOPT_CAINFO;
const int CCURL_CA_FOLDER = CURLOPT_CAPATH;
const int CCURL_NEW_CONNECTION = CURLOPT_FRESH_CONNECT;
const int CCURL_PROXY = CURLOPT_PROXY;
const int CCURL_TLS_VERSION = CURLOPT_SSLVERSION;
const long CCURL_TLS_1_2 = CURL_SSLVERSION_TLSv1_2;
const int CCURL_LOW_SPEED = CURLOPT_LOW_SPEED_LIMIT;
const int CCURL_LOW_SPEED_SECONDS = CURLOPT_LOW_SPEED_TIME;
const int CCURL_VERIFY_PEER = CURLOPT_SSL_VERIFYPEER;
const int CCURL_VERIFY_HOST = CURLOPT_SSL_VERIFYHOST;

const int CCURL_CODE_OUT_OF_MEMORY = CURLE_OUT_OF_MEMORY;
const int CCURL_CODE_AGAIN = CURLE_AGAIN;
const int CCURL_CODE_ENDED_HERE = CURLE_ABORTED_BY_CALLBACK;

// The functions of libcurl that are used. ccurl_load finds them.
static struct {
    CURLcode (*global_init)(long flags);
    CURL *(*easy_init)(void);
    void (*easy_cleanup)(CURL *handle);
    CURLcode (*easy_setopt)(CURL *handle, CURLoption option, ...);
    CURLcode (*easy_perform)(CURL *handle);
    CURLcode (*easy_send)(CURL *handle, const void *bytes, size_t count, size_t *sent);
    CURLcode (*easy_recv)(CURL *handle, void *bytes, size_t count, size_t *received);
    CURLcode (*easy_getinfo)(CURL *handle, CURLINFO info, ...);
    const char *(*easy_strerror)(CURLcode code);
    struct curl_slist *(*slist_append)(struct curl_slist *list, const char *line);
    void (*slist_free_all)(struct curl_slist *list);
    CURLM *(*multi_init)(void);
    CURLMcode (*multi_cleanup)(CURLM *multi);
    CURLMcode (*multi_setopt)(CURLM *multi, CURLMoption option, ...);
    CURLMcode (*multi_add_handle)(CURLM *multi, CURL *handle);
    CURLMcode (*multi_remove_handle)(CURLM *multi, CURL *handle);
    CURLMcode (*multi_perform)(CURLM *multi, int *running);
    CURLMcode (*multi_poll)(CURLM *multi, struct curl_waitfd extra[], unsigned count, int milliseconds, int *ready);
    CURLMcode (*multi_wakeup)(CURLM *multi);
    CURLMsg *(*multi_info_read)(CURLM *multi, int *left);
} libcurl;

// Debian's libcurl4 has the name `soname` in both its OpenSSL and its GnuTLS variant.
static const char *const sonames[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};

const char *ccurl_load(void) {
    void *library = NULL;
    for (size_t n = 0; library == NULL && n < sizeof sonames / sizeof *sonames; n++) {
        library = dlopen(sonames[n], RTLD_NOW | RTLD_LOCAL);
    }
    if (library == NULL) return dlerror();
    struct { const char *name; void **place; } functions[] = {
        {"curl_global_init", (void **)&libcurl.global_init},
        {"curl_easy_init", (void **)&libcurl.easy_init},
        {"curl_easy_cleanup", (void **)&libcurl.easy_cleanup},
        {"curl_easy_setopt", (void **)&libcurl.easy_setopt},
        {"curl_easy_perform", (void **)&libcurl.easy_perform},
        {"curl_easy_send", (void **)&libcurl.easy_send},
        {"curl_easy_recv", (void **)&libcurl.easy_recv},
        {"curl_easy_getinfo", (void **)&libcurl.easy_getinfo},
        {"curl_easy_strerror", (void **)&libcurl.easy_strerror},
        {"curl_slist_append", (void **)&libcurl.slist_append},
        {"curl_slist_free_all", (void **)&libcurl.slist_free_all},
        {"curl_multi_init", (void **)&libcurl.multi_init},
        {"curl_multi_cleanup", (void **)&libcurl.multi_cleanup},
        {"curl_multi_setopt", (void **)&libcurl.multi_setopt},
        {"curl_multi_add_handle", (void **)&libcurl.multi_add_handle},
        {"curl_multi_remove_handle", (void **)&libcurl.multi_remove_handle},
        {"curl_multi_perform", (void **)&libcurl.multi_perform},
        {"curl_multi_poll", (void **)&libcurl.multi_poll},
        {"curl_multi_wakeup", (void **)&libcurl.multi_wakeup},
        {"curl_multi_info_read", (void **)&libcurl.multi_info_read},
    };
    for (size_t n = 0; n < sizeof functions / sizeof *functions; n++) {
        *functions[n].place = dlsym(library, functions[n].name);
        if (*functions[n].place == NULL) return dlerror();
    }
    return libcurl.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK ? NULL : "its initialization failed";
}

ccurl_handle *ccurl_create(void) {
    return libcurl.easy_init();
}

void ccurl_destroy(ccurl_handle *handle) {
    libcurl.easy_cleanup(handle);
}

const char *ccurl_describe(int code) {
    return libcurl.easy_strerror(code);
}

int ccurl_set_long(ccurl_handle *handle, int option, long value) {
    return libcurl.easy_setopt(handle, option, value);
}

int ccurl_set_offset(ccurl_handle *handle, int option, int64_t value) {
    return libcurl.easy_setopt(handle, option, (curl_off_t)value);
}

int ccurl_set_text(ccurl_handle *handle, int option, const char *value) {
    return libcurl.easy_setopt(handle, option, value);
}

int ccurl_set_list(ccurl_handle *handle, int option, struct curl_slist *value) {
    return libcurl.easy_setopt(handle, option, value);
}

struct curl_slist *ccurl_append(struct curl_slist *list, const char *line) {
    return libcurl.slist_append(list, line);
}

void ccurl_free_list(struct curl_slist *list) {
    libcurl.slist_free_all(list);
}

int ccurl_set_method(ccurl_handle *handle, const char *method, const void *body, size_t count) {
    // CURLOPT_CUSTOMREQUEST replaces only the word in the request line; the other options decide whether a body is sent.
    CURLcode code = libcurl.easy_setopt(handle, CURLOPT_CUSTOMREQUEST, method);
    if (code != CURLE_OK) return code;
    if (method == NULL) return libcurl.easy_setopt(handle, CURLOPT_HTTPGET, 1L);
    // The size comes first, because the option that copies the body uses it.
    code = libcurl.easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
    return code != CURLE_OK ? code : libcurl.easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, count > 0 ? body : "");
}

int ccurl_set_body(ccurl_handle *handle, ccurl_receiver receiver, void *context) {
    CURLcode code = libcurl.easy_setopt(handle, CURLOPT_WRITEFUNCTION, receiver);
    return code != CURLE_OK ? code : libcurl.easy_setopt(handle, CURLOPT_WRITEDATA, context);
}

int ccurl_set_header(ccurl_handle *handle, ccurl_receiver receiver, void *context) {
    CURLcode code = libcurl.easy_setopt(handle, CURLOPT_HEADERFUNCTION, receiver);
    return code != CURLE_OK ? code : libcurl.easy_setopt(handle, CURLOPT_HEADERDATA, context);
}

int ccurl_set_gate(ccurl_handle *handle, ccurl_gate gate, void *context) {
    CURLcode code = libcurl.easy_setopt(handle, CURLOPT_PREREQFUNCTION, gate);
    if (code == CURLE_UNKNOWN_OPTION) return libcurl.easy_setopt(handle, CURLOPT_FRESH_CONNECT, 1L);
    return code != CURLE_OK ? code : libcurl.easy_setopt(handle, CURLOPT_PREREQDATA, context);
}

int ccurl_set_reason(ccurl_handle *handle, char *buffer) {
    return libcurl.easy_setopt(handle, CURLOPT_ERRORBUFFER, buffer);
}

long ccurl_status(ccurl_handle *handle) {
    long status = 0;
    return libcurl.easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK ? status : 0;
}

const char *ccurl_redirection(ccurl_handle *handle) {
    const char *url = NULL;
    return libcurl.easy_getinfo(handle, CURLINFO_REDIRECT_URL, &url) == CURLE_OK ? url : NULL;
}

int ccurl_is_connected(ccurl_handle *handle) {
    // The time until just before the request is sent, over a new or a reused connection.
    curl_off_t microseconds = 0;
    return libcurl.easy_getinfo(handle, CURLINFO_PRETRANSFER_TIME_T, &microseconds) == CURLE_OK && microseconds > 0;
}

int64_t ccurl_received(ccurl_handle *handle) {
    curl_off_t body = 0;
    long head = 0;
    libcurl.easy_getinfo(handle, CURLINFO_SIZE_DOWNLOAD_T, &body);
    libcurl.easy_getinfo(handle, CURLINFO_HEADER_SIZE, &head);
    return body + head;
}

int ccurl_set_connect_only(ccurl_handle *handle, ccurl_question is_over, void *context) {
    CURLcode code = libcurl.easy_setopt(handle, CURLOPT_CONNECT_ONLY, 1L);
    // A server that offers HTTP/2 must not choose it, because the daemon uses HTTP/1.1 on the connection.
    if (code == CURLE_OK) code = libcurl.easy_setopt(handle, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    if (code == CURLE_OK) code = libcurl.easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
    if (code == CURLE_OK) code = libcurl.easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, is_over);
    return code != CURLE_OK ? code : libcurl.easy_setopt(handle, CURLOPT_XFERINFODATA, context);
}

int ccurl_connect(ccurl_handle *handle) {
    return libcurl.easy_perform(handle);
}

int ccurl_socket(ccurl_handle *handle) {
    curl_socket_t socket = CURL_SOCKET_BAD;
    return libcurl.easy_getinfo(handle, CURLINFO_ACTIVESOCKET, &socket) == CURLE_OK ? (int)socket : -1;
}

int ccurl_send(ccurl_handle *handle, const void *bytes, size_t count, size_t *sent) {
    return libcurl.easy_send(handle, bytes, count, sent);
}

int ccurl_receive(ccurl_handle *handle, void *bytes, size_t count, size_t *received) {
    return libcurl.easy_recv(handle, bytes, count, received);
}

ccurl_failure ccurl_kind(int code) {
    switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY: return CCURL_DNS;
    case CURLE_COULDNT_CONNECT: return CCURL_CONNECT;
    case CURLE_OPERATION_TIMEDOUT: return CCURL_TIMED_OUT;
    case CURLE_FILESIZE_EXCEEDED: return CCURL_TOO_LARGE;
    case CURLE_OUT_OF_MEMORY:
    case 100: /* CURLE_TOO_LARGE of libcurl 8.6 */ return CCURL_BUFFER_LIMIT;
    case CURLE_BAD_CONTENT_ENCODING: return CCURL_ENCODING;
    case CURLE_PARTIAL_FILE:
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM: return CCURL_INTERRUPTED;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_ENGINE_INITFAILED:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CRL_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
    case CURLE_SSL_INVALIDCERTSTATUS:
    case CURLE_SSL_CLIENTCERT: return CCURL_TLS;
    default: return CCURL_OTHER;
    }
}

ccurl_multi *ccurl_multi_create(int connections) {
    CURLM *multi = libcurl.multi_init();
    if (multi != NULL) libcurl.multi_setopt(multi, CURLMOPT_MAXCONNECTS, (long)connections);
    return multi;
}

void ccurl_multi_destroy(ccurl_multi *multi) {
    libcurl.multi_cleanup(multi);
}

int ccurl_multi_add(ccurl_multi *multi, ccurl_handle *handle) {
    return libcurl.multi_add_handle(multi, handle);
}

void ccurl_multi_remove(ccurl_multi *multi, ccurl_handle *handle) {
    libcurl.multi_remove_handle(multi, handle);
}

int ccurl_multi_advance(ccurl_multi *multi) {
    int running = 0;
    return libcurl.multi_perform(multi, &running);
}

int ccurl_multi_wait(ccurl_multi *multi, int milliseconds) {
    return libcurl.multi_poll(multi, NULL, 0, milliseconds, NULL);
}

void ccurl_multi_wake(ccurl_multi *multi) {
    libcurl.multi_wakeup(multi);
}

ccurl_handle *ccurl_multi_ended(ccurl_multi *multi, int *code) {
    int left = 0;
    CURLMsg *message;
    while ((message = libcurl.multi_info_read(multi, &left)) != NULL) {
        if (message->msg != CURLMSG_DONE) continue;
        *code = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}
