internal import TransitEngine
internal import TransitModel
package import TransitQueries
package import TransitStore

/// A search for journeys on which notifications about a pinned journey depend.
///
/// It can take long, so the caller of ``SubjectFinder`` runs it on the thread for searches, and passes the result to
/// ``SubjectFinder/record(_:)``.
package struct NotificationSearch: Sendable {
    /// What is searched.
    enum Question: Hashable, Sendable {
        /// What the user does instead, because a way broke at a stage of it.
        case replacement(PinnedJourney.Break, PinnedJourney.Stage, of: [DepartureKey])
        /// What can be taken after the journey on the same day.
        case later
    }

    enum Answer: Sendable {
        case replacement(JourneyReplacement?)
        case later(LaterJourneys)
    }

    let pin: SavedJourney
    let question: Question
    private let situation: PinnedJourney
    private let request: CommuteRequest
    private let context: QueryContext

    /// - Parameters:
    ///   - pin: The pinned journey.
    ///   - way: The way that the user is on: the pinned one, or one that replaced it.
    ///   - situation: The way as it is known at the time of the context. If it broke, its replacement is searched.
    init(
        for pin: SavedJourney, on way: PinnedJourneyQuery, in situation: PinnedJourney, _ context: QueryContext
    ) {
        (self.pin, self.situation, request, self.context) = (pin, situation, way.request, context)
        question =
            situation.problem.map { .replacement($0, situation.stage, of: way.saved.legs.map(\.departure)) } ?? .later
    }

    /// The timetables that may be searched, whose networks for journeys are needed.
    package var timetables: [Timetable] { context.feeds.compactMap(\.timetable).filter(\.hasTimes) }

    /// The greatest distance of a walk between two stops at a change, in meters.
    package var walkingDistance: Double { context.walkingDistance }

    /// Whether the search is about the same journey as an earlier one.
    package func replaces(_ earlier: NotificationSearch) -> Bool { pin == earlier.pin }

    /// Searches.
    package func result() -> NotificationSearchResult {
        var result = NotificationSearchResult(pin: pin, question: question, at: context.now)
        do throws(StoreError) {
            let search = try PinnedJourneySearch(situation, request, context)
            result.answer =
                switch question {
                case .replacement: .replacement(try search.replacement())
                case .later: .later(try search.later())
                }
        } catch { result.failure = error }
        return result
    }
}

/// The result of a search, with the time of the data that was searched.
package struct NotificationSearchResult: Sendable {
    let pin: SavedJourney
    let question: NotificationSearch.Question
    let at: Instant
    /// `nil` if the search failed.
    var answer: NotificationSearch.Answer?
    /// Why the search failed; `nil` if it did not.
    package internal(set) var failure: StoreError?
}

/// The searches for one pinned journey: which one is needed, which one runs, and what was found.
///
/// Notifications about a journey that broke wait for the way that replaces it, because they name it. The first one waits for a
/// limited time, because a client's search may occupy the thread.
struct JourneySearches: Sendable {
    /// What is known about the way that replaces a journey.
    enum Replacement {
        case found(JourneyReplacement?)
        /// The search has not ended. The evaluation waits for it until a time.
        case awaited(until: Instant)
        /// The first search for this way has not ended in time.
        case overdue
    }

    /// The search that has to start.
    private var due: NotificationSearch?
    private var running: NotificationSearch.Question?
    /// Whether the data changed since the running search began.
    private var isOutdated = false
    /// A replacement that no evaluation has used.
    private var unused: (question: NotificationSearch.Question, replacement: JourneyReplacement?)?
    /// What the last used replacement is for. Evaluations that have one wait for a newer one without a limit.
    private var known: NotificationSearch.Question?
    /// Since when evaluations wait for a replacement.
    private var waitsSince: Instant?
    /// What can be taken after the journey, as of the last search.
    private(set) var later: LaterJourneys?

    /// The time for which a notification waits for a search, in seconds.
    private static let patience = 30
    /// The number of seconds after which what can be taken later is searched again.
    private static let interval = 600

    /// Returns the search that has to start, once.
    mutating func start() -> NotificationSearch? { due.take() }

    mutating func record(_ result: NotificationSearchResult) {
        if running == result.question { running = nil }
        switch result.answer {
        case .replacement(let replacement): unused = (result.question, replacement)
        case .later(let found): later = found
        case nil:
            // Evaluations go on without a replacement, and what can be taken later is not known.
            if result.question == .later {
                later = LaterJourneys(at: result.at)
            } else {
                unused = (result.question, nil)
            }
        }
    }

    /// Returns the way that replaces a journey that broke. Unless it was just found, it is searched.
    mutating func replacement(_ search: NotificationSearch, at now: Instant) -> Replacement {
        if let found = unused, found.question == search.question {
            (unused, waitsSince, known) = (nil, nil, found.question)
            // The data changed while it was searched.
            if isOutdated { begin(search) }
            return .found(found.replacement)
        }
        unused = nil
        if running == search.question { isOutdated = true } else { begin(search) }
        let since = waitsSince ?? now
        waitsSince = since
        let end = since.advanced(by: Self.patience)
        if now < end { return .awaited(until: end) }
        return known == search.question ? .awaited(until: now.advanced(by: Self.patience)) : .overdue
    }

    /// Searches what can be taken later, unless that was searched in the last minutes.
    mutating func findLater(_ search: NotificationSearch, at now: Instant) {
        guard running != search.question, later.map({ now >= Self.next(after: $0) }) ?? true else { return }
        begin(search)
    }

    /// Ends waiting, because the journey holds.
    mutating func stopWaiting() { (unused, waitsSince, known) = (nil, nil, nil) }

    /// When what can be taken later is searched next; `nil` if that was not searched yet.
    var nextLater: Instant? { later.map(Self.next) }

    private static func next(after later: LaterJourneys) -> Instant { later.at.advanced(by: interval) }

    private mutating func begin(_ search: NotificationSearch) {
        (due, running, isOutdated) = (search, search.question, false)
    }
}
