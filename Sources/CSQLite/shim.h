// A function of SQLite that GRDB's module lacks. sqlite3_db_config is variadic, so Swift cannot call it. It is declared
// here without sqlite3.h, so that a file can import both modules.
struct sqlite3;
int sqlite3_db_config(struct sqlite3 *database, int operation, ...);

/// Sets SQLITE_DBCONFIG_DEFENSIVE, which prevents statements from writing to the schema table and from turning the
/// journal off (sqlite.org/c3ref/c_dbconfig_defensive.html).
///
/// @return a result code of SQLite.
static inline int sqlite_set_defensive(void *database) {
    return sqlite3_db_config((struct sqlite3 *)database, 1010, 1, (int *)0);
}
