import Testing
import TransitFeeds
import TransitModel
import TransitTestSupport

/// Published messages in protobuf and in four dialects of JSON.
@Suite(.enabled(if: SharedData.isAvailable, "the recorded feeds are missing"))
struct RecordedRealtimeTests {
    private struct Counts: Hashable {
        var updates = 0
        var calls = 0
        var vehicles = 0
        var alerts = 0
    }

    /// The counts were determined with another program.
    private static let recordings: [String: Counts] = [
        "gtfsrt/bindings/vehicle-position-pre-occupancy-defaults-no-occupancy.pb": Counts(vehicles: 1),
        "gtfsrt/bindings/vehicle-position-pre-occupancy-defaults-with-occupancy-status.pb": Counts(vehicles: 1),
        "gtfsrt/bindings/vehicle_position.pb": Counts(vehicles: 1),
        "gtfsrt/maglev/raba-trip-updates.pb": Counts(updates: 9, calls: 41),
        "gtfsrt/maglev/raba-vehicle-positions.pb": Counts(vehicles: 22),
        "gtfsrt/maglev/unitrans-trip-updates.pb": Counts(updates: 37, calls: 516),
        "gtfsrt/maglev/unitrans-vehicle-positions.pb": Counts(vehicles: 8),
        "gtfsrt/transitland/server-rt/BA-added.json": Counts(updates: 4, calls: 41),
        "gtfsrt/transitland/server-rt/BA-alerts.json": Counts(alerts: 8),
        "gtfsrt/transitland/server-rt/BA-arrival-fallback.json": Counts(updates: 1, calls: 5),
        "gtfsrt/transitland/server-rt/BA-departure-fallback.json": Counts(updates: 1, calls: 5),
        "gtfsrt/transitland/server-rt/BA-last-delay.json": Counts(updates: 1, calls: 2),
        "gtfsrt/transitland/server-rt/BA-midnight.json": Counts(updates: 2, calls: 2),
        "gtfsrt/transitland/server-rt/BA-stop-double-visit.json": Counts(updates: 1, calls: 5),
        "gtfsrt/transitland/server-rt/BA-stop-id-fallback.json": Counts(updates: 1, calls: 5),
        "gtfsrt/transitland/server-rt/BA-vehicle-positions.json": Counts(vehicles: 5),
        "gtfsrt/transitland/server-rt/BA.json": Counts(updates: 48, calls: 899),
        "gtfsrt/transitland/server-rt/CT-bad-vp.json": Counts(vehicles: 1),
        "gtfsrt/transitland/server-rt/CT-missing-trip.json": Counts(updates: 1, calls: 16),
        "gtfsrt/transitland/server-rt/CT-vp-error.json": Counts(vehicles: 1),
        "gtfsrt/transitland/server-rt/CT.json": Counts(updates: 9, calls: 112),
        "gtfsrt/transitland/server-rt/ct-vehicle-positions.pb.json": Counts(vehicles: 14),
        "511/f-ewald/example_tripupdates.json": Counts(updates: 15, calls: 221),
        "511/nchua/servicealerts.json": Counts(alerts: 2),
    ]

    private func reader(_ name: String) throws -> RealtimeReader {
        let source = try FileByteSource(path: SharedData.path(".", name))
        var bytes = [UInt8](repeating: 0, count: Int(source.count))
        _ = try bytes.withUnsafeMutableBytes { try source.read(at: 0, into: $0) }
        return try RealtimeReader(bytes)
    }

    @Test(arguments: recordings.keys.sorted()) func messageIsReadCompletely(name: String) throws {
        let reader = try reader(name)
        var counts = Counts()
        let problems = reader.read { entity in
            switch entity {
            case .tripUpdate(let update):
                counts.updates += 1
                counts.calls += update.updates.count
                #expect(update.trip.tripID != nil)
            case .vehicle(let position):
                counts.vehicles += 1
                #expect(position.coordinate != nil || position.trip != nil)
            case .alert(let alert):
                counts.alerts += 1
                #expect(alert.header != nil && !alert.informed.isEmpty)
            case .deleted: Issue.record("a full dataset has no deletions")
            }
        }
        #expect(counts == Self.recordings[name])
        #expect(problems.isEmpty, "\(problems)")
        #expect(reader.encoding == (name.hasSuffix(".pb") ? .protobuf : .json))
    }

    /// The table above covers all recordings in these folders.
    @Test func everyRecordingIsListed() throws {
        let found =
            (SharedData.files("gtfsrt", withExtension: ".pb") + SharedData.files("gtfsrt", withExtension: ".json"))
        #expect(
            found.map { "gtfsrt/" + $0 }.sorted() == Self.recordings.keys.filter { $0.hasPrefix("gtfsrt") }.sorted())
    }

    @Test func alertsOf511AreRead() throws {
        var alerts: [Alert] = []
        _ = try reader("511/nchua/servicealerts.json").read { entity in
            if case .alert(let alert) = entity { alerts.append(alert) }
        }
        #expect(alerts.map(\.effect) == [.additionalService, .unknown])
        #expect(alerts.map(\.cause) == [.other, .technicalProblem])
        #expect(alerts.map(\.severity) == [.unknown, .warning])
        #expect(alerts.last?.informed.map(\.stopID) == ["70061", "MIL-03-NB"])
        #expect(alerts.last?.header?.translations.map(\.language) == ["en", "es", "zh-CN", "vi"])
        #expect(alerts.first?.activePeriods.first?.start == Instant(secondsSince1970: 1_781_251_200))
    }

    @Test func firstTripUpdateOf511IsRead() throws {
        var first: TripUpdate?
        let reader = try reader("511/f-ewald/example_tripupdates.json")
        _ = reader.read { entity in
            if first == nil, case .tripUpdate(let update) = entity { first = update }
        }
        #expect(reader.header.timestamp == Instant(secondsSince1970: 1_770_070_726))
        #expect(first?.trip == TripDescriptor(tripID: "134", routeID: "Local Weekday", direction: .one))
        #expect(first?.vehicle == VehicleDescriptor(id: "134"))
        #expect(
            first?.updates.first
                == StopTimeUpdate(
                    stopID: "70202", arrival: StopTimeEvent(time: Instant(secondsSince1970: 1_770_070_843)),
                    departure: StopTimeEvent(time: Instant(secondsSince1970: 1_770_070_903))))
    }

    @Test(arguments: [
        "511/errors/401-no-key.txt", "511/ovlic/StopMonitoringRaw.json", "511/f-ewald/example_lines.json",
    ])
    func otherContentIsRejected(name: String) {
        #expect(throws: FeedError.self) { try reader(name) }
    }
}
