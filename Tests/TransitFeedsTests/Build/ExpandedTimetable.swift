import Testing
import TransitModel

@testable import TransitFeeds

/// A timetable written out again as one list of calls for each trip: what tests compare.
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
    var laneCount = 0

    init(_ patterns: any PatternSource, _ columns: TripColumns, _ texts: TextColumn) {
        patterns.forEachPattern { pattern in
            patternCount += 1
            laneCount += pattern.lanes.count
            for lane in pattern.lanes { expand(lane, of: pattern, columns, texts) }
        }
    }

    init(_ built: BuiltTimetable) { self.init(built.patterns, built.trips, built.texts) }
    init(_ draft: TimetableDraft) { self.init(draft.patterns, draft.trips, draft.texts) }

    private mutating func expand(_ lane: Lane, of pattern: Pattern, _ columns: TripColumns, _ texts: TextColumn) {
        for position in lane.starts.indices {
            let start = lane.starts[position]
            let calls = zip(pattern.calls, lane.times).map { call, times in
                Call(
                    stop: call.stop.rawValue, sequence: call.sequence, arrival: start + times.arrival,
                    departure: start + times.departure, isExact: times.isExact, pickup: call.pickup,
                    dropOff: call.dropOff, headsign: call.headsign.map { texts[$0.position] })
            }
            let trip = lane.trip(position)
            trips[columns.ids[trip.position]] = ExpandedTrip(
                route: pattern.route.rawValue, direction: pattern.direction, service: lane.services[position].rawValue,
                calls: calls, frequencies: lane.frequencies.filter { Int($0.trip) == position })
        }
    }
}

/// The promises about order that ``TimetableDraft`` and ``Lane`` make.
func expectOrder(_ patterns: any PatternSource, _ columns: TripColumns) {
    var nextTrip = 0
    var nextPattern = 0
    var previous: (route: UInt32, direction: Int, fewerTrips: Int) = (0, -1, 0)
    patterns.forEachPattern { pattern in
        let trips = pattern.lanes.reduce(0) { $0 + $1.starts.count }
        let key = (pattern.route.rawValue, pattern.direction.map { Int($0.rawValue) } ?? -1, -trips)
        #expect(nextPattern == 0 || previous <= key)
        previous = key
        #expect(pattern.index.position == nextPattern)
        nextPattern += 1
        #expect(zip(pattern.calls, pattern.calls.dropFirst()).allSatisfy { $0.sequence < $1.sequence })
        var firstStart = Int32.min
        for lane in pattern.lanes {
            #expect(lane.times.count == pattern.calls.count)
            #expect(lane.firstTrip.position == nextTrip)
            #expect(!lane.starts.isEmpty && lane.starts.count == lane.services.count)
            #expect(zip(lane.starts, lane.starts.dropFirst()).allSatisfy { $0 <= $1 })
            #expect(lane.starts[0] >= firstStart)
            firstStart = lane.starts[0]
            for (position, service) in lane.services.enumerated() {
                #expect(columns.services[nextTrip + position] == service)
            }
            nextTrip += lane.starts.count
        }
    }
    #expect(nextPattern == patterns.count)
    #expect(nextTrip == columns.count)
    #expect(columns.ids.count == columns.count && columns.headsigns.count == columns.count)
}
