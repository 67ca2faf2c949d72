package import TransitModel
package import TransitWire

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

/// Tells once for each event that a station of a commute will be crowded.
package enum EventCrowdingRule {
    package struct Memory: RuleMemory {
        struct Entry: Hashable, Sendable {
            var event: String
            var isOpen: Bool
            /// The end of the last crowded time. The entry is then forgotten.
            var until: Instant
        }

        var entries: [Entry] = []

        static let maximumEntries = 200

        package init() {}

        package init?(_ json: JSONValue) {
            guard case .object = json else { return nil }
            entries =
                json["entries"]?.elements.prefix(Self.maximumEntries).compactMap { row in
                    guard let event = row["event"]?.text, let until = row["until"]?.instantValue else { return nil }
                    return Entry(event: event, isOpen: row["open"]?.isTrue ?? false, until: until)
                } ?? []
        }

        package var json: JSONValue {
            [
                "entries": .array(
                    entries.map { entry in
                        [
                            "event": .string(entry.event), "open": .bool(entry.isOpen), "until": .seconds(entry.until),
                        ]
                    })
            ]
        }
    }

    /// The times at which a station near an event is crowded: around its start and around its end.
    package static func crowdedTimes(
        _ event: EventNearStation, _ thresholds: CrowdingThresholds
    ) -> [ClosedRange<Instant>] {
        let start = event.start.advanced(by: -thresholds.beforeStart)
        let end = event.end.map { max($0, event.start) } ?? event.start.advanced(by: thresholds.assumedDuration)
        return [
            start...event.start.advanced(by: thresholds.afterStart),
            end.advanced(by: -thresholds.aroundEnd)...end.advanced(by: thresholds.aroundEnd),
        ]
    }

    /// The times at which the user should know, in ascending order: the crowded ones within the commute's windows, and
    /// shortly before a window that begins while the station is crowded.
    package static func toldTimes(
        _ event: EventNearStation, _ thresholds: CrowdingThresholds
    ) -> [ClosedRange<Instant>] {
        guard event.isPlanned, event.isAtLargeVenue, event.miles <= thresholds.miles || event.isNearestStation else {
            return []
        }
        let crowded = crowdedTimes(event, thresholds)
        if event.windows.isEmpty { return crowded }
        return crowded.flatMap { time in
            event.windows.filter { $0.overlaps(time) }.map { window in
                let first = max(time.lowerBound, window.lowerBound.advanced(by: -thresholds.lead))
                return first...min(time.upperBound, window.upperBound)
            }
        }.sorted { $0.lowerBound < $1.lowerBound }
    }

    /// - Parameter events: The events near the stations of the commutes; `nil` if they are not known now.
    package static func evaluate(
        _ events: [EventNearStation]?, memory: inout Memory, thresholds: CrowdingThresholds, zone: ServiceZone,
        now: Instant
    ) -> [NotificationDecision] {
        guard let events else { return [] }
        var decisions: [NotificationDecision] = []
        var current: Set<String> = []
        for event in events {
            let times = toldTimes(event, thresholds)
            if !times.isEmpty { current.insert(event.id) }
            guard let time = times.first(where: { $0.contains(now) }),
                !memory.entries.contains(where: { $0.event == event.id }),
                memory.entries.count < Memory.maximumEntries
            else { continue }
            let until = crowdedTimes(event, thresholds).map(\.upperBound).max() ?? time.upperBound
            memory.entries.append(Memory.Entry(event: event.id, isOpen: true, until: until))
            decisions.append(event.decision(until: time.upperBound, zone, thresholds, now))
        }
        for position in memory.entries.indices
        where memory.entries[position].isOpen && !current.contains(memory.entries[position].event) {
            memory.entries[position].isOpen = false
            // After its end, an event is no longer listed. Its bubble is no longer valid then.
            guard memory.entries[position].until > now else { continue }
            decisions.append(
                NotificationDecision(
                    id: "", key: "crowding-\(StableDigest.hexadecimal(memory.entries[position].event))", revision: 0,
                    operation: .withdraw, rule: .crowding, at: now, validUntil: now,
                    title: "The event does not take place", body: "", subjectKind: "commute", subjectName: "",
                    reason: "The event was postponed, canceled or removed."))
        }
        memory.entries.removeAll { $0.until < now }
        return decisions
    }

    /// The next moment at which a station becomes crowded.
    package static func nextMoment(
        _ events: [EventNearStation], _ thresholds: CrowdingThresholds, after now: Instant
    ) -> Instant? {
        events.flatMap { toldTimes($0, thresholds) }.map(\.lowerBound).filter { $0 > now }.min()
    }
}

extension EventNearStation {
    /// "Expect crowds at 4th & King: concert at Chase Center from 19:30 to about 22:30".
    package func text(_ zone: ServiceZone, _ thresholds: CrowdingThresholds) -> String {
        let known = end ?? start.advanced(by: thresholds.assumedDuration)
        let time =
            "from \(NotificationText.clock(start, zone)) to about \(NotificationText.clock(known, zone))"
        return NetworkText.line("Expect crowds at \(station): \(kind) at \(venue) \(time)", limit: 200) ?? venue
    }

    fileprivate func decision(
        until: Instant, _ zone: ServiceZone, _ thresholds: CrowdingThresholds, _ now: Instant
    ) -> NotificationDecision {
        let known = end ?? start.advanced(by: thresholds.assumedDuration)
        let time =
            now < start
            ? "\(kind) at \(NotificationText.clock(start, zone))"
            : "\(kind) until about \(NotificationText.clock(known, zone))"
        var decision = NotificationDecision(
            id: "", key: "crowding-\(StableDigest.hexadecimal(id))", revision: 0, operation: .show, rule: .crowding,
            at: now, validUntil: until,
            title: NetworkText.line("Expect crowds at \(station): \(time)") ?? venue,
            body: NetworkText.line("\(venue): \(name)", limit: 200) ?? "", subjectKind: "commute", subjectName: commute,
            reason: "A large event is near a station of your commute.")
        decision.date = zone.civil(at: start).date
        decision.url = url
        decision.event = self
        decision.sources = [.events]
        return decision
    }
}
