internal import TransitModel
internal import TransitWire

/// The state as a JSON document. Times are seconds since 1970, and dates are days since 1970.
extension NotificationState {
    /// The version of the document. A document of a later version is not read.
    static let version: Int64 = 1

    /// Returns `nil` if the text is not a state that this release can read: it is damaged, too large or of a later
    /// release. The caller keeps the text aside and begins a new state.
    package init?(json text: String) {
        guard text.utf8.count <= Limit.document, let document = try? JSONValue(parsing: text),
            let state = try? NotificationState(document)
        else { return nil }
        self = state
    }

    /// The state as a JSON document.
    package var json: String {
        // A document above the limits would not be read again.
        var bounded = self
        bounded.trim()
        return JSONValue.object(bounded.encoded).description
    }

    /// A member that is missing or has another type or range than this release writes.
    struct Unreadable: Error {}

    private init(_ document: JSONValue) throws(Unreadable) {
        guard try document.integer("version") == Self.version else { throw Unreadable() }
        for value in try document.list("runs", Limit.runs) {
            let memory = try RunMemory(value)
            runs[memory.departure] = memory
        }
        for value in try document.list("finished", Limit.finished) { finished.insert(try DepartureKey(value)) }
        for value in try document.list("windows", Limit.windows) {
            windows[try value.text("name", Limit.text)] = Window(
                start: try value.instant("start"), end: try value.instant("end"),
                announced: try value.number("told", 0...10_000), hasOwnDeparture: try value.optionalFlag("own"),
                isNextSounding: try value.optionalFlag("sounding"), isDone: try value.flag("done"))
        }
        for value in try document.list("bubbles", Limit.bubbles) {
            bubbles[try value.text("key", Limit.text)] = Bubble(
                revision: try value.number("revision", 1...1_000_000_000), validUntil: try value.instant("valid_until"),
                isShown: try value.flag("shown"), content: try value["content"].map(Bubble.Content.init))
        }
        for bucket in NotificationBucket.allCases { buckets[bucket] = try document.optionalInstant(bucket.rawValue) }
        for value in try document.list("digest", Limit.digest) {
            digest.append(
                QueuedItem(
                    key: try value.text("key", Limit.text), at: try value.instant("at"),
                    validUntil: try value.instant("valid_until"),
                    item: NotificationDecision.Item(
                        rule: try value.rule("rule"), title: try value.text("title", Limit.document),
                        body: try value.text("body", Limit.document), url: try value.optionalText("url")),
                    date: try value.optionalDate("date")))
        }
        digestedThrough = try document.optionalInstant("digested_through")
        mutes.all = try document.optionalInstant("muted_until")
        for value in try document.list("mutes", NotificationRule.allCases.count) {
            mutes.rules[try value.rule("rule")] = try value.instant("until")
        }
        for value in try document.list("suppressed", Limit.suppressed) {
            suppressed.append(
                Suppressed(
                    at: try value.instant("at"), rule: try value.rule("rule"), key: try value.text("key", Limit.text),
                    title: try value.text("title", Limit.document), reason: try value.text("reason", Limit.document)))
        }
        suppressedCount = try document.number("suppressed_count", 0...1_000_000_000)
        for value in document["trips"] == nil ? [] : try document.list("trips", Limit.trips) {
            trips.append(try TakenTrip(value))
        }
        trips += try Self.formerTrips(document)
        pinnedAway = try document.optionalDate("pinned_away")
        network = document["network"].flatMap { NetworkMemory($0) } ?? NetworkMemory()
    }

    /// Returns the last trip as earlier releases wrote it: the date of the last trip, and that of the last one home.
    private static func formerTrips(_ document: JSONValue) throws(Unreadable) -> [TakenTrip] {
        let home = try document.optionalDate("taken_home")
        guard let day = try document.optionalDate("taken") ?? home else { return [] }
        return [TakenTrip(departure: nil, day: day, ledHome: day == home)]
    }

