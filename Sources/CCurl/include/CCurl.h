// libcurl's variadic setters, spelled out with their types: Swift imports no variadic C function.
#ifndef CCURL_H
#define CCURL_H
#include <curl/curl.h>
#endif
