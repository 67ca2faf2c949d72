#include "CCurl.h"
#include <curl/curl.h>

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

int ccurl_global_init(void) {
    return curl_global_init(CURL_GLOBAL_DEFAULT);
}

ccurl_handle *ccurl_create(void) {
    return curl_easy_init();
}

void ccurl_destroy(ccurl_handle *handle) {
    curl_easy_cleanup(handle);
}

int ccurl_perform(ccurl_handle *handle) {
    return curl_easy_perform(handle);
}

const char *ccurl_describe(int code) {
    return curl_easy_strerror(code);
}

int ccurl_set_long(ccurl_handle *handle, int option, long value) {
    return curl_easy_setopt(handle, option, value);
}

int ccurl_set_offset(ccurl_handle *handle, int option, int64_t value) {
    return curl_easy_setopt(handle, option, (curl_off_t)value);
}

int ccurl_set_text(ccurl_handle *handle, int option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

int ccurl_set_list(ccurl_handle *handle, int option, struct curl_slist *value) {
    return curl_easy_setopt(handle, option, value);
}

struct curl_slist *ccurl_append(struct curl_slist *list, const char *line) {
    return curl_slist_append(list, line);
}

void ccurl_free_list(struct curl_slist *list) {
    curl_slist_free_all(list);
}

int ccurl_set_body(ccurl_handle *handle, ccurl_receiver receiver, void *context) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, receiver);
    return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_WRITEDATA, context);
}

int ccurl_set_header(ccurl_handle *handle, ccurl_receiver receiver, void *context) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, receiver);
    return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_HEADERDATA, context);
}

int ccurl_set_progress(ccurl_handle *handle, ccurl_progress progress, void *context) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, progress);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_XFERINFODATA, context);
    return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
}

long ccurl_status(ccurl_handle *handle) {
    long status = 0;
    return curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK ? status : 0;
}

const char *ccurl_redirection(ccurl_handle *handle) {
    const char *url = NULL;
    return curl_easy_getinfo(handle, CURLINFO_REDIRECT_URL, &url) == CURLE_OK ? url : NULL;
}