    private var encoded: JSONObject {
        var object: JSONObject = ["version": .int(Self.version)]
        object["runs"] = .array(
            runs.values.sorted { ($0.departure.scheduled, $0.bubbleKey) < ($1.departure.scheduled, $1.bubbleKey) }
                .map(\.encoded))
        object["finished"] = .array(
            finished.sorted { ($0.scheduled, $0.identity) < ($1.scheduled, $1.identity) }.map(\.encoded))
        object["windows"] = .array(
            windows.sorted { $0.key < $1.key }.map { name, window in
                [
                    "name": .string(name), "start": .instant(window.start), "end": .instant(window.end),
                    "told": .int(Int64(window.announced)), "own": .bool(window.hasOwnDeparture),
                    "sounding": .bool(window.isNextSounding), "done": .bool(window.isDone),
                ]
            })
        object["bubbles"] = .array(
            bubbles.sorted { $0.key < $1.key }.map { key, bubble in
                var object: JSONObject = [
                    "key": .string(key), "revision": .int(Int64(bubble.revision)),
                    "valid_until": .instant(bubble.validUntil), "shown": .bool(bubble.isShown),
                ]
                object["content"] = bubble.content?.encoded
                return .object(object)
            })
        for (bucket, full) in buckets { object[bucket.rawValue] = .instant(full) }
        object["digest"] = .array(digest.map { $0.encoded })
        object["digested_through"] = digestedThrough.map { .instant($0) }
        object["muted_until"] = mutes.all.map { .instant($0) }
        object["mutes"] = .array(
            mutes.rules.sorted { $0.key.rawValue < $1.key.rawValue }.map { rule, until in
                ["rule": .string(rule.rawValue), "until": .instant(until)]
            })
        object["suppressed"] = .array(
            suppressed.map {
                [
                    "at": .instant($0.at), "rule": .string($0.rule.rawValue), "key": .string($0.key),
                    "title": .string($0.title), "reason": .string($0.reason),
                ]
            })
        object["suppressed_count"] = .int(Int64(suppressedCount))
        object["trips"] = .array(trips.map(\.encoded))
        object["pinned_away"] = pinnedAway.map { .int(Int64($0.daysSince1970)) }
        object["network"] = network.json
        return object
    }
}

extension NotificationState.QueuedItem {
    fileprivate var encoded: JSONValue {
        var object: JSONObject = [
            "key": .string(key), "at": .instant(at), "valid_until": .instant(validUntil),
            "rule": .string(item.rule.rawValue), "title": .string(item.title), "body": .string(item.body),
        ]
        object["url"] = item.url.map { .string($0) }
        object["date"] = date.map { .int(Int64($0.daysSince1970)) }
        return .object(object)
    }
}

extension NotificationState.TakenTrip {
    fileprivate init(_ value: JSONValue) throws(NotificationState.Unreadable) {
        if let departure = value["departure"] { self.departure = try DepartureKey(departure) }
        guard let day = try value.optionalDate("day") else { throw NotificationState.Unreadable() }
        self.day = day
        ledHome = try value.flag("home")
    }

    fileprivate var encoded: JSONValue {
        var object: JSONObject = ["day": .int(Int64(day.daysSince1970)), "home": .bool(ledHome)]
        object["departure"] = departure?.encoded
        return .object(object)
    }
}

extension NotificationState.Bubble.Content {
    fileprivate init(_ value: JSONValue) throws(NotificationState.Unreadable) {
        rule = try value.rule("rule")
        title = try value.text("title", NotificationState.Limit.document)
        body = try value.text("body", NotificationState.Limit.document)
    }

    fileprivate var encoded: JSONValue {
        ["rule": .string(rule.rawValue), "title": .string(title), "body": .string(body)]
    }
}

extension RunMemory {
    private typealias Unreadable = NotificationState.Unreadable

    fileprivate init(_ value: JSONValue) throws(NotificationState.Unreadable) {
        guard let kind = SubjectKind(rawValue: try value.text("kind", 20)),
            let phase = Phase(rawValue: try value.text("phase", 20))
        else { throw Unreadable() }
        self.init(
            try DepartureKey(try value.member("departure")), kind: kind,
            name: try value.text("name", NotificationState.Limit.text))
        self.phase = phase
        if let told = value["told"] { self.told = try BubbleContent(told) }
        if let leave = value["leave"] {
            self.leave = Leave(
                basis: try leave.instant("basis"), lowerBound: try leave.instant("lower_bound"),
                isRepeated: try leave.flag("repeated"))
        }
        let flags = try value.list("flags", 16)
        func has(_ name: String) -> Bool { flags.contains(.string(name)) }
        isDelayTold = has("delay")
        isEarlyTold = has("early")
        isUnseenTold = has("unseen")
        isLastTold = has("last")
        isGetoffTold = has("getoff")
        isLeaveMissed = has("missed")
        isPassedUp = has("passed")
        isGivenUp = has("given_up")
        isSilent = has("silent")
        isCounted = has("counted")
        if let advice = value["advice"] { self.advice = try Advice(advice) }
        if let report = value["report"] { self.report = try Report(report) }
        missingSince = try value.optionalInstant("missing_since")
        if let contradiction = try value.optionalText("contradiction") {
            guard let known = Contradiction(rawValue: contradiction) else { throw Unreadable() }
            self.contradiction = known
        }
        late = try Evidence(value["late"])
        normal = try Evidence(value["normal"])
        early = try Evidence(value["early"])
        running = try Evidence(value["running"])
        judged = try value.optionalInstant("judged")
        if let replacement = value["replacement"] { self.replacement = try DepartureKey(replacement) }
        for rule in try value.list("withheld", NotificationRule.allCases.count) {
            guard let rule = NotificationRule(rawValue: try rule.string(20)) else { throw Unreadable() }
            withheld.insert(rule)
        }
        time = try value.instant("time")
        arrival = try value.optionalInstant("arrival")
    }

