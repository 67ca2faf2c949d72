// The floor for an import: converts a GTFS archive to a file that can be queried, in plain C on one thread.
//
// It decompresses and parses stops.txt, routes.txt, trips.txt, shapes.txt and stop_times.txt, groups the trips with the
// same stops and running times into one profile, and stores stops, routes, trips, packed shapes and profiles in one
// SQLite file, which is synced to disk (fsync) at the end. It combines the rows of a trip that are not consecutive.
// Unlike transitd, it has no validation, interpolation, calendars, transfers, search, checksums of members or digest of
// the content.
//
//   import FEED.zip OUT.sqlite    prints: stop_times trips profiles
#include <fcntl.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#define CHUNK (256 * 1024)
#define FIELDS 64

static void die(const char *what) {
    fprintf(stderr, "floor: %s\n", what);
    exit(1);
}

static void *grow(void *old, size_t bytes) {
    void *memory = realloc(old, bytes);
    if (!memory) die("out of memory");
    return memory;
}

// Hash table for text and integers: open addressing, with keys in an arena.

typedef struct { char *bytes; size_t used, room; } Arena;

static uint32_t keep(Arena *arena, const void *bytes, size_t count) {
    if (arena->used + count > arena->room) {
        arena->room = (arena->used + count) * 3 / 2 + 4096;
        arena->bytes = grow(arena->bytes, arena->room);
    }
    memcpy(arena->bytes + arena->used, bytes, count);
    arena->used += count;
    return (uint32_t)(arena->used - count);
}

typedef struct { uint32_t hash, where, length, value; } Slot;
typedef struct { Slot *slots; uint32_t mask, count; Arena arena; } Table;

static uint32_t hash_of(const void *data, size_t count) {
    const uint8_t *bytes = data;
    uint64_t hash = 0x9E3779B97F4A7C15ull ^ count;
    for (; count >= 8; count -= 8, bytes += 8) {
        uint64_t word;
        memcpy(&word, bytes, 8);
        hash = (hash ^ word) * 0xFF51AFD7ED558CCDull;
        hash ^= hash >> 32;
    }
    uint64_t word = 0;
    memcpy(&word, bytes, count);
    hash = (hash ^ word) * 0xC4CEB9FE1A85EC53ull;
    return (uint32_t)(hash >> 32) | 1;
}

static void widen(Table *table) {
    uint32_t mask = table->mask ? table->mask * 2 + 1 : 1023;
    Slot *slots = calloc((size_t)mask + 1, sizeof(Slot));
    if (!slots) die("out of memory");
    for (uint32_t i = 0; table->slots && i <= table->mask; i++) {
        if (!table->slots[i].hash) continue;
        uint32_t at = table->slots[i].hash & mask;
        while (slots[at].hash) at = (at + 1) & mask;
        slots[at] = table->slots[i];
    }
    free(table->slots);
    table->slots = slots;
    table->mask = mask;
}

// Returns the slot of a key. Adds a missing key with `value`, or returns NULL if `value` is UINT32_MAX.
static Slot *find(Table *table, const void *bytes, size_t count, uint32_t value) {
    if (table->count * 2 >= table->mask) widen(table);
    uint32_t hash = hash_of(bytes, count), at = hash & table->mask;
    for (; table->slots[at].hash; at = (at + 1) & table->mask) {
        Slot *slot = &table->slots[at];
        if (slot->hash == hash && slot->length == count && !memcmp(table->arena.bytes + slot->where, bytes, count))
            return slot;
    }
    if (value == UINT32_MAX) return NULL;
    table->slots[at] = (Slot){hash, keep(&table->arena, bytes, count), (uint32_t)count, value};
    table->count++;
    return &table->slots[at];
}

// Members of the archive, and their rows

typedef struct { uint64_t offset, compressed; int method, present; } Member;
typedef struct { const char *text; size_t length; } Field;

static int zip;

static uint32_t little(const uint8_t *at, int count) {
    uint32_t value = 0;
    while (count--) value = value << 8 | at[count];
    return value;
}

