internal import TransitEngine
package import TransitModel
package import TransitQueries
internal import TransitStore

/// Finds what a user's notifications are about: pinned journeys, pinned and usual departures, commutes with windows, and
/// favorite routes at stops.
///
/// The names, stops and patterns of the subjects are resolved once for each version of the timetables and of the user's
/// data. After a message, only the subjects whose feeds changed are evaluated, and of these only the ones that are near.
package struct SubjectFinder: Sendable {
    /// A subject that cannot be watched.
    package struct Problem: Hashable, Sendable {
        package var kind: SubjectKind
        package var name: String
        /// A sentence for the user.
        package var reason: String
    }

    /// A resolved subject with its last evaluation.
    private struct Entry: Sendable {
        var source: any SubjectSource
        var evaluation: SubjectEvaluation?
    }

    private let personal: PersonalState
    private let settings: SubjectSettings
    private let timetables: [FeedID: ObjectIdentifier]
    private var entries: [Entry] = []
    private let language: String?
    private var observer: DepartureObserver
    /// The subjects that cannot be watched, such as a commute between places that are not set.
    package private(set) var problems: [Problem] = []

    /// The maximum number of subjects of one user.
    package static let maximumSubjects = 64

    /// Resolves the subjects of the context's user in the current timetables.
    package init(_ context: QueryContext) {
        personal = context.personal
        settings = SubjectSettings(context.settings)
        timetables = Self.timetables(context)
        language = context.language
        observer = DepartureObserver(language: context.language)
        for journey in context.personal.journeys where journey.expiry >= context.now {
            resolve(.journey, context.name(of: journey)) { try JourneySource(journey, context) }
        }
        for usual in context.personal.usualDepartures.prefix(Self.maximumSubjects) {
            let name = "\(usual.time.timeOfDay) \(usual.route)"
            resolve(usual.isPinned ? .pinned : .usual, name) { try UsualDepartureSource(usual, context) }
        }
        for entry in context.commuteList.entries where !entry.commute.windows.isEmpty {
            resolve(.commute, entry.commute.name) { try CommuteSource(entry.commute, context) }
        }
        for favorite in context.personal.favorites {
            guard case .routeAtStop = favorite.target else { continue }
            resolve(.favorite, favorite.name) { try FavoriteSource(favorite, context) }
        }
    }

    private mutating func resolve(
        _ kind: SubjectKind, _ name: @autoclosure () -> String, _ body: () throws -> (any SubjectSource)?
    ) {
        guard entries.count < Self.maximumSubjects else {
            problems.append(
                Problem(kind: kind, name: name(), reason: "There are more than \(Self.maximumSubjects) subjects."))
            return
        }
        do {
            if let source = try body() { entries.append(Entry(source: source)) }
        } catch {
            problems.append(Problem(kind: kind, name: name(), reason: SubjectFailure(error).reason))
        }
    }

    /// Whether the subjects were resolved from the context's timetables and data, in its language.
    package func isCurrent(_ context: QueryContext) -> Bool {
        language == context.language && timetables == Self.timetables(context)
            && settings == SubjectSettings(context.settings)
            && personal.usualDepartures == context.personal.usualDepartures
            && personal.journeys == context.personal.journeys
            && personal.commutes == context.personal.commutes && personal.places == context.personal.places
            && personal.favorites == context.personal.favorites
    }

    private static func timetables(_ context: QueryContext) -> [FeedID: ObjectIdentifier] {
        Dictionary(
            context.feeds.compactMap { feed in feed.timetable.map { (feed.id, ObjectIdentifier($0)) } },
            uniquingKeysWith: { first, _ in first })
    }

    // MARK: Evaluation

    /// Evaluates the subjects that may have changed.
    ///
    /// - Parameters:
    ///   - changed: The feeds that changed since the previous call; `nil` for all.
    ///   - followed: The departures that stay in the result after they left, because the user is on the way with them.
    ///   - awaited: The departures that stay in the result until they left.
    /// - Returns: All subjects; `nil` if none was evaluated.
    package mutating func subjects(
        _ context: QueryContext, changed: Set<FeedID>?, following followed: Set<DepartureKey> = [],
        awaiting awaited: AwaitedDepartures = AwaitedDepartures()
    ) -> [WatchedSubject]? {
        var isEvaluated = false
        for position in entries.indices {
            let last = entries[position].evaluation?.subjects ?? []
            let previous = last.flatMap { subject in
                subject.departures.filter { followed.contains($0.key) }
                    + subject.lastDepartures.filter { last in
                        followed.contains(last.key) && !subject.departures.contains { $0.key == last.key }
                    }
            }
            if let last = entries[position].evaluation, context.now < last.until, previous.isEmpty {
                // A departure that is hours away is evaluated when it is near.
                guard context.now >= last.near else { continue }
                let feeds = entries[position].source.feeds.union(last.feeds)
                let isAffected = changed.map { !$0.isDisjoint(with: feeds) } ?? true
                if !isAffected, last.at >= last.near { continue }
            }
            isEvaluated = true
            do {
                entries[position].evaluation = try entries[position].source.evaluation(
                    context, &observer, previous: entries[position].evaluation, awaiting: awaited)
                try entries[position].evaluation?.follow(previous, of: last.first, context)
            } catch {
                // A timetable that cannot be read is reported by the feed's status, and its next version resolves anew.
                var evaluation = SubjectEvaluation(
                    subject: nil, at: context.now, near: context.now, until: context.now.advanced(by: 600))
                evaluation.detour = entries[position].evaluation?.detour
                entries[position].evaluation = evaluation
            }
        }
        return isEvaluated ? entries.compactMap(\.evaluation).flatMap(\.subjects) : nil
    }

    /// Returns the next moment at which the departures of a subject change without new data.
    package func nextMoment(after now: Instant) -> Instant? {
        entries.lazy.compactMap(\.evaluation).flatMap { [$0.near, $0.until] }.filter { $0 > now }.min()
    }

    /// The departures whose realtime data should be fresh at a moment: those of the subjects that are near.
    package func near(at now: Instant) -> [WatchedDeparture] {
        entries.compactMap(\.evaluation).filter { $0.near <= now && now < $0.until }.flatMap(\.subjects)
            .flatMap(\.departures)
    }

    // MARK: Pinned journeys

    /// Returns how the pinned journeys go on that broke.
    ///
    /// - Parameter saved: Those from before a restart, for journeys that were not evaluated since.
    package func detours(keeping saved: [JourneyDetour]) -> [JourneyDetour] {
        personal.journeys.compactMap { journey in
            let evaluation = entries.first { ($0.source as? JourneySource)?.pin == journey }?.evaluation
            let detour = evaluation?.detour ?? saved.first { $0.isOf(journey) }
            return detour?.isEmpty == false ? detour : nil
        }
    }

    /// Returns the searches on which the last evaluation depends, each once. Their results are recorded with ``record(_:)``.
    package mutating func startSearches() -> [NotificationSearch] {
        entries.indices.compactMap { entries[$0].evaluation?.searches?.start() }
    }

    /// Records the result of a search. The next call of ``subjects(_:changed:following:awaiting:)`` evaluates its journey.
    package mutating func record(_ result: NotificationSearchResult) {
        for position in entries.indices where (entries[position].source as? JourneySource)?.pin == result.pin {
            entries[position].evaluation?.searches?.record(result)
            entries[position].evaluation?.until = result.at
        }
    }

    /// Returns the on-demand arrivals on which the subjects that are near depend.
    ///
    /// - Parameter namesTrips: See ``DirectTripsQuery/requiredArrivals(_:namesTrips:)``.
    package func requiredArrivals(_ context: QueryContext, namesTrips: (FeedID) -> Bool) -> [RequiredArrivals] {
        entries.filter { entry in
            entry.evaluation.map { $0.near <= context.now && context.now < $0.until } ?? false
        }.flatMap { $0.source.requiredArrivals(context, namesTrips) }
    }
}

