#pragma once

/// Starts a program as the leader of a new process group, with all signals at their defaults and none blocked
/// (posix_spawn(3)).
///
/// @param streams The descriptors of its standard streams; -1 for that of this process, and -2 for /dev/null. The program
///     has no other descriptors.
/// @return 0, or an error number.
int test_process_start(int *pid, const char *path, char *const arguments[], char *const environment[],
                       const int streams[3]);