static Member member(const char *name) {
    off_t size = lseek(zip, 0, SEEK_END);
    static uint8_t tail[66000];
    size_t want = size < (off_t)sizeof tail ? (size_t)size : sizeof tail;
    if (pread(zip, tail, want, size - (off_t)want) != (ssize_t)want) die("cannot read the zip");
    uint8_t *end = tail + want - 22;
    while (end > tail && little(end, 4) != 0x06054B50) end--;
    uint32_t bytes = little(end + 12, 4), start = little(end + 16, 4);
    uint8_t *directory = grow(NULL, bytes + 1);
    if (pread(zip, directory, bytes, start) != (ssize_t)bytes) die("cannot read the zip's directory");
    Member found = {0};
    for (uint8_t *at = directory; at + 46 <= directory + bytes && little(at, 4) == 0x02014B50;) {
        uint32_t length = little(at + 28, 2);
        if (length == strlen(name) && !memcmp(at + 46, name, length)) {
            uint8_t local[30];
            uint32_t where = little(at + 42, 4);
            if (pread(zip, local, 30, where) != 30) die("cannot read a member");
            found = (Member){where + 30 + little(local + 26, 2) + little(local + 28, 2), little(at + 20, 4),
                             (int)little(at + 10, 2), 1};
        }
        at += 46 + length + little(at + 30, 2) + little(at + 32, 2);
    }
    free(directory);
    return found;
}

// Splits a row. Returns the start of the next row, or NULL if the row does not end before `end`.
static char *split(char *at, char *end, Field *fields, int *count) {
    int n = 0;
    for (;;) {
        char *start = at;
        if (at < end && *at == '"') {
            char *to = ++at;
            start = to;
            for (;; at++) {
                if (at >= end) return NULL;
                if (*at == '"') {
                    if (at + 1 < end && at[1] == '"') at++;
                    else break;
                }
                *to++ = *at;
            }
            if (n < FIELDS) fields[n++] = (Field){start, (size_t)(to - start)};
            at++;
        } else {
            while (at < end && *at != ',' && *at != '\n') at++;
            if (at >= end) return NULL;
            size_t length = (size_t)(at - start);
            if (*at == '\n' && length && at[-1] == '\r') length--;
            if (n < FIELDS) fields[n++] = (Field){start, length};
        }
        while (at < end && *at != ',' && *at != '\n') at++;
        if (at >= end) return NULL;
        if (*at++ == '\n') {
            *count = n;
            return at;
        }
    }
}

// Returns whether the row is complete. `split` unquotes fields in place, so an incomplete row must not be split twice.
static int whole(const char *at, const char *end) {
    const char *line = memchr(at, '\n', (size_t)(end - at));
    if (!line) return 0;
    if (!memchr(at, '"', (size_t)(line - at))) return 1;
    int quoted = 0;
    for (; at < end; at++) {
        if (*at == '"') quoted = !quoted;
        else if (*at == '\n' && !quoted) return 1;
    }
    return 0;
}