/// The departures that stay in the result until they left, because the user was notified of them.
package struct AwaitedDepartures: Hashable, Sendable {
    /// The departures that come instead of others.
    package var replacements: [DepartureKey: DepartureKey] = [:]
    /// The departures that were announced as the last way home.
    package var last: Set<DepartureKey> = []
    /// The departures that the user took.
    package var taken: Set<DepartureKey> = []
    /// How pinned journeys that broke went on before a restart.
    package var detours: [JourneyDetour] = []

    package init() {}

    /// Returns the departures that come instead of one, or of one of these.
    func replacements(of departure: DepartureKey) -> Set<DepartureKey> {
        var (found, current): (Set<DepartureKey>, DepartureKey) = ([], departure)
        while let next = replacements[current], next != departure, found.insert(next).inserted { current = next }
        return found
    }
}

/// A subject that has been resolved in the current timetables.
protocol SubjectSource: Sendable {
    /// The feeds on which the subject depends.
    var feeds: Set<FeedID> { get }
    /// Evaluates the subject with the context's time and realtime data.
    ///
    /// - Parameters:
    ///   - previous: The last evaluation; `nil` if there is none.
    ///   - awaited: The departures that the subject lists until they left.
    func evaluation(
        _ context: QueryContext, _ observer: inout DepartureObserver, previous: SubjectEvaluation?,
        awaiting awaited: AwaitedDepartures
    ) throws -> SubjectEvaluation
    func requiredArrivals(_ context: QueryContext, _ namesTrips: (FeedID) -> Bool) -> [RequiredArrivals]
}

