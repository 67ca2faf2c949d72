#include "CFaultySQLite.h"

#include <errno.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#define MAXIMUM_FAULTS 64
#define MAXIMUM_PATH 512

typedef struct {
    int is_used, mask, is_lasting;
    FaultySQLiteKind kind;
    /// Distinguishes the fault from others in the same place.
    unsigned long number;
    long first, count, failures;
    char folder[MAXIMUM_PATH];
} Fault;

/// A file of this VFS. The file of the default VFS follows it in memory.
typedef struct {
    sqlite3_file base;
    char path[MAXIMUM_PATH];
} File;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/// Signaled when a fault ends.
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static unsigned long last_number;
static Fault faults[MAXIMUM_FAULTS];
static sqlite3_vfs *parent;
static sqlite3_vfs vfs;

static sqlite3_file *real(sqlite3_file *file) { return (sqlite3_file *)((File *)file + 1); }

/// Counts an operation on a path, and waits if it hangs. Returns 0 if it is made, 1 if it fails on a full disk, 2 if it fails
/// otherwise.
static int fault(int operation, const char *path) {
    int result = 0, hangs = -1;
    if (!path) return 0;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < MAXIMUM_FAULTS; i++) {
        Fault *f = &faults[i];
        size_t length = strlen(f->folder);
        if (!f->is_used || !(f->mask & operation) || strncmp(path, f->folder, length) != 0 || path[length] != '/')
            continue;
        f->count++;
        if (f->first > 0 && (f->count == f->first || (f->is_lasting && f->count > f->first))) {
            f->failures++;
            if (f->kind == FAULTY_HANGING) hangs = i;
            else result = f->kind == FAULTY_FULL ? 1 : 2;
        }
    }
    // Another fault can have the place of one that has ended.
    if (hangs >= 0) {
        unsigned long number = faults[hangs].number;
        while (faults[hangs].is_used && faults[hangs].number == number) pthread_cond_wait(&ended, &lock);
    }
    pthread_mutex_unlock(&lock);
    if (result) errno = result == 1 ? ENOSPC : EIO;
    return result;
}

static int faulty_close(sqlite3_file *file) { return real(file)->pMethods->xClose(real(file)); }

static int faulty_read(sqlite3_file *file, void *buffer, int count, sqlite3_int64 offset) {
    return real(file)->pMethods->xRead(real(file), buffer, count, offset);
}

static int faulty_write(sqlite3_file *file, const void *buffer, int count, sqlite3_int64 offset) {
    int kind = fault(FAULTY_WRITE, ((File *)file)->path);
    if (kind) {
        real(file)->pMethods->xWrite(real(file), buffer, count / 2, offset);
        return kind == 1 ? SQLITE_FULL : SQLITE_IOERR_WRITE;
    }
    return real(file)->pMethods->xWrite(real(file), buffer, count, offset);
}

static int faulty_truncate(sqlite3_file *file, sqlite3_int64 size) {
    if (fault(FAULTY_TRUNCATE, ((File *)file)->path)) return SQLITE_IOERR_TRUNCATE;
    return real(file)->pMethods->xTruncate(real(file), size);
}

static int faulty_sync(sqlite3_file *file, int flags) {
    if (fault(FAULTY_SYNC, ((File *)file)->path)) return SQLITE_IOERR_FSYNC;
    return real(file)->pMethods->xSync(real(file), flags);
}

static int faulty_size(sqlite3_file *file, sqlite3_int64 *size) {
    return real(file)->pMethods->xFileSize(real(file), size);
}

static int faulty_lock(sqlite3_file *file, int level) { return real(file)->pMethods->xLock(real(file), level); }
static int faulty_unlock(sqlite3_file *file, int level) { return real(file)->pMethods->xUnlock(real(file), level); }

static int faulty_check(sqlite3_file *file, int *result) {
    return real(file)->pMethods->xCheckReservedLock(real(file), result);
}

static int faulty_control(sqlite3_file *file, int operation, void *argument) {
    return real(file)->pMethods->xFileControl(real(file), operation, argument);
}