    fileprivate var encoded: JSONValue {
        var object: JSONObject = [
            "departure": departure.encoded, "kind": .string(kind.rawValue), "name": .string(name),
            "phase": .string(phase.rawValue), "time": .instant(time),
        ]
        object["told"] = told?.encoded
        object["leave"] = leave.map {
            ["basis": .instant($0.basis), "lower_bound": .instant($0.lowerBound), "repeated": .bool($0.isRepeated)]
        }
        let flags: [(String, Bool)] = [
            ("delay", isDelayTold), ("early", isEarlyTold), ("unseen", isUnseenTold), ("last", isLastTold),
            ("getoff", isGetoffTold), ("missed", isLeaveMissed), ("passed", isPassedUp), ("given_up", isGivenUp),
            ("silent", isSilent), ("counted", isCounted),
        ]
        object["flags"] = .array(flags.filter(\.1).map { .string($0.0) })
        object["late"] = late?.encoded
        object["normal"] = normal?.encoded
        object["early"] = early?.encoded
        object["running"] = running?.encoded
        object["judged"] = judged.map { .instant($0) }
        object["replacement"] = replacement?.encoded
        object["withheld"] = .array(withheld.map(\.rawValue).sorted().map { .string($0) })
        object["arrival"] = arrival.map { .instant($0) }
        object["advice"] = advice?.encoded
        object["report"] = report?.encoded
        object["missing_since"] = missingSince.map { .instant($0) }
        object["contradiction"] = contradiction.map { .string($0.rawValue) }
        return .object(object)
    }
}

extension RunMemory.Advice {
    fileprivate init(_ value: JSONValue) throws(NotificationState.Unreadable) {
        leaveBy = try value.instant("leave_by")
        basis = try value.instant("basis")
        lowerBound = try value.instant("lower_bound")
        hasSound = try value.flag("sound")
    }

    fileprivate var encoded: JSONValue {
        [
            "leave_by": .instant(leaveBy), "basis": .instant(basis), "lower_bound": .instant(lowerBound),
            "sound": .bool(hasSound),
        ]
    }
}

extension RunMemory.Report {
    fileprivate init(_ value: JSONValue) throws(NotificationState.Unreadable) {
        isRunning = try value.flag("running")
        since = try value.instant("since")
        wasCanceled = try value.flag("was_canceled")
        for reversal in try value.list("reversals", Self.maximumReversals) {
            guard case .int(let seconds) = reversal else { throw NotificationState.Unreadable() }
            reversals.append(try JSONValue.checkedInstant(seconds))
        }
    }

    fileprivate var encoded: JSONValue {
        [
            "running": .bool(isRunning), "since": .instant(since), "was_canceled": .bool(wasCanceled),
            "reversals": .array(reversals.map { .instant($0) }),
        ]
    }
}

extension RunMemory.BubbleContent {
    fileprivate init(_ value: JSONValue) throws(NotificationState.Unreadable) {
        expected = try value.optionalInstant("expected")
        delay = try value.optionalInteger("delay").map { Int(clamping: $0) }
        platform = try value.optionalText("platform")
        if let status = try value.optionalInteger("status") {
            guard let raw = UInt8(exactly: status), let known = CallStatus(rawValue: raw) else {
                throw NotificationState.Unreadable()
            }
            self.status = known
        }
        isMissing = try value.optionalFlag("missing")
    }

    fileprivate var encoded: JSONValue {
        var object = JSONObject()
        object["expected"] = expected.map { .instant($0) }
        object["delay"] = delay.map { .int(Int64($0)) }
        object["platform"] = platform.map { .string($0) }
        object["status"] = status.map { .int(Int64($0.rawValue)) }
        if isMissing { object["missing"] = .bool(true) }
        return .object(object)
    }
}

extension RunMemory.Evidence {
    fileprivate init?(_ value: JSONValue?) throws(NotificationState.Unreadable) {
        guard let value else { return nil }
        self.init(measured: try value.instant("measured"), count: try value.number("count", 1...2))
    }

    fileprivate var encoded: JSONValue { ["measured": .instant(measured), "count": .int(Int64(count))] }
}

extension DepartureKey {
    fileprivate init(_ value: JSONValue) throws(NotificationState.Unreadable) {
        var direction: Direction?
        if let raw = try value.optionalInteger("direction") {
            guard let known = UInt8(exactly: raw).flatMap(Direction.init(rawValue:)) else {
                throw NotificationState.Unreadable()
            }
            direction = known
        }
        let limit = NotificationState.Limit.text
        self.init(
            feed: FeedID(try value.text("feed", limit)), route: RouteID(try value.text("route", limit)),
            direction: direction, stop: StopID(try value.text("stop", limit)),
            scheduled: try value.instant("scheduled"),
            serviceDate: try JSONValue.date(try value.integer("service_date")))
    }

    fileprivate var encoded: JSONValue {
        var object: JSONObject = ["feed": .string(feed.rawValue), "route": .string(route.rawValue)]
        object["direction"] = direction.map { .int(Int64($0.rawValue)) }
        object["stop"] = .string(stop.rawValue)
        object["scheduled"] = .instant(scheduled)
        object["service_date"] = .int(Int64(serviceDate.daysSince1970))
        return .object(object)
    }
}
