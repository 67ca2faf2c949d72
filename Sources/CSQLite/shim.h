#include <sqlite3.h>

/// Sets SQLITE_DBCONFIG_DEFENSIVE, which prevents statements from writing to the schema table and from turning the
/// journal off (sqlite.org/c3ref/c_dbconfig_defensive.html). sqlite3_db_config is variadic, so Swift cannot call it.
///
/// @return a result code of SQLite.
static inline int sqlite_set_defensive(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}