// Calls `row` for each row, with the columns in the order of `names`.
static void table(const char *name, const char *const *names, int columns, void (*row)(const Field *)) {
    Member m = member(name);
    if (!m.present) die(name);
    static uint8_t packed[CHUNK];
    size_t room = CHUNK * 2, held = 0;
    char *text = grow(NULL, room + 1);
    int place[FIELDS], header = 0, done = 0;
    z_stream stream = {0};
    if (inflateInit2(&stream, -15) != Z_OK) die("cannot initialize zlib");
    uint64_t left = m.compressed;
    while (!done) {
        if (held == room) text = grow(text, (room *= 2) + 1);
        if (m.method == 8) {
            if (!stream.avail_in && left) {
                size_t want = left < CHUNK ? (size_t)left : CHUNK;
                if (pread(zip, packed, want, (off_t)m.offset) != (ssize_t)want) die("the zip archive is truncated");
                m.offset += want, left -= want;
                stream.next_in = packed, stream.avail_in = (unsigned)want;
            }
            stream.next_out = (uint8_t *)text + held, stream.avail_out = (unsigned)(room - held);
            int status = inflate(&stream, Z_NO_FLUSH);
            if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) die("invalid deflate data");
            held = room - stream.avail_out;
            done = status == Z_STREAM_END;
        } else {
            size_t want = left < room - held ? (size_t)left : room - held;
            if (pread(zip, text + held, want, (off_t)m.offset) != (ssize_t)want) die("the zip archive is truncated");
            m.offset += want, left -= want, held += want, done = !left;
        }
        if (done && held && text[held - 1] != '\n') text[held++] = '\n';
        char *at = text, *end = text + held;
        Field fields[FIELDS], picked[FIELDS];
        int count = 0;
        while (at < end && whole(at, end)) {
            char *next = split(at, end, fields, &count);
            if (!next) break;
            at = next;
            if (header) {
                for (int c = 0; c < columns; c++)
                    picked[c] = place[c] >= 0 && place[c] < count ? fields[place[c]] : (Field){"", 0};
                row(picked);
                continue;
            }
            header = 1;
            if (fields[0].length >= 3 && !memcmp(fields[0].text, "\xEF\xBB\xBF", 3))
                fields[0].text += 3, fields[0].length -= 3;
            for (int c = 0; c < columns; c++) {
                place[c] = -1;
                for (int f = 0; f < count; f++)
                    if (fields[f].length == strlen(names[c]) && !memcmp(fields[f].text, names[c], fields[f].length))
                        place[c] = f;
            }
        }
        held = (size_t)(end - at);
        memmove(text, at, held);
    }
    inflateEnd(&stream);
    free(text);
}

// SQLite file

static sqlite3 *store;

static void sql(const char *text) {
    if (sqlite3_exec(store, text, NULL, NULL, NULL) != SQLITE_OK) die(sqlite3_errmsg(store));
}

static sqlite3_stmt *prepare(const char *text) {
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(store, text, -1, &statement, NULL) != SQLITE_OK) die(sqlite3_errmsg(store));
    return statement;
}

static void run(sqlite3_stmt *statement) {
    if (sqlite3_step(statement) != SQLITE_DONE) die(sqlite3_errmsg(store));
    sqlite3_reset(statement);
}

static void bind(sqlite3_stmt *statement, int at, Field field) {
    sqlite3_bind_text(statement, at, field.text, (int)field.length, SQLITE_STATIC);
}

// GTFS tables

typedef struct { uint32_t id, length, route, service, headsign, profile; int32_t start; } Trip;
typedef struct { uint32_t sequence, stop; int32_t arrival, departure; } Call;
typedef struct { uint32_t where, calls; } Profile;

static Table stops, routes, services, headsigns, trips, profiles;
static Trip *trip;
static uint32_t trip_count, trip_room, profile_count, profile_room;
static Profile *profile;
static uint64_t row_count;
static sqlite3_stmt *insert_stop, *insert_route;

static void read_stop(const Field *field) {
    Slot *slot = find(&stops, field[0].text, field[0].length, stops.count);
    sqlite3_bind_int(insert_stop, 1, (int)slot->value);
    for (int c = 0; c < 5; c++) bind(insert_stop, c + 2, field[c]);
    run(insert_stop);
}

static void read_route(const Field *field) {
    Slot *slot = find(&routes, field[0].text, field[0].length, routes.count);
    sqlite3_bind_int(insert_route, 1, (int)slot->value);
    for (int c = 0; c < 4; c++) bind(insert_route, c + 2, field[c]);
    run(insert_route);
}

static uint32_t number(Table *table, Field field) { return find(table, field.text, field.length, table->count)->value; }

static void read_trip(const Field *field) {
    if (trip_count == trip_room) trip = grow(trip, (trip_room = trip_room * 2 + 1024) * sizeof(Trip));
    Slot *slot = find(&trips, field[0].text, field[0].length, trip_count);
    if (slot->value != trip_count) return;
    trip[trip_count++] = (Trip){slot->where, slot->length, number(&routes, field[1]), number(&services, field[2]),
                                number(&headsigns, field[3]), UINT32_MAX, 0};
}

