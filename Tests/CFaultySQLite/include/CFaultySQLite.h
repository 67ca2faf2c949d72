#pragma once

/// A wrapper of SQLite's default VFS (sqlite.org/vfs.html) that makes file operations fail or hang, for tests.
///
/// `faulty_sqlite_register` makes it the default VFS of the process. It passes every operation on until a test begins a
/// fault for a folder; only files in that folder are affected, so tests can run in parallel.

/// The operations, as bits of a mask.
enum {
    FAULTY_WRITE = 1,
    FAULTY_SYNC = 2,
    FAULTY_TRUNCATE = 4,
    FAULTY_OPEN = 8,
    FAULTY_DELETE = 16,
};

/// What happens to an operation. Half of a write is made before it fails.
typedef enum {
    /// It fails as on a broken disk.
    FAULTY_BROKEN = 0,
    /// It fails as on a full disk.
    FAULTY_FULL = 1,
    /// It is made when the fault ends.
    FAULTY_HANGING = 2,
} FaultySQLiteKind;

/// Registers the VFS, once per process. Returns a result code of SQLite.
int faulty_sqlite_register(void);

/// Begins to count the operations on files in a folder.
///
/// @param mask The operations that are counted.
/// @param first The number of the first operation that fails, from 1; 0 if none fails.
/// @param is_lasting Whether all later operations fail too.
/// @param kind What happens to these operations.
/// @return A handle for the other functions; -1 if there are too many.
int faulty_sqlite_begin(const char *folder, int mask, long first, int is_lasting, FaultySQLiteKind kind);

/// How many operations were counted, and how many of them failed or hung.
typedef struct {
    long operations, failures;
} FaultySQLiteCounts;

FaultySQLiteCounts faulty_sqlite_counts(int handle);

/// Ends a fault. The handle may belong to another fault from now on, so the last counts are returned.
FaultySQLiteCounts faulty_sqlite_end(int handle);
