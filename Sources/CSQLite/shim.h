// A function of SQLite that GRDB's module lacks: sqlite3_db_config is variadic, so Swift cannot call it. It is declared
// here instead of including sqlite3.h, so that a file can import both modules.
struct sqlite3;
int sqlite3_db_config(struct sqlite3 *database, int operation, ...);

/// Sets SQLITE_DBCONFIG_DEFENSIVE: no statement can write to the schema table or turn the journal off
/// (sqlite.org/c3ref/c_dbconfig_defensive.html).
///
/// @return a result code of SQLite.
static inline int sqlite_set_defensive(void *database) {
    return sqlite3_db_config((struct sqlite3 *)database, 1010, 1, (int *)0);
}
