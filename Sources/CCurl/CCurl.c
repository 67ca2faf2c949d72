#include "CCurl.h"
// The type checks of these macros call the functions by their own names.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <dlfcn.h>

_Static_assert(sizeof(curl_off_t) == sizeof(int64_t), "curl_off_t has 64 bits");

const int CCURL_URL = CURLOPT_URL;
const int CCURL_PROTOCOLS = CURLOPT_PROTOCOLS_STR;
const int CCURL_TIMEOUT_MS = CURLOPT_TIMEOUT_MS;
const int CCURL_CONNECT_TIMEOUT_MS = CURLOPT_CONNECTTIMEOUT_MS;
const int CCURL_NO_SIGNAL = CURLOPT_NOSIGNAL;
const int CCURL_MAXIMUM_SIZE = CURLOPT_MAXFILESIZE_LARGE;
const int CCURL_USER_AGENT = CURLOPT_USERAGENT;
const int CCURL_HEADERS = CURLOPT_HTTPHEADER;

const int CCURL_CODE_TIMED_OUT = CURLE_OPERATION_TIMEDOUT;
const int CCURL_CODE_TOO_LARGE = CURLE_FILESIZE_EXCEEDED;

// What of libcurl is used, found by ccurl_load.
static struct {
    CURLcode (*global_init)(long flags);
    CURL *(*easy_init)(void);
    void (*easy_cleanup)(CURL *handle);
    CURLcode (*easy_perform)(CURL *handle);
    CURLcode (*easy_setopt)(CURL *handle, CURLoption option, ...);
    CURLcode (*easy_getinfo)(CURL *handle, CURLINFO info, ...);
    const char *(*easy_strerror)(CURLcode code);
    struct curl_slist *(*slist_append)(struct curl_slist *list, const char *line);
    void (*slist_free_all)(struct curl_slist *list);
} libcurl;

// `soname` is what Debian's libcurl4 has; both of its flavours, OpenSSL and GnuTLS, are found.
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
        {"curl_easy_perform", (void **)&libcurl.easy_perform},
        {"curl_easy_setopt", (void **)&libcurl.easy_setopt},
        {"curl_easy_getinfo", (void **)&libcurl.easy_getinfo},
        {"curl_easy_strerror", (void **)&libcurl.easy_strerror},
        {"curl_slist_append", (void **)&libcurl.slist_append},
        {"curl_slist_free_all", (void **)&libcurl.slist_free_all},
    };
    for (size_t n = 0; n < sizeof functions / sizeof *functions; n++) {
        *functions[n].place = dlsym(library, functions[n].name);
        if (*functions[n].place == NULL) return dlerror();
    }
    return libcurl.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK ? NULL : "it cannot be made ready";
}

ccurl_handle *ccurl_create(void) {
    return libcurl.easy_init();
}

void ccurl_destroy(ccurl_handle *handle) {
    libcurl.easy_cleanup(handle);
}

int ccurl_perform(ccurl_handle *handle) {
    return libcurl.easy_perform(handle);
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

int ccurl_set_body(ccurl_handle *handle, ccurl_receiver receiver, void *context) {
    CURLcode code = libcurl.easy_setopt(handle, CURLOPT_WRITEFUNCTION, receiver);
    return code != CURLE_OK ? code : libcurl.easy_setopt(handle, CURLOPT_WRITEDATA, context);
}

int ccurl_set_header(ccurl_handle *handle, ccurl_receiver receiver, void *context) {
    CURLcode code = libcurl.easy_setopt(handle, CURLOPT_HEADERFUNCTION, receiver);
    return code != CURLE_OK ? code : libcurl.easy_setopt(handle, CURLOPT_HEADERDATA, context);
}

int ccurl_set_progress(ccurl_handle *handle, ccurl_progress progress, void *context) {
    CURLcode code = libcurl.easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, progress);
    if (code == CURLE_OK) code = libcurl.easy_setopt(handle, CURLOPT_XFERINFODATA, context);
    return code != CURLE_OK ? code : libcurl.easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
}

long ccurl_status(ccurl_handle *handle) {
    long status = 0;
    return libcurl.easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK ? status : 0;
}

const char *ccurl_redirection(ccurl_handle *handle) {
    const char *url = NULL;
    return libcurl.easy_getinfo(handle, CURLINFO_REDIRECT_URL, &url) == CURLE_OK ? url : NULL;
}
