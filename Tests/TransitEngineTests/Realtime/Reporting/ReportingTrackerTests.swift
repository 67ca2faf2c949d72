import Testing
internal import TransitEngine
internal import TransitModel
internal import TransitTestSupport

/// Which trips are called missing from sources with different habits. One trip in twenty never appears.
struct ReportingTrackerTests {
    private let zone: ServiceZone

    init() throws { zone = try systemZone("Europe/Berlin") }

    /// Whether a trip is one of those that the source never reports.
    private static func isNever(_ trip: SimulatedSource.Trip) -> Bool { hash(trip.serial) % 20 == 0 }

    private static func hash(_ number: Int) -> Int {
        Int(truncatingIfNeeded: (UInt64(number) &* 0x9E37_79B9_7F4A_7C15) >> 40)
    }

    private func source(
        routes: Int = 3, trips: Int = 36, _ mentions: @escaping (SimulatedSource.Trip, Instant) -> Bool
    ) -> SimulatedSource {
        SimulatedSource(zone, routes: routes, trips: trips) { trip, now in
            !Self.isNever(trip) && mentions(trip, now)
        }
    }

    @Test func sourceThatReportsOnlyTripsUnderWayIsUnderstood() throws {
        var source = source { trip, now in
            // It notices a departure up to two minutes late.
            now >= trip.start.advanced(by: Self.hash(trip.serial) % 120) && now <= trip.end
        }
        // Nothing can be said about a trip that has not begun.
        source.positions = [3, 5, 7]
        let hindsight = try source.play(days: 2, learned: 1)
        #expect(hindsight.isGood && hindsight.neverReported > 10, "\(hindsight)")
    }

    @Test func sourceThatReportsHalfAnHourAheadIsUnderstood() throws {
        var source = source { trip, now in
            now >= trip.start.advanced(by: -1800 + Self.hash(trip.serial) % 300) && now <= trip.end
        }
        let hindsight = try source.play(days: 2, learned: 1)
        #expect(hindsight.isGood && hindsight.neverReported > 10, "\(hindsight)")
    }

    @Test func sourceThatReportsTheWholeDayIsUnderstood() throws {
        // The trips of a day appear together, a quarter of an hour after the first message.
        var source = source(routes: 2, trips: 24) { trip, now in
            now.secondsSince1970 % 86_400 >= 9900 && now <= trip.end
        }
        let hindsight = try source.play(days: 2, learned: 1)
        #expect(hindsight.isGood && hindsight.neverReported > 5, "\(hindsight)")
    }

    @Test func habitsOutlastARestart() throws {
        var source = source { trip, now in now >= trip.start.advanced(by: -1800) && now <= trip.end }
        let hindsight = try source.play(days: 2, learned: 1, isRestarted: true)
        #expect(hindsight.isGood && hindsight.neverReported > 10, "\(hindsight)")
    }

    @Test func sourceThatDropsTripsWhichItCannotSeeMakesNoFalseAlarms() throws {
        // Each trip is out of sight for twelve minutes at some time, some of them at the start.
        var source = source { trip, now in
            let hidden = trip.start.advanced(by: Self.hash(trip.serial) % 1800)
            return now >= trip.start.advanced(by: -600) && now <= trip.end
                && !(hidden...hidden.advanced(by: 720)).contains(now)
        }
        let hindsight = try source.play(days: 3, learned: 1)
        #expect(hindsight.stayed * 100 >= hindsight.called * 95, "\(hindsight)")
    }

    @Test func singlePredictionFarAheadMakesNoTripMissing() throws {
        var source = source { trip, _ in trip.position == 35 && trip.number < 36 }
        let hindsight = try source.play(days: 2, learned: 0)
        #expect(hindsight.called == 0 && hindsight.neverReported > 500, "\(hindsight)")
    }

    @Test func routeThatTheSourceDoesNotReportIsNotMissing() throws {
        // Route 2 has no vehicles with radio.
        var source = source { trip, now in
            trip.number < 72 && now >= trip.start.advanced(by: -600) && now <= trip.end
        }
        let hindsight = try source.play(days: 2, learned: 1)
        #expect(hindsight.called * 5 < hindsight.neverReported && hindsight.called == hindsight.stayed, "\(hindsight)")
        #expect(hindsight.found > 0)
    }

    @Test func sourceThatIsInterruptedMakesNoFalseAlarms() throws {
        var source = source { trip, now in now >= trip.start.advanced(by: -1800) && now <= trip.end }
        source.isSilent = { now in now.secondsSince1970 / 1200 % 3 == 0 }
        let hindsight = try source.play(days: 2, learned: 1)
        #expect(hindsight.stayed * 100 >= hindsight.called * 95 && hindsight.called > 10, "\(hindsight)")
    }

    @Test func emptyMessageMakesNoTripMissing() throws {
        var source = source { trip, now in
            now >= trip.start.advanced(by: -1800) && now <= trip.end && now.secondsSince1970 % 3600 >= 240
        }
        let hindsight = try source.play(days: 2, learned: 1)
        #expect(hindsight.stayed * 100 >= hindsight.called * 95 && hindsight.called > 10, "\(hindsight)")
    }
}
