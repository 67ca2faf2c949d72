package import TransitModel

/// An event near a station of one of the user's commutes.
package struct EventNearStation: Hashable, Sendable {
    package var id: String
    package var name: String
    /// The kind of the event as riders call it: "concert", "game".
    package var kind: String
    package var venue: String
    /// The station of the commute that is nearest to the venue.
    package var station: String
    /// The distance between the venue and the station in miles.
    package var miles: Double
    package var start: Instant
    package var end: Instant?
    /// Whether the venue is large or always listed. A venue whose capacity is unknown is not large.
    package var isAtLargeVenue: Bool
    /// Whether the venue is always listed and no other station is nearer, so that the distance does not matter.
    package var isNearestStation: Bool
    /// Whether the event takes place at its time.
    package var isPlanned: Bool
    package var url: String?
    /// The name of the commute that uses the station.
    package var commute: String
    /// The windows of the commute near the event; empty for a commute without windows, which may be at any time.
    package var windows: [ClosedRange<Instant>]

    package init(
        id: String, name: String, kind: String, venue: String, station: String, miles: Double, start: Instant,
        end: Instant?, isAtLargeVenue: Bool, isNearestStation: Bool = false, isPlanned: Bool = true, url: String? = nil,
        commute: String,
        windows: [ClosedRange<Instant>] = []
    ) {
        self.id = id
        self.name = name
        self.kind = kind
        self.venue = venue
        self.station = station
        self.miles = miles
        self.start = start
        self.end = end
        self.isAtLargeVenue = isAtLargeVenue
        self.isNearestStation = isNearestStation
        self.isPlanned = isPlanned
        self.url = url
        self.commute = commute
        self.windows = windows
    }
}

extension NotificationRule {
    package static let crowding = NotificationRule(
        "crowding", "Notifies you about large events near the stations of your commutes.", subjects: [.commute])
}

