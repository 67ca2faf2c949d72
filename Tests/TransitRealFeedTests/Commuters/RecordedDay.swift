import Foundation
import TransitFeeds
import TransitModel
import TransitTestSupport

/// One recorded day of Caltrain, as messages of the source. `shared/tools/caltrain-history` produces the messages.
struct RecordedDay {
    struct Message {
        /// When the source sent it.
        var at: Instant
        var updates: [UInt8]
        var vehicles: [UInt8]
        /// The alerts that the source shows; `nil` if it shows none at all.
        var alerts: [UInt8]?
    }

    /// A trip at a stop.
    struct Visit: Hashable {
        var trip: TripID
        var stop: StopID
        var date: ServiceDate
    }

    var date: ServiceDate
    var messages: [Message]
    /// When something was recorded, also during an outage of the script.
    var times: [Instant] = []
    /// When trips really left stops: the last prediction before the train left, which is accurate to about two minutes.
    var departures: [Visit: Instant]

    /// The path of the program that plays recorded days; `nil` if it or its data is missing.
    static let program: String? = {
        guard let folder = SharedData.folder else { return nil }
        let path = folder + "/../tools/caltrain-history"
        let hasDays = FileManager.default.fileExists(atPath: folder + "/caltrain-history/gtfs.zip")
        return hasDays && FileManager.default.fileExists(atPath: path) ? path : nil
    }()

    static var archive: String { SharedData.path("caltrain-history", "gtfs.zip") }

    static func write(_ date: ServiceDate, to folder: String) throws {
        let process = TestProcess()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", program ?? "", "write", "\(date)", folder]
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(date: date, status: process.terminationStatus) }
    }

    struct Failure: Error {
        var date: ServiceDate
        var status: Int32
    }

    /// Reads a day.
    ///
    /// - Parameters:
    ///   - script: What differs from the recording.
    ///   - recorded: The recorded day that is played on `date`; `nil` for the same.
    init(_ date: ServiceDate, recorded: ServiceDate? = nil, script: DayScript, zone: ServiceZone) throws {
        self.date = date
        messages = []
        departures = [:]
        let folder = try TestFolder()
        let source = recorded ?? date
        try Self.write(source, to: folder.path)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder("trip_updates")).sorted()
        for name in names {
            guard let epoch = Int64(name.dropLast(3)) else { continue }
            var updates = try Self.bytes(folder("trip_updates/\(name)"))
            var vehicles = try Self.bytes(folder("vehicles/\(name)"))
            let original = Instant(secondsSince1970: epoch)
            let at = Self.moved(original, by: source.days(to: date), zone)
            times.append(at)
            guard !script.outages.contains(where: { $0.contains(at) }) else { continue }
            var trips: [TripUpdate] = []
            _ = try RealtimeReader(updates).read { if case .tripUpdate(let update) = $0 { trips.append(update) } }
            if source != date || !script.changes.isEmpty {
                if source != date { trips = trips.map { Self.moved($0, by: source.days(to: date), zone) } }
                for change in script.changes { change(at, &trips) }
                let header = RealtimeHeader(version: "2.0", timestamp: at)
                updates = RealtimeWriter.bytes(header, trips.map { .tripUpdate($0) })
                // The positions of vehicles are not part of a script.
                vehicles = RealtimeWriter.bytes(header, [])
            }
            for trip in trips { note(trip, zone) }
            let active = script.alerts.filter { $0.from <= at && at < $0.until }.map(\.alert)
            var message = Message(at: at, updates: updates, vehicles: vehicles)
            if script.sendsAlerts {
                message.alerts = RealtimeWriter.bytes(
                    RealtimeHeader(version: "2.0", timestamp: at), active.map { .alert($0) })
            }
            messages.append(message)
        }
        for (visit, departed) in script.departures { departures[visit] = departed }
        for (trip, stop) in script.notServed {
            for visit in departures.keys where visit.trip == trip && (stop == nil || visit.stop == stop) {
                departures[visit] = nil
            }
        }
    }

    private mutating func note(_ update: TripUpdate, _ zone: ServiceZone) {
        guard let trip = update.trip.tripID, let date = update.trip.startDate else { return }
        for call in update.updates {
            guard let stop = call.stopID, let time = call.departure?.time ?? call.arrival?.time else { continue }
            departures[Visit(trip: trip, stop: stop, date: date)] = time
        }
    }

    private static func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// Moves a time to the same time of day of another date.
    private static func moved(_ time: Instant, by days: Int, _ zone: ServiceZone) -> Instant {
        guard days != 0 else { return time }
        // A service day ends at 03:00.
        let date = zone.civil(at: time.advanced(by: -3 * 3600)).date
        let seconds = zone.serviceDayStart(date).seconds(to: time)
        return zone.serviceDayStart(date.advanced(by: days)).advanced(by: seconds)
    }

    private static func moved(_ update: TripUpdate, by days: Int, _ zone: ServiceZone) -> TripUpdate {
        var update = update
        update.trip.startDate = update.trip.startDate?.advanced(by: days)
        update.timestamp = update.timestamp.map { moved($0, by: days, zone) }
        update.updates = update.updates.map { call in
            var call = call
            if let time = call.arrival?.time { call.arrival?.time = moved(time, by: days, zone) }
            if let time = call.departure?.time { call.departure?.time = moved(time, by: days, zone) }
            return call
        }
        return update
    }
}

/// What differs from a recorded day.
struct DayScript {
    struct ScriptedAlert {
        var alert: Alert
        var from: Instant
        var until: Instant
        /// The names of the commuters whom it concerns.
        var concerns: Set<String>
    }

    /// When the source sends nothing.
    var outages: [Range<Instant>] = []
    /// When no agent runs.
    var withoutAgent: [Range<Instant>] = []
    var alerts: [ScriptedAlert] = []
    /// Whether the source has alerts. The recorded one has none.
    var sendsAlerts = false
    /// Changes of each message, which receive its time.
    var changes: [@Sendable (Instant, inout [TripUpdate]) -> Void] = []
    /// Departures that differ from what the messages say at last.
    var departures: [RecordedDay.Visit: Instant] = [:]
    /// Trips that do not serve a stop or, with `nil`, any stop.
    var notServed: [(TripID, StopID?)] = []
    /// The commuters who have a day off.
    var daysOff: Set<String> = []
}