static int faulty_sector(sqlite3_file *file) { return real(file)->pMethods->xSectorSize(real(file)); }
static int faulty_characteristics(sqlite3_file *file) {
    return real(file)->pMethods->xDeviceCharacteristics(real(file));
}

static int faulty_map(sqlite3_file *file, int page, int size, int extend, void volatile **memory) {
    return real(file)->pMethods->xShmMap(real(file), page, size, extend, memory);
}

static int faulty_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
    return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}

static void faulty_barrier(sqlite3_file *file) { real(file)->pMethods->xShmBarrier(real(file)); }

static int faulty_unmap(sqlite3_file *file, int remove) {
    return real(file)->pMethods->xShmUnmap(real(file), remove);
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = faulty_close,
    .xRead = faulty_read,
    .xWrite = faulty_write,
    .xTruncate = faulty_truncate,
    .xSync = faulty_sync,
    .xFileSize = faulty_size,
    .xLock = faulty_lock,
    .xUnlock = faulty_unlock,
    .xCheckReservedLock = faulty_check,
    .xFileControl = faulty_control,
    .xSectorSize = faulty_sector,
    .xDeviceCharacteristics = faulty_characteristics,
    .xShmMap = faulty_map,
    .xShmLock = faulty_shm_lock,
    .xShmBarrier = faulty_barrier,
    .xShmUnmap = faulty_unmap,
};

static int faulty_open(sqlite3_vfs *self, const char *path, sqlite3_file *file, int flags, int *opened) {
    (void)self;
    file->pMethods = NULL;
    int kind = fault(FAULTY_OPEN, path);
    if (kind) return kind == 1 ? SQLITE_FULL : SQLITE_CANTOPEN;
    File *own = (File *)file;
    own->path[0] = 0;
    if (path && strlen(path) < MAXIMUM_PATH) strcpy(own->path, path);
    int code = parent->xOpen(parent, path, real(file), flags, opened);
    // The default VFS sets its methods also for a file that it could not open but that has to be closed.
    if (real(file)->pMethods) file->pMethods = &methods;
    return code;
}

static int faulty_delete(sqlite3_vfs *self, const char *path, int synchronize) {
    (void)self;
    if (fault(FAULTY_DELETE, path)) return SQLITE_IOERR_DELETE;
    return parent->xDelete(parent, path, synchronize);
}

static int registered = SQLITE_ERROR;

static void register_once(void) {
    if (sqlite3_initialize() != SQLITE_OK) return;
    parent = sqlite3_vfs_find(NULL);
    if (!parent) return;
    vfs = *parent;
    vfs.pNext = NULL;
    vfs.zName = "faulty";
    vfs.szOsFile = (int)sizeof(File) + parent->szOsFile;
    vfs.xOpen = faulty_open;
    vfs.xDelete = faulty_delete;
    registered = sqlite3_vfs_register(&vfs, 1);
}

int faulty_sqlite_register(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, register_once);
    return registered;
}

int faulty_sqlite_begin(const char *folder, int mask, long first, int is_lasting, FaultySQLiteKind kind) {
    int handle = -1;
    if (strlen(folder) >= MAXIMUM_PATH) return -1;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < MAXIMUM_FAULTS && handle < 0; i++) {
        if (faults[i].is_used) continue;
        handle = i;
        faults[i] = (Fault){
            .is_used = 1, .mask = mask, .is_lasting = is_lasting, .kind = kind, .number = ++last_number,
            .first = first};
        strcpy(faults[i].folder, folder);
    }
    pthread_mutex_unlock(&lock);
    return handle;
}

FaultySQLiteCounts faulty_sqlite_counts(int handle) {
    pthread_mutex_lock(&lock);
    FaultySQLiteCounts counts = {faults[handle].count, faults[handle].failures};
    pthread_mutex_unlock(&lock);
    return counts;
}

FaultySQLiteCounts faulty_sqlite_end(int handle) {
    pthread_mutex_lock(&lock);
    FaultySQLiteCounts counts = {faults[handle].count, faults[handle].failures};
    faults[handle].is_used = 0;
    pthread_cond_broadcast(&ended);
    pthread_mutex_unlock(&lock);
    return counts;
}