/// What a source selects at one moment.
struct SubjectEvaluation: Sendable {
    /// Empty if there is no departure in the coming days. A pinned journey has a subject for each ride, others have one.
    var subjects: [WatchedSubject]
    var at: Instant
    /// The time from which the subject is evaluated with each message.
    var near: Instant
    /// The time at which the subject must be evaluated even without a message.
    var until: Instant
    /// The feeds on which the selected departures depend besides those of the source.
    var feeds: Set<FeedID> = []
    /// How a pinned journey goes on after it broke; `nil` for other subjects.
    var detour: JourneyDetour?
    /// The searches for a pinned journey; `nil` for other subjects.
    var searches: JourneySearches?

    init(subjects: [WatchedSubject], at: Instant, near: Instant, until: Instant) {
        (self.subjects, self.at, self.near, self.until) = (subjects, at, near, until)
    }

    init(subject: WatchedSubject?, at: Instant, near: Instant, until: Instant) {
        self.init(subjects: subject.map { [$0] } ?? [], at: at, near: near, until: until)
    }

    /// Adds departures that the user took, which the subject no longer lists, until they arrive. A subject without other
    /// departures, such as one that is pinned for one date, lasts as long.
    mutating func follow(
        _ previous: [WatchedDeparture], of last: WatchedSubject?, _ context: QueryContext
    ) throws {
        let listed = Set(subjects.flatMap { $0.departures + $0.lastDepartures }.map(\.key))
        for departure in previous where !listed.contains(departure.key) {
            let current = try departure.underWay(context)
            guard let arrival = current.arrival, arrival.advanced(by: Self.overdue) > context.now else { continue }
            if subjects.isEmpty, var last {
                last.departures = []
                subjects = [last]
            }
            guard !subjects.isEmpty else { continue }
            subjects[0].departures.append(current)
            near = min(near, context.now)
        }
    }

    /// How long before a departure its realtime data is watched, in seconds: the 90 minutes after which a
    /// subject is armed, and some for the data to arrive.
    static let lead = 95 * 60
    /// The time after a departure for which it stays a subject, in seconds.
    static let overdue = 5 * 60
}

extension WatchedDeparture {
    /// Returns the departure of a vehicle that is under way, with its current arrival. The arrival of a trip that is only
    /// in the realtime data stays as it was.
    fileprivate func underWay(_ context: QueryContext) throws -> WatchedDeparture {
        var current = self
        current.silentSince = context.feeds.first { $0.id == key.feed }?.realtime?.outdatedTime(at: context.now)
        guard let shown, let alighting = shown.alighting,
            let trip = try QueryError.unlessThrown({ try TripQuery(of: shown.merged)?.result(context) }) ?? nil
        else { return current }
        let end = trip.merged[alighting]
        current.arrival = end.call.arrival
        current.departureBeforeArrival = trip.merged[alighting - 1].call.departure
        current.observation.at = context.now
        current.observation.status = .departed
        current.observation.measured = end.call.measured ?? observation.measured
        current.observation.isFresh = end.reliability.isCurrent && end.reliability.realtimeState != .missing
        return current
    }
}

/// The configuration on which subjects depend.
struct SubjectSettings: Hashable, Sendable {
    var places: [String: PlaceConfiguration]
    var commutes: [CommuteConfiguration]
    var walkingRadius: Int
    var maxWalkingRadius: Int
    var walkingSpeed: WalkingSpeed

    init(_ settings: QuerySettings) {
        (places, commutes) = (settings.places, settings.commutes)
        (walkingRadius, maxWalkingRadius) = (settings.walkingRadius, settings.maxWalkingRadius)
        walkingSpeed = settings.walkingSpeed
    }
}

/// Why a subject cannot be watched, as a sentence.
struct SubjectFailure: Error {
    var reason: String

    init(reason: String) { self.reason = reason }

    init(_ error: any Error) {
        switch error {
        case let failure as SubjectFailure: self = failure
        case QueryError.noData: self.init(reason: "Its feed has no timetable yet.")
        case QueryError.feedNotFound(let feed, _): self.init(reason: "The feed \(feed) is not configured.")
        case QueryError.placeNotSet(let place): self.init(reason: "The place \"\(place)\" is not set.")
        case QueryError.stopGone(let stop, let feed): self.init(reason: "\(feed) no longer has the stop \"\(stop)\".")
        case QueryError.routeGone(let route, let feed):
            self.init(reason: "\(feed) no longer has the route \"\(route)\".")
        case QueryError.noStopsNear(let place, let radius, _):
            self.init(reason: "There is no stop within \(radius) m of the place \"\(place)\".")
        default: self.init(reason: "It cannot be found in the timetable.")
        }
    }
}
