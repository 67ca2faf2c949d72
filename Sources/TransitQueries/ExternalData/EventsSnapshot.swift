package import TransitModel

/// The events of the last refresh, each listed once.
package struct EventsSnapshot: Hashable, Sendable {
    package private(set) var events: [PublicEvent]
    /// The time at which the events were received.
    package let received: Instant
    /// Whether the source has more events than were requested, so that later dates or remote stations lack events.
    package var isIncomplete: Bool

    /// Folds the entries that the source has for one event: see ``EventDeduplicator``.
    package init(_ events: [PublicEvent], received: Instant, isIncomplete: Bool = false) {
        self.events = EventDeduplicator.folded(events)
        self.received = received
        self.isIncomplete = isIncomplete
    }

    /// The number of days for which events are requested.
    private static let days = 30
    /// How many seconds before the request the requested period begins, because crowds of earlier events may still be
    /// leaving.
    private static let past = 12 * 3600

    /// Returns the period for which events are requested at a moment.
    package static func period(at moment: Instant) -> ClosedRange<Instant> {
        moment.advanced(by: -past)...moment.advanced(by: days * 86_400)
    }

    /// Returns the dates whose events are known, in a time zone: from the date of the request to the last date that the
    /// requested period contains whole.
    package func knownDates(in zone: ServiceZone) -> ClosedRange<ServiceDate> {
        let first = zone.civil(at: received).date
        let last = zone.civil(at: Self.period(at: received).upperBound).date.advanced(by: -1)
        return first...max(first, last)
    }
}

/// Reduces the entries of a source to one for each event.
///
/// Ticketmaster lists an event several times: once for each seller, and once for each kind of ticket, such as parking,
/// suites, VIP packages and passes for several days.
package enum EventDeduplicator {
    /// The venue and the local date of entries that may be about one event.
    private struct Occasion: Hashable {
        var venue: [String]
        var day: Int64?
    }

    private struct Entry {
        var event: PublicEvent
        var words: [String]
        var kind: Kind
        /// The position in the list of the source.
        var position: Int
    }

    private enum Kind { case event, ticket, parking }

    /// Returns the events without duplicates and without entries for a kind of ticket, in the order of the source.
    package static func folded(_ events: [PublicEvent]) -> [PublicEvent] {
        var occasions: [Occasion: [Entry]] = [:]
        for (position, event) in events.enumerated() {
            let words = VenueTable.words(event.name)
            let entry = Entry(event: event, words: words, kind: kind(of: words), position: position)
            occasions[occasion(of: event), default: []].append(entry)
        }
        return occasions.values.flatMap { folded($0) }.sorted { $0.position < $1.position }.map(\.event)
    }

    private static func occasion(of event: PublicEvent) -> Occasion {
        // Without a local date, the day in UTC separates the entries well enough, since duplicates have equal times.
        let day =
            event.date.map { Int64($0.daysSince1970) }
            ?? event.start.map { ($0.secondsSince1970 / 86_400) + (1 << 32) }
        return Occasion(venue: VenueTable.words(event.venue?.name ?? ""), day: day)
    }

    private static func folded(_ entries: [Entry]) -> [Entry] {
        var kept: [Entry] = []
        for entry in entries where entry.kind == .event {
            if let known = kept.firstIndex(where: { isSame($0, entry) }) {
                kept[known] = better(kept[known], entry)
            } else {
                kept.append(entry)
            }
        }
        let hasEvents = !kept.isEmpty
        // An entry for a kind of ticket represents an event whose own entry is missing, but one for parking does not.
        for entry in entries where entry.kind == .ticket {
            let isFolded = kept.contains { isTicket(entry, for: $0) || !hasEvents && isSame($0, entry) }
            if !isFolded { kept.append(entry) }
        }
        return kept
    }

    /// Whether two entries of one venue and date are about the same event: the times do not differ, and one name
    /// contains the other.
    private static func isSame(_ one: Entry, _ other: Entry) -> Bool {
        if let first = one.event.start, let second = other.event.start, first != second { return false }
        if !one.event.id.isEmpty, one.event.id == other.event.id { return true }
        let (short, long) = one.words.count <= other.words.count ? (one.words, other.words) : (other.words, one.words)
        return !short.isEmpty && Set(short).isSubset(of: long)
    }

    /// Whether an entry is for a kind of ticket of an event at the same venue and date.
    private static func isTicket(_ ticket: Entry, for entry: Entry) -> Bool {
        if let first = ticket.event.start, let second = entry.event.start, first == second { return true }
        return !Set(ticket.words.filter { $0.count >= 4 }).isDisjoint(with: entry.words)
    }

    /// Returns the entry that says most: one that takes place, one with a time, one with a shorter name.
    private static func better(_ one: Entry, _ other: Entry) -> Entry {
        func rank(_ entry: Entry) -> (Int, Int, Int, Int) {
            (
                entry.event.status.takesPlace ? 0 : 1, entry.event.start == nil ? 1 : 0, entry.words.count,
                entry.position
            )
        }
        var best = rank(one) <= rank(other) ? one : other
        best.position = min(one.position, other.position)
        return best
    }

    private static let parkingWords: Set<String> = ["parking", "shuttle", "tailgate"]
    private static let ticketWords: Set<String> = [
        "suite", "suites", "package", "packages", "upgrade", "upgrades", "addon", "locker", "lockers", "deposit", "vip",
    ]
    /// Pairs of words of which a name contains both, such as "2-Day Pass".
    private static let ticketPairs: [(first: Set<String>, second: Set<String>)] = [
        (["day", "days", "weekend", "season", "single"], ["pass", "passes", "ticket", "tickets"]),
        (["add"], ["on"]), (["premium", "club"], ["seating", "seats", "access", "experience"]), (["meet"], ["greet"]),
    ]

    private static func kind(of words: [String]) -> Kind {
        let words = Set(words)
        if !words.isDisjoint(with: parkingWords) { return .parking }
        if !words.isDisjoint(with: ticketWords) { return .ticket }
        return ticketPairs.contains { !words.isDisjoint(with: $0.first) && !words.isDisjoint(with: $0.second) }
            ? .ticket : .event
    }
}
