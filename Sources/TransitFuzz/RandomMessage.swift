internal import TransitFeeds
internal import TransitModel
internal import TransitSimulation

/// A random GTFS-Realtime message about the trips and stops of ``RealtimeFuzzFeed``.
struct RandomMessage {
    var random: SeededGenerator
    let now: Instant

    mutating func bytes() -> [UInt8] {
        let header = RealtimeHeader(
            version: "2.0", incrementality: random.once(in: 4) ? .differential : .fullDataset,
            timestamp: random.once(in: 6) ? instant() : now.advanced(by: -random.number(0...400)))
        // There are few trips, so that several entities refer to the same trip instance.
        let trips = (0..<random.number(1...3)).map { _ in random.pick(RealtimeFuzzFeed.trips) }
        let entities = (0..<random.number(1...8)).map { number in entity(number, trips) }
        return RealtimeWriter.bytes(header, entities)
    }

    private mutating func entity(_ number: Int, _ trips: [String]) -> RealtimeEntity {
        let id = EntityID("e\(random.once(in: 5) ? 0 : number)")
        switch random.number(0...11) {
        case 0: return .deleted(id)
        case 1: return .alert(alert(id, trips))
        case 2, 3, 4: return .vehicle(vehicle(id, trips))
        default: return .tripUpdate(update(id, trips))
        }
    }

    // MARK: Trip updates

    private mutating func update(_ id: EntityID, _ trips: [String]) -> TripUpdate {
        let hasProperties = random.once(in: 3)
        return TripUpdate(
            id: id, trip: trip(trips), vehicle: random.once(in: 4) ? VehicleDescriptor(id: "v1", label: "1") : nil,
            updates: (0..<random.number(0...6)).map { _ in call() }, timestamp: maybe(2) { $0.instant() },
            delay: maybe(4) { $0.delay() },
            properties: hasProperties
                ? TripProperties(
                    tripID: maybe(2) { TripID($0.random.pick(RealtimeFuzzFeed.trips + ["copy"])) },
                    startDate: maybe(1) { $0.date() }, startTime: maybe(1) { $0.startTime() },
                    headsign: maybe(3) { _ in "Elsewhere" }, shortName: nil) : nil)
    }

    private mutating func trip(_ trips: [String]) -> TripDescriptor {
        TripDescriptor(
            tripID: random.once(in: 8)
                ? maybe(1) { TripID($0.random.pick(["", "unknown", "X1"])) } : TripID(random.pick(trips)),
            routeID: maybe(2) { RouteID($0.random.pick(["bus24", "tram1", "nowhere"])) },
            direction: maybe(3) { $0.random.pick([.zero, .one]) }, startTime: maybe(2) { $0.startTime() },
            startDate: maybe(1) { $0.date() },
            relationship: random.once(in: 2) ? .scheduled : random.pick(TripScheduleRelationship.allCases))
    }

    private mutating func call() -> StopTimeUpdate {
        StopTimeUpdate(
            sequence: maybe(1) { $0.random.pick([0, 1, 2, 3, 10, 20, 30, 40, 50, .max]) },
            stopID: maybe(1) { StopID($0.random.pick(RealtimeFuzzFeed.stops + ["", "unknown"])) },
            arrival: maybe(1) { $0.event() }, departure: maybe(1) { $0.event() },
            relationship: random.once(in: 3) ? random.pick(StopScheduleRelationship.allCases) : .scheduled,
            assignedStopID: maybe(3) { StopID($0.random.pick(RealtimeFuzzFeed.stops + ["unknown"])) },
            departureOccupancy: maybe(4) { $0.random.pick([.empty, .full, .noDataAvailable]) })
    }

    private mutating func event() -> StopTimeEvent {
        StopTimeEvent(
            time: maybe(1) { $0.instant() }, delay: maybe(1) { $0.delay() },
            uncertainty: maybe(3) { $0.random.pick([0, 30, .max, .min]) },
            scheduledTime: maybe(1) { $0.planned() })
    }

    // MARK: Vehicles and alerts