static int32_t seconds(Field field) {
    if (field.length < 7) return INT32_MIN;
    const char *at = field.text + field.length - 6;
    int32_t hours = 0;
    for (const char *digit = field.text; digit < at; digit++) hours = hours * 10 + *digit - '0';
    return hours * 3600 + (at[1] - '0') * 600 + (at[2] - '0') * 60 + (at[4] - '0') * 10 + at[5] - '0';
}

static Call *calls;
static uint32_t call_count, call_room, current = UINT32_MAX;

static Call *next_call(void) {
    if (call_count == call_room) calls = grow(calls, (call_room = call_room * 2 + 256) * sizeof(Call));
    return &calls[call_count++];
}

static int by_sequence(const void *left, const void *right) {
    uint32_t a = ((const Call *)left)->sequence, b = ((const Call *)right)->sequence;
    return a < b ? -1 : a > b;
}

// Converts the collected rows to a profile: (sequence, stop, arrival, departure), relative to the first departure.
static void close_trip(void) {
    if (current == UINT32_MAX || !call_count) return;
    Trip *t = &trip[current];
    if (t->profile != UINT32_MAX) {  // the rows are not consecutive: add the earlier ones
        Profile p = profile[t->profile];
        for (uint32_t i = 0; i < p.calls; i++) {
            Call call;
            memcpy(&call, profiles.arena.bytes + p.where + i * sizeof(Call), sizeof call);
            if (call.arrival != INT32_MIN) call.arrival += t->start;
            if (call.departure != INT32_MIN) call.departure += t->start;
            *next_call() = call;
        }
    }
    for (uint32_t i = 1; i < call_count; i++)
        if (calls[i].sequence < calls[i - 1].sequence) {
            qsort(calls, call_count, sizeof(Call), by_sequence);
            break;
        }
    t->start = calls[0].departure;
    for (uint32_t i = 0; i < call_count; i++) {
        if (calls[i].arrival != INT32_MIN) calls[i].arrival -= t->start;
        if (calls[i].departure != INT32_MIN) calls[i].departure -= t->start;
    }
    Slot *slot = find(&profiles, calls, call_count * sizeof(Call), profile_count);
    if (slot->value == profile_count) {
        if (profile_count == profile_room)
            profile = grow(profile, (profile_room = profile_room * 2 + 256) * sizeof(Profile));
        profile[profile_count++] = (Profile){slot->where, call_count};
    }
    t->profile = slot->value;
    call_count = 0;
}

static void read_stop_time(const Field *field) {
    row_count++;
    if (current == UINT32_MAX || field[0].length != trip[current].length ||
        memcmp(field[0].text, trips.arena.bytes + trip[current].id, field[0].length)) {
        close_trip();
        Slot *slot = find(&trips, field[0].text, field[0].length, UINT32_MAX);
        current = slot ? slot->value : UINT32_MAX;
    }
    Slot *stop = find(&stops, field[3].text, field[3].length, UINT32_MAX);
    if (current == UINT32_MAX || !stop) return;
    uint32_t sequence = 0;
    for (size_t i = 0; i < field[4].length; i++) sequence = sequence * 10 + (uint32_t)(field[4].text[i] - '0');
    *next_call() = (Call){sequence, stop->value, seconds(field[1]), seconds(field[2])};
}

static uint8_t *put(uint8_t *at, uint32_t value) {
    for (; value >= 0x80; value >>= 7) *at++ = (uint8_t)value | 0x80;
    *at++ = (uint8_t)value;
    return at;
}

static uint8_t *put_signed(uint8_t *at, int32_t value) { return put(at, ((uint32_t)value << 1) ^ (uint32_t)(value >> 31)); }

