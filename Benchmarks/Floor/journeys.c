// The floor for journeys with one departure time: a connection scan (Dibbelt, Pajor, Strasser, Wagner: "Connection Scan
// Algorithm", 2018) in plain C on one thread. It computes the earliest arrival and nothing else.
//
// It reads the connections of one day, in the order of departure, and the changes between stops, which transitd computed.
// Unlike transitd, it limits no number of vehicles, does not find the journeys with fewer vehicles or their legs, and knows no
// realtime data, no vehicles that continue as another trip, and no service days.
//
//   journeys CONNECTIONS    prints: milliseconds (the median, then percentile 99), then the arrival of each question
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct { uint32_t from, to; int32_t departure, arrival; uint32_t trip, flags; } Connection;
typedef struct { uint32_t stop; int32_t seconds; } Walk;

enum { BOARD = 1, ALIGHT = 2 };
#define NEVER INT32_MAX

static void die(const char *what) {
    fprintf(stderr, "floor: %s\n", what);
    exit(1);
}

static uint32_t stops, connections, trips, questions;
static const Connection *connection;
// The changes from each stop to others, and the time of a change at the stop itself.
static const uint32_t *first_change;
static const Walk *change;
static const int32_t *change_here;

static int32_t *ready, *arrived, *egress;
static uint8_t *reached;

static uint32_t first_connection(int32_t time) {
    uint32_t low = 0, high = connections;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (connection[middle].departure < time) low = middle + 1;
        else high = middle;
    }
    return low;
}

static void arrive(uint32_t stop, int32_t time) {
    if (time >= arrived[stop]) return;
    arrived[stop] = time;
    if (change_here[stop] != NEVER && time + change_here[stop] < ready[stop]) ready[stop] = time + change_here[stop];
    for (uint32_t index = first_change[stop]; index < first_change[stop + 1]; index++) {
        int32_t at = time + change[index].seconds;
        if (at < ready[change[index].stop]) ready[change[index].stop] = at;
    }
}

static int32_t scan(int32_t departure, const Walk *walks, uint32_t origins, uint32_t destinations) {
    for (uint32_t stop = 0; stop < stops; stop++) ready[stop] = arrived[stop] = NEVER;
    memset(reached, 0, trips);
    for (uint32_t index = 0; index < origins; index++) ready[walks[index].stop] = departure + walks[index].seconds;
    const Walk *last = walks + origins;
    for (uint32_t index = 0; index < destinations; index++) egress[last[index].stop] = last[index].seconds;
    int32_t best = NEVER;
    for (uint32_t index = first_connection(departure); index < connections; index++) {
        const Connection *one = &connection[index];
        if (one->departure >= best) break;
        if (!reached[one->trip]) {
            if (!(one->flags & BOARD) || ready[one->from] > one->departure) continue;
            reached[one->trip] = 1;
        }
        if (!(one->flags & ALIGHT)) continue;
        if (egress[one->to] != NEVER && one->arrival + egress[one->to] < best) best = one->arrival + egress[one->to];
        arrive(one->to, one->arrival);
    }
    for (uint32_t index = 0; index < destinations; index++) egress[last[index].stop] = NEVER;
    return best;
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

static const uint8_t *read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) die("cannot open the connections");
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    uint8_t *bytes = malloc((size_t)size + 1);
    if (!bytes || size < 20 || fread(bytes, 1, (size_t)size, file) != (size_t)size) die("cannot read the connections");
    fclose(file);
    return bytes;
}

// The file is written by JourneyFloor.swift in the same run, so its content is not checked.
int main(int count, char **arguments) {
    if (count != 2) die("usage: journeys CONNECTIONS");
    const uint8_t *bytes = read_file(arguments[1]);
    const uint32_t *header = (const uint32_t *)bytes;
    stops = header[0], connections = header[1], trips = header[2], questions = header[4];
    connection = (const Connection *)(header + 5);
    first_change = (const uint32_t *)(connection + connections);
    change = (const Walk *)(first_change + stops + 1);
    change_here = (const int32_t *)(change + header[3]);
    const uint32_t *question = (const uint32_t *)(change_here + stops);
    ready = malloc(stops * sizeof *ready), arrived = malloc(stops * sizeof *arrived);
    egress = malloc(stops * sizeof *egress), reached = malloc(trips + 1);
    double *times = malloc((questions + 1) * sizeof *times);
    int32_t *arrivals = malloc((questions + 1) * sizeof *arrivals);
    if (!ready || !arrived || !egress || !reached || !times || !arrivals) die("out of memory");
    for (uint32_t stop = 0; stop < stops; stop++) egress[stop] = NEVER;
    for (uint32_t index = 0; index < questions; index++) {
        double start = now();
        arrivals[index] = scan((int32_t)question[0], (const Walk *)(question + 3), question[1], question[2]);
        times[index] = now() - start;
        question += 3 + 2 * (question[1] + question[2]);
    }
    qsort(times, questions, sizeof *times, ascending);
    printf("%.4f %.4f\n", times[questions / 2], times[questions * 99 / 100]);
    for (uint32_t index = 0; index < questions; index++) printf("%d\n", arrivals[index]);
    return 0;
}
