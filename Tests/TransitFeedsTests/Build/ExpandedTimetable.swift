import Testing
import TransitModel

@testable import TransitFeeds

/// A timetable expanded to a list of calls for each trip, which tests can compare.
struct ExpandedTimetable {
    struct Call: Hashable {
        var stop: UInt32
        var sequence: UInt32
        var arrival: Int32
        var departure: Int32
        var isExact = true
        var pickup = PickupDropOff.regular
        var dropOff = PickupDropOff.regular
        var headsign: String?
    }

    struct ExpandedTrip: Hashable {
        var route: UInt32
        var direction: Direction?
        var service: UInt32
        var calls: [Call]
        var frequencies: [Frequency] = []
    }

    var trips: [String: ExpandedTrip] = [:]
    var patternCount = 0
    var timingGroupCount = 0

    init(_ patterns: any PatternSource, _ columns: TripColumns, _ texts: TextColumn) {
        patterns.forEachPattern { pattern in
            patternCount += 1
            timingGroupCount += pattern.timingGroups.count
            for timingGroup in pattern.timingGroups { expand(timingGroup, of: pattern, columns, texts) }
        }
    }

    init(_ built: BuiltTimetable) { self.init(built.patterns, built.trips, built.texts) }
    init(_ draft: TimetableDraft) { self.init(draft.patterns, draft.trips, draft.texts) }

    private mutating func expand(
        _ timingGroup: TimingGroup, of pattern: Pattern, _ columns: TripColumns, _ texts: TextColumn
    ) {
        for position in timingGroup.starts.indices {
            let start = timingGroup.starts[position]
            let calls = zip(pattern.calls, timingGroup.times).map { call, times in
                Call(
                    stop: call.stop.rawValue, sequence: call.sequence, arrival: start + times.arrival,
                    departure: start + times.departure, isExact: times.isExact, pickup: call.pickup,
                    dropOff: call.dropOff, headsign: call.headsign.map { texts[$0.position] })
            }
            let trip = timingGroup.trip(position)
            trips[columns.ids[trip.position]] = ExpandedTrip(
                route: pattern.route.rawValue, direction: pattern.direction,
                service: timingGroup.services[position].rawValue,
                calls: calls, frequencies: timingGroup.frequencies.filter { Int($0.trip) == position })
        }
    }
}

/// Checks the order that ``TimetableDraft`` and ``TimingGroup`` guarantee.
func expectOrder(_ patterns: any PatternSource, _ columns: TripColumns) {
    var nextTrip = 0
    var nextPattern = 0
    var previous: (route: UInt32, direction: Int, fewerTrips: Int) = (0, -1, 0)
    patterns.forEachPattern { pattern in
        let trips = pattern.timingGroups.reduce(0) { $0 + $1.starts.count }
        let key = (pattern.route.rawValue, pattern.direction.map { Int($0.rawValue) } ?? -1, -trips)
        #expect(nextPattern == 0 || previous <= key)
        previous = key
        #expect(pattern.index.position == nextPattern)
        nextPattern += 1
        #expect(zip(pattern.calls, pattern.calls.dropFirst()).allSatisfy { $0.sequence < $1.sequence })
        var firstStart = Int32.min
        for timingGroup in pattern.timingGroups {
            #expect(timingGroup.times.count == pattern.calls.count)
            #expect(timingGroup.firstTrip.position == nextTrip)
            #expect(!timingGroup.starts.isEmpty && timingGroup.starts.count == timingGroup.services.count)
            #expect(zip(timingGroup.starts, timingGroup.starts.dropFirst()).allSatisfy { $0 <= $1 })
            #expect(timingGroup.starts[0] >= firstStart)
            firstStart = timingGroup.starts[0]
            for (position, service) in timingGroup.services.enumerated() {
                #expect(columns.services[nextTrip + position] == service)
            }
            nextTrip += timingGroup.starts.count
        }
    }
    #expect(nextPattern == patterns.count)
    #expect(nextTrip == columns.count)
    #expect(columns.ids.count == columns.count && columns.headsigns.count == columns.count)
}