static void write_profiles(void) {
    uint8_t *used = calloc(profile_count + 1, 1);
    for (uint32_t i = 0; i < trip_count; i++)
        if (trip[i].profile != UINT32_MAX) used[trip[i].profile] = 1;
    sqlite3_stmt *insert = prepare("INSERT INTO profile VALUES (?, ?)");
    uint8_t *packed = NULL;
    for (uint32_t i = 0; i < profile_count; i++) {
        if (!used[i]) continue;
        packed = grow(packed, profile[i].calls * 20 + 1);
        uint8_t *at = packed;
        Call last = {0};
        for (uint32_t c = 0; c < profile[i].calls; c++) {
            Call call;
            memcpy(&call, profiles.arena.bytes + profile[i].where + c * sizeof(Call), sizeof call);
            at = put(at, call.sequence - last.sequence);
            at = put(at, call.stop);
            at = put_signed(at, (int32_t)((uint32_t)call.arrival - (uint32_t)last.departure));
            at = put_signed(at, (int32_t)((uint32_t)call.departure - (uint32_t)call.arrival));
            last = call;
        }
        sqlite3_bind_int(insert, 1, (int)i);
        sqlite3_bind_blob(insert, 2, packed, (int)(at - packed), SQLITE_STATIC);
        run(insert);
    }
    sqlite3_finalize(insert);
    free(packed);
    free(used);
}

static void write_trips(void) {
    sqlite3_stmt *insert = prepare("INSERT INTO trip VALUES (?, ?, ?, ?, ?, ?, ?)");
    for (uint32_t i = 0; i < trip_count; i++) {
        const Trip *t = &trip[i];
        sqlite3_bind_int(insert, 1, (int)i);
        sqlite3_bind_text(insert, 2, trips.arena.bytes + t->id, (int)t->length, SQLITE_STATIC);
        sqlite3_bind_int(insert, 3, (int)t->route);
        sqlite3_bind_int(insert, 4, (int)t->service);
        sqlite3_bind_int(insert, 5, (int)t->headsign);
        sqlite3_bind_int(insert, 6, (int)t->profile);
        sqlite3_bind_int(insert, 7, t->start);
        run(insert);
    }
    sqlite3_finalize(insert);
}

static void write_names(Table *table, const char *into) {
    char text[64];
    snprintf(text, sizeof text, "INSERT INTO %s VALUES (?, ?)", into);
    sqlite3_stmt *insert = prepare(text);
    for (uint32_t i = 0; table->slots && i <= table->mask; i++) {
        Slot *slot = &table->slots[i];
        if (!slot->hash) continue;
        sqlite3_bind_int(insert, 1, (int)slot->value);
        bind(insert, 2, (Field){table->arena.bytes + slot->where, slot->length});
        run(insert);
    }
    sqlite3_finalize(insert);
}

typedef struct { uint32_t sequence; int32_t latitude, longitude; } Point;

static Point *points;
static uint32_t point_count, point_room;
static Field shape_id;
static sqlite3_stmt *insert_shape;

// Converts degrees in a text to units of 1e-5 degree.
static int32_t degrees(Field field) {
    const char *at = field.text, *end = at + field.length;
    int negative = at < end && *at == '-';
    int32_t value = 0;
    for (at += negative; at < end && *at != '.'; at++) value = value * 10 + *at - '0';
    int digits = 0;
    for (at++; digits < 5; digits++, at++) value = value * 10 + (at < end ? *at - '0' : 0);
    if (at < end && *at >= '5') value++;
    return negative ? -value : value;
}

static int by_point(const void *left, const void *right) {
    uint32_t a = ((const Point *)left)->sequence, b = ((const Point *)right)->sequence;
    return a < b ? -1 : a > b;
}

// A shape whose rows are not consecutive is stored as one row for each sequence of rows.
static void close_shape(void) {
    if (!point_count) return;
    for (uint32_t i = 1; i < point_count; i++)
        if (points[i].sequence < points[i - 1].sequence) {
            qsort(points, point_count, sizeof(Point), by_point);
            break;
        }
    uint8_t *packed = grow(NULL, point_count * 10), *at = packed;
    Point last = {0};
    for (uint32_t i = 0; i < point_count; i++) {
        at = put_signed(at, points[i].latitude - last.latitude);
        at = put_signed(at, points[i].longitude - last.longitude);
        last = points[i];
    }
    bind(insert_shape, 1, shape_id);
    sqlite3_bind_blob(insert_shape, 2, packed, (int)(at - packed), SQLITE_STATIC);
    run(insert_shape);
    free(packed);
    point_count = 0;
}

