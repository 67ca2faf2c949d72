import Testing
import TransitModel
import TransitNotifications
import TransitQueries
import TransitStore
import TransitTestSupport

/// A user with the pinned journey of ``FeedBuilder/valley``, five minutes from Alder, on Friday, March 27, 2026.
final class ValleyCommuter {
    let fixture: QueryFixture
    var finder: SubjectFinder
    var engine: NotificationEngine
    /// Whether searches end before the subjects are passed on.
    var isSearching = true

    init(_ settings: [String: String] = [:]) throws {
        fixture = try QueryFixture([("valley", .valley, nil)])
        fixture.personal.places["home"] = .valleyHome
        fixture.personal.journeys = [.valley(isFromHome: true)]
        fixture.now = Self.time("07:30")
        finder = SubjectFinder(fixture.context)
        #expect(finder.problems.isEmpty)
        let personal = settings.merging(["notifications.on": "on"]) { first, _ in first }
        engine = NotificationEngine(settings: NotificationSettings(machine: [:], personal: personal))
    }

    static func time(_ clock: String) -> Instant { Instant(rfc3339: "2026-03-27T\(clock):00+01:00")! }

    /// Replaces the engine and the subjects by those of a daemon that was killed and started again.
    func restart() throws {
        let state = try #require(NotificationState(json: engine.state.json))
        #expect(state == engine.state)
        engine = NotificationEngine(state: state, settings: engine.settings)
        finder = SubjectFinder(fixture.context)
    }

    /// Returns the way that the user is on.
    func way(at clock: String) -> SavedJourney {
        engine.way(of: fixture.personal.journeys[0], at: Self.time(clock))
    }

    /// Evaluates at a time of day, after a message if any trips are given with their delays at and after a stop.
    @discardableResult
    func at(
        _ clock: String, _ updates: (trip: TripID, stop: StopID, delay: Int32)..., canceled: TripID? = nil
    ) throws -> [NotificationDecision] {
        fixture.now = Self.time(clock)
        var messages = Set(updates.map(\.trip)).sorted { $0.rawValue < $1.rawValue }.map { trip in
            TripUpdate(
                id: EntityID(trip.rawValue), trip: TripDescriptor(tripID: trip),
                updates: updates.filter { $0.trip == trip }.map { update in
                    StopTimeUpdate(
                        stopID: update.stop, arrival: StopTimeEvent(delay: update.delay, uncertainty: 0),
                        departure: StopTimeEvent(delay: update.delay, uncertainty: 0))
                }, timestamp: fixture.now)
        }
        if let canceled {
            messages.append(
                TripUpdate(
                    id: "canceled", trip: TripDescriptor(tripID: canceled, relationship: .canceled),
                    timestamp: fixture.now))
        }
        if !messages.isEmpty { try fixture.receive(messages, of: "valley") }
        let context = fixture.context
        return engine.evaluate(
            finder.input(context, changed: messages.isEmpty ? [] : ["valley"], for: engine, isSearching: isSearching)
        ).filter { $0.suppression == nil }
    }
}

extension [NotificationDecision] {
    /// The rules and titles.
    var lines: [String] { map { "\($0.rule): \($0.title)" } }
}
