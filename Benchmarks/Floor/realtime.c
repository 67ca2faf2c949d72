// The floor for decoding GTFS-Realtime: decodes every field of the trip updates of a message, in plain C on one thread.
//
// For each trip, it stores the positions of trip_id and start_date. For each update, it stores stop_sequence, the position
// of stop_id, the schedule relationship, and the times and delays of arrival and departure. The memory is reused for the
// next trip. Unlike transitd, it does not copy strings, validate UTF-8, dates and ranges, or count errors.
//
//   realtime MESSAGE.pb REPEATS    prints: milliseconds (the median) updates sum-of-arrival-times
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct { const uint8_t *at, *end; } Wire;
typedef struct { const uint8_t *bytes; uint32_t length; } Text;
typedef struct { int64_t time; int32_t delay, uncertainty; } Event;
typedef struct { uint32_t sequence, relationship; Text stop; Event arrival, departure; } Call;
typedef struct { Text id, date, route; Call calls[1024]; int count; } Trip;

static void die(const char *what) {
    fprintf(stderr, "floor: %s\n", what);
    exit(1);
}

static inline uint64_t varint(Wire *wire) {
    uint64_t value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
        if (wire->at == wire->end) die("the message is truncated");
        uint8_t byte = *wire->at++;
        value |= (uint64_t)(byte & 0x7F) << (shift & 63);
        if (byte < 0x80) return value;
    }
    die("a varint is too long");
    return 0;
}

static inline Wire inside(Wire *wire) {
    uint64_t length = varint(wire);
    if (length > (uint64_t)(wire->end - wire->at)) die("the message is truncated");
    Wire inner = {wire->at, wire->at + length};
    wire->at += length;
    return inner;
}

static inline Text text(Wire *wire) {
    Wire inner = inside(wire);
    return (Text){inner.at, (uint32_t)(inner.end - inner.at)};
}

static void skip(Wire *wire, uint64_t tag) {
    switch (tag & 7) {
    case 0: varint(wire); return;
    case 1: wire->at += 8; break;
    case 2: inside(wire); return;
    case 5: wire->at += 4; break;
    default: die("unknown wire type");
    }
    if (wire->at > wire->end) die("the message is truncated");
}

static inline Event event(Wire wire) {
    Event event = {0};
    while (wire.at < wire.end) {
        uint64_t tag = varint(&wire);
        switch (tag) {
        case 1 << 3: event.delay = (int32_t)varint(&wire); break;
        case 2 << 3: event.time = (int64_t)varint(&wire); break;
        case 3 << 3: event.uncertainty = (int32_t)varint(&wire); break;
        default: skip(&wire, tag);
        }
    }
    return event;
}

static inline void call(Wire wire, Call *call) {
    *call = (Call){0};
    while (wire.at < wire.end) {
        uint64_t tag = varint(&wire);
        switch (tag) {
        case 1 << 3: call->sequence = (uint32_t)varint(&wire); break;
        case 2 << 3 | 2: call->arrival = event(inside(&wire)); break;
        case 3 << 3 | 2: call->departure = event(inside(&wire)); break;
        case 4 << 3 | 2: call->stop = text(&wire); break;
        case 5 << 3: call->relationship = (uint32_t)varint(&wire); break;
        default: skip(&wire, tag);
        }
    }
}

static void descriptor(Wire wire, Trip *trip) {
    while (wire.at < wire.end) {
        uint64_t tag = varint(&wire);
        switch (tag) {
        case 1 << 3 | 2: trip->id = text(&wire); break;
        case 3 << 3 | 2: trip->date = text(&wire); break;
        case 5 << 3 | 2: trip->route = text(&wire); break;
        default: skip(&wire, tag);
        }
    }
}

static void update(Wire wire, Trip *trip) {
    while (wire.at < wire.end) {
        uint64_t tag = varint(&wire);
        switch (tag) {
        case 1 << 3 | 2: descriptor(inside(&wire), trip); break;
        case 2 << 3 | 2:
            if (trip->count == 1024) die("a trip has more than 1024 updates");
            call(inside(&wire), &trip->calls[trip->count++]);
            break;
        default: skip(&wire, tag);
        }
    }
}

static uint64_t updates, sum;

static void message(Wire wire) {
    static Trip trip;
    updates = sum = 0;
    while (wire.at < wire.end) {
        uint64_t tag = varint(&wire);
        if (tag != (2 << 3 | 2)) {
            skip(&wire, tag);
            continue;
        }
        Wire entity = inside(&wire);
        trip.count = 0;
        while (entity.at < entity.end) {
            tag = varint(&entity);
            if (tag == (3 << 3 | 2)) update(inside(&entity), &trip);
            else skip(&entity, tag);
        }
        for (int index = 0; index < trip.count; index++) sum += (uint64_t)trip.calls[index].arrival.time;
        updates += (uint64_t)trip.count;
    }
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

static int ascending(const void *left, const void *right) {
    double difference = *(const double *)left - *(const double *)right;
    return (difference > 0) - (difference < 0);
}

int main(int count, char **arguments) {
    if (count != 3) die("usage: realtime MESSAGE.pb REPEATS");
    FILE *file = fopen(arguments[1], "rb");
    if (!file) die("cannot open the message");
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    uint8_t *bytes = malloc((size_t)size + 1);
    if (!bytes || fread(bytes, 1, (size_t)size, file) != (size_t)size) die("cannot read the message");
    int repeats = atoi(arguments[2]);
    if (repeats < 1 || repeats > 1000) die("REPEATS must be 1 to 1000");
    double times[1000];
    for (int index = 0; index < repeats; index++) {
        double start = now();
        message((Wire){bytes, bytes + size});
        times[index] = now() - start;
    }
    qsort(times, (size_t)repeats, sizeof(double), ascending);
    printf("%.3f %llu %llu\n", times[repeats / 2], (unsigned long long)updates, (unsigned long long)sum);
    return 0;
}
