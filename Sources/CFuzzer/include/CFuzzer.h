#pragma once
#include <stddef.h>
#include <stdint.h>

// Runs libFuzzer, which calls `test` for each input, and returns its exit status. The driver of compiler-rt
// (lib/fuzzer/FuzzerDriver.cpp), which -sanitize=fuzzer links.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*test)(const uint8_t *bytes, size_t count));