/// Notifies once for each event that a station of a commute will be crowded.
package enum EventCrowdingRule: GeneralRule {
    package static let rules: [NotificationRule] = [.crowding]

    package struct Settings: RuleSettings {
        /// The maximum distance between a venue and a station in miles.
        package var miles: Double
        /// In seconds.
        package var beforeStart, afterStart: Int
        /// Before and after the end of the event, in seconds.
        package var aroundEnd: Int
        /// The duration of an event without a known end in seconds.
        package var assumedDuration: Int
        /// How long before the window of a commute crowds are announced, but not before ``beforeStart``.
        let lead = 30 * 60

        package init(_ read: inout SettingReader) {
            miles = read.tenths("distance", "miles", 15, 1...100, "The maximum distance between a venue and a station.")
            beforeStart = read.duration(
                "before", .minutes, 120, 0...360, "Notify at most this long before the start.")
            afterStart = read.duration(
                "after_start", .minutes, 30, 0...240, "Notify until this long after the start.")
            aroundEnd = read.duration(
                "around_end", .minutes, 45, 0...180, "Notify from this long before the end until this long after it.")
            assumedDuration = read.duration(
                "length", .minutes, 180, 30...720, "The assumed length of an event without a known end.")
        }
    }

    struct Entry: Codable, Hashable, Sendable {
        var event: String
        var isOpen: Bool
        /// The end of the last crowded time. The entry is then forgotten.
        var until: Instant
    }

    package struct Memory: RuleMemory {
        var entries: [Entry] = []

        static let maximumEntries = 200

        package init() {}
    }

    /// The times at which a station near an event is crowded: around its start and around its end.
    package static func crowdedTimes(
        _ event: EventNearStation, _ settings: EventCrowdingRule.Settings
    ) -> [ClosedRange<Instant>] {
        let start = event.start.advanced(by: -settings.beforeStart)
        let end = event.end.map { max($0, event.start) } ?? event.start.advanced(by: settings.assumedDuration)
        return [
            start...event.start.advanced(by: settings.afterStart),
            end.advanced(by: -settings.aroundEnd)...end.advanced(by: settings.aroundEnd),
        ]
    }

    /// The times at which the user should be notified, in ascending order: the crowded ones within the commute's
    /// windows, and shortly before a window that begins while the station is crowded.
    package static func noticeTimes(
        _ event: EventNearStation, _ settings: EventCrowdingRule.Settings
    ) -> [ClosedRange<Instant>] {
        guard event.isPlanned, event.isAtLargeVenue, event.miles <= settings.miles || event.isNearestStation else {
            return []
        }
        let crowded = crowdedTimes(event, settings)
        if event.windows.isEmpty { return crowded }
        return crowded.flatMap { time in
            event.windows.filter { $0.overlaps(time) }.map { window in
                let first = max(time.lowerBound, window.lowerBound.advanced(by: -settings.lead))
                return first...min(time.upperBound, window.upperBound)
            }
        }.sorted { $0.lowerBound < $1.lowerBound }
    }

    package static func decide(_ context: GeneralRuleContext, _ state: inout RuleMemories) -> [NotificationDecision] {
        guard let events = context.input.events else { return [] }
        let (settings, now) = (context.settings[Self.self], context.now)
        var memory = state[Self.self]
        defer { state[Self.self] = memory }
        var decisions: [NotificationDecision] = []
        var current: Set<String> = []
        for event in events {
            let times = noticeTimes(event, settings)
            if !times.isEmpty { current.insert(event.id) }
            guard let time = times.first(where: { $0.contains(now) }),
                !memory.entries.contains(where: { $0.event == event.id }),
                memory.entries.count < Memory.maximumEntries
            else { continue }
            let until = crowdedTimes(event, settings).map(\.upperBound).max() ?? time.upperBound
            memory.entries.append(Entry(event: event.id, isOpen: true, until: until))
            decisions.append(event.decision(until: time.upperBound, context))
        }
        for position in memory.entries.indices
        where memory.entries[position].isOpen && !current.contains(memory.entries[position].event) {
            memory.entries[position].isOpen = false
            // After its end, an event is no longer listed. Its notification is no longer valid then.
            guard memory.entries[position].until > now else { continue }
            decisions.append(
                context.decision(
                    .crowding, "crowding-\(StableHash.hexadecimal(memory.entries[position].event))",
                    title: "The event does not take place", subject: ("commute", ""),
                    reason: "The event was postponed, canceled or removed.", operation: .withdraw))
        }
        memory.entries.removeAll { $0.until < now }
        return decisions
    }

    /// The next moment at which a station becomes crowded.
    package static func nextMoment(_ context: GeneralRuleContext, _ state: RuleMemories) -> Instant? {
        (context.input.events ?? []).flatMap { noticeTimes($0, context.settings[Self.self]) }.map(\.lowerBound)
            .filter { $0 > context.now }.min()
    }
}

extension EventNearStation {
    /// "Expect crowds at 4th & King: concert at Chase Center from 19:30 to about 22:30".
    package func text(_ zone: ServiceZone, _ settings: EventCrowdingRule.Settings) -> String {
        let known = end ?? start.advanced(by: settings.assumedDuration)
        let time =
            "from \(NotificationText.clock(start, zone)) to about \(NotificationText.clock(known, zone))"
        return GeneralText.line("Expect crowds at \(station): \(kind) at \(venue) \(time)", limit: 200) ?? venue
    }

    fileprivate func decision(
        until: Instant, _ context: GeneralRuleContext
    ) -> NotificationDecision {
        let (zone, now) = (context.zone, context.now)
        let known = end ?? start.advanced(by: context.settings[EventCrowdingRule.self].assumedDuration)
        let time =
            now < start
            ? "\(kind) at \(NotificationText.clock(start, zone))"
            : "\(kind) until about \(NotificationText.clock(known, zone))"
        var decision = context.decision(
            .crowding, "crowding-\(StableHash.hexadecimal(id))",
            title: GeneralText.line("Expect crowds at \(station): \(time)") ?? venue,
            body: GeneralText.line("\(venue): \(name)", limit: 200) ?? "", validUntil: until,
            subject: ("commute", commute), reason: "A large event is near a station of your commute.")
        decision.date = zone.civil(at: start).date
        decision.url = url
        decision.event = self
        decision.sources = [.events]
        return decision
    }
}