static void read_shape(const Field *field) {
    static char id[256];
    if (field[0].length != shape_id.length || memcmp(field[0].text, id, shape_id.length)) {
        close_shape();
        shape_id = (Field){id, field[0].length < sizeof id ? field[0].length : sizeof id};
        memcpy(id, field[0].text, shape_id.length);
    }
    if (point_count == point_room) points = grow(points, (point_room = point_room * 2 + 1024) * sizeof(Point));
    uint32_t sequence = 0;
    for (size_t i = 0; i < field[3].length; i++) sequence = sequence * 10 + (uint32_t)(field[3].text[i] - '0');
    points[point_count++] = (Point){sequence, degrees(field[1]), degrees(field[2])};
}

int main(int count, char **arguments) {
    if (count != 3) die("usage: import FEED.zip OUT.sqlite");
    zip = open(arguments[1], O_RDONLY);
    if (zip < 0) die("cannot open the zip");
    unlink(arguments[2]);
    if (sqlite3_open(arguments[2], &store) != SQLITE_OK) die("cannot create the SQLite file");
    sql("PRAGMA journal_mode = OFF; PRAGMA synchronous = FULL; PRAGMA locking_mode = EXCLUSIVE; BEGIN;"
        "CREATE TABLE stop (number INTEGER PRIMARY KEY, id TEXT, name TEXT, latitude REAL, longitude REAL, parent TEXT);"
        "CREATE TABLE route (number INTEGER PRIMARY KEY, id TEXT, short_name TEXT, long_name TEXT, type INTEGER);"
        "CREATE TABLE service (number INTEGER PRIMARY KEY, id TEXT);"
        "CREATE TABLE headsign (number INTEGER PRIMARY KEY, text TEXT);"
        "CREATE TABLE trip (number INTEGER PRIMARY KEY, id TEXT, route INTEGER, service INTEGER, headsign INTEGER,"
        " profile INTEGER, start INTEGER);"
        "CREATE TABLE shape (id TEXT, points BLOB);"
        "CREATE TABLE profile (number INTEGER PRIMARY KEY, calls BLOB);");
    insert_stop = prepare("INSERT OR IGNORE INTO stop VALUES (?, ?, ?, ?, ?, ?)");
    insert_route = prepare("INSERT OR IGNORE INTO route VALUES (?, ?, ?, ?, ?)");
    table("stops.txt", (const char *[]){"stop_id", "stop_name", "stop_lat", "stop_lon", "parent_station"}, 5, read_stop);
    table("routes.txt", (const char *[]){"route_id", "route_short_name", "route_long_name", "route_type"}, 4, read_route);
    table("trips.txt", (const char *[]){"trip_id", "route_id", "service_id", "trip_headsign"}, 4, read_trip);
    insert_shape = prepare("INSERT INTO shape VALUES (?, ?)");
    if (member("shapes.txt").present)
        table("shapes.txt", (const char *[]){"shape_id", "shape_pt_lat", "shape_pt_lon", "shape_pt_sequence"}, 4,
              read_shape);
    close_shape();
    sqlite3_finalize(insert_shape);
    table("stop_times.txt",
          (const char *[]){"trip_id", "arrival_time", "departure_time", "stop_id", "stop_sequence"}, 5, read_stop_time);
    close_trip();
    write_profiles();
    write_trips();
    write_names(&services, "service");
    write_names(&headsigns, "headsign");
    sqlite3_finalize(insert_stop);
    sqlite3_finalize(insert_route);
    sql("COMMIT");
    if (sqlite3_close(store) != SQLITE_OK) die("cannot close the SQLite file");
    printf("%llu %u %u\n", (unsigned long long)row_count, trip_count, profile_count);
    return 0;
}