    private mutating func vehicle(_ id: EntityID, _ trips: [String]) -> VehiclePosition {
        VehiclePosition(
            id: id, trip: maybe(1) { $0.trip(trips) },
            vehicle: maybe(2) { VehicleDescriptor(id: VehicleID($0.random.pick(["v1", "v2"]))) },
            coordinate: maybe(1) { $0.coordinate() }, bearing: maybe(3) { $0.random.pick([0, 359, -1, .nan]) },
            speed: maybe(3) { $0.random.pick([0, 12, .infinity]) },
            currentSequence: maybe(2) { $0.random.pick([0, 1, 2, 3, 30, .max]) },
            stopID: maybe(2) { StopID($0.random.pick(RealtimeFuzzFeed.stops + ["unknown"])) },
            status: random.pick([.stoppedAt, .incomingAt, .inTransitTo]), timestamp: maybe(1) { $0.instant() },
            occupancy: maybe(4) { $0.random.pick([.empty, .full]) },
            occupancyPercentage: maybe(4) { $0.random.pick([0, 100, .max]) })
    }

    private mutating func coordinate() -> Coordinate? {
        if random.once(in: 6) { return Coordinate(latitude: 90, longitude: 180) }
        return Coordinate(
            latitude: 53.53 + Double(random.number(0...4000)) / 1e5,
            longitude: 9.97 + Double(random.number(0...6000)) / 1e5)
    }

    private mutating func alert(_ id: EntityID, _ trips: [String]) -> Alert {
        let informed = (0..<random.number(0...3)).map { _ in
            InformedEntity(
                agencyID: maybe(3) { _ in "city" },
                routeID: maybe(2) { RouteID($0.random.pick(["bus24", "nowhere"])) },
                routeType: maybe(4) { $0.random.pick([0, 3, 9999]) }, direction: maybe(4) { _ in .one },
                trip: maybe(3) { $0.trip(trips) },
                stopID: maybe(2) { StopID($0.random.pick(RealtimeFuzzFeed.stops + ["unknown"])) })
        }
        return Alert(
            id: id,
            activePeriods: (0..<random.number(0...2)).map { _ in
                Alert.ActivePeriod(start: maybe(2) { $0.instant() }, end: maybe(2) { $0.instant() })
            }, informed: informed, header: TranslatedText([.init("Works")]))
    }

    // MARK: Values

    /// Returns a value with probability 1/`rarity`, or 2/3 if `rarity` is 1.
    private mutating func maybe<Value>(_ rarity: Int, _ value: (inout Self) -> Value?) -> Value? {
        let isPresent = rarity == 1 ? !random.once(in: 3) : random.once(in: rarity)
        return isPresent ? value(&self) : nil
    }

    private mutating func delay() -> Int32 {
        random.pick([0, 60, 300, -60, -4000, 86_400, -86_400, 604_800, .max, .min, Int32(random.number(-900...3600))])
    }

    private mutating func startTime() -> ServiceTime {
        ServiceTime(
            seconds: random.pick([
                0, 2100, 28_800, 27_600, 88_500, 85_800, 24_000, ServiceTime.maximum, Int32(random.number(0...100_000)),
            ]))
    }

    private mutating func date() -> ServiceDate? {
        if random.once(in: 8) {
            return ServiceDate(iso8601: random.pick(["0001-01-01", "9999-12-31", "2026-05-01", "2025-01-01"]))
        }
        return ServiceDate(iso8601: "2026-03-27")?.advanced(by: random.pick([0, 0, 0, -1, 1]))
    }

    /// Returns a time near ``now``, or at a limit of the accepted range.
    private mutating func instant() -> Instant {
        if random.once(in: 6) {
            return Instant(secondsSince1970: random.pick([0, 1, 253_402_300_799, 4_000_000_000]))
        }
        return now.advanced(by: random.pick([0, -86_400, 86_400]) + random.number(-2000...7200))
    }

    /// Returns the scheduled time of a trip. The time is sometimes off by the matching tolerance or slightly more.
    private mutating func planned() -> Instant {
        let midnight = now.advanced(by: -27_000)
        let seconds = random.pick([28_800, 29_280, 30_000, 27_600, 28_200, 88_500, 89_100, 2100, 2700, 30_600, 31_200])
        return midnight.advanced(by: seconds + random.pick([0, 0, 60, -120, 121]))
    }
}
