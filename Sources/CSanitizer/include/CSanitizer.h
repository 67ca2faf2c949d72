#pragma once

// The runtimes of AddressSanitizer and ThreadSanitizer call these functions at the start of a program. Tests start programs
// with environments of their own, so ASAN_OPTIONS and TSAN_OPTIONS of the tests do not reach them.
const char *__asan_default_options(void);
const char *__tsan_default_options(void);
