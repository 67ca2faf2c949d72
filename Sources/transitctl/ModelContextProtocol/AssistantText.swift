internal import ModelContextProtocol
internal import TransitClient
internal import TransitControl
internal import TransitModel
internal import TransitWire

/// The results of tools as texts for a model: the pages that people see, with the time, and with sentences that answer
/// "when must I leave?".
struct AssistantText {
    /// The units of the user's locale.
    let units: DisplayUnits

    /// Returns the text of a result.
    func text(of result: JSONValue, for call: any ControlParameters) throws(ClientError) -> String {
        switch call {
        case let call as NextParameters: try words(call, result, .next(in: units)) { LeaveText.sentences($0) }
        case let call as JourneysParameters:
            try words(call, result, .journeys) { result in
                let freshness = FreshnessText.of(result.journeys.flatMap { $0.legs.map(\.departure) })
                let start = result.onBoard == nil ? "From" : "On board from"
                return ["\(start) \(result.from.words) to \(result.to.words)."] + [freshness].compactMap { $0 }
            }
        case let call as LastJourneysParameters:
            try words(call, result, .lastJourneys) { result in
                let freshness = FreshnessText.of(result.journeys.flatMap { $0.legs.map(\.departure) })
                return ["From \(result.commute.from.words) to \(result.commute.to.words)."]
                    + [freshness].compactMap { $0 }
            }
        case let call as PinnedJourneysParameters:
            try words(call, result, .pinnedJourneys) { result in
                let journeys = result.journeys.compactMap { $0.replacement?.journey ?? $0.journey }
                return [FreshnessText.of(journeys.flatMap { $0.legs.map(\.departure) })].compactMap { $0 }
            }
        case let call as DeparturesParameters:
            try words(call, result, .departures) { [FreshnessText.of($0.departures)].compactMap { $0 } }
        case let call as FavoriteShowParameters:
            try words(call, result, .favoriteShow) {
                [FreshnessText.of($0.boards.flatMap(\.departures))].compactMap { $0 }
            }
        case let call as StopsSearchParameters: try words(call, result, .stopsSearch)
        case let call as StopsNearParameters: try words(call, result, .stopsNear(in: units))
        case let call as StopsShowParameters: try words(call, result, .stopsShow)
        case let call as RoutesSearchParameters: try words(call, result, .routesSearch)
        case let call as RoutesShowParameters: try words(call, result, .routesShow)
        case let call as RoutesStopsParameters: try words(call, result, .routesStops)
        case let call as TripShowParameters: try words(call, result, .tripShow)
        case let call as ExplainParameters: try words(call, result, .explain)
        case let call as VehiclesParameters: try words(call, result, .vehicles)
        case let call as AlertsParameters: try words(call, result, .alerts)
        case let call as WeatherParameters: try words(call, result, .weather(in: units))
        case let call as EventsParameters: try words(call, result, .events(in: units))
        case let call as AddressSearchParameters: try words(call, result, .addressSearch)
        case let call as ProviderListParameters: try json(call, result)
        case let call as FeedListParameters: try words(call, result, .feedList)
        case let call as FeedFindParameters: try words(call, result, .feedFind(in: units))
        case let call as FeedVersionsParameters: try words(call, result, .feedVersions)
        case let call as FeedValidateParameters: try words(call, result, .feedValidate)
        case let call as FeedDiffParameters: try words(call, result, .feedDiff)
        case let call as FeedHistoryParameters: try words(call, result, .feedHistory)
        case let call as BudgetParameters: try words(call, result, .budget)
        case let call as StatusParameters: try words(call, result, .status)
        case let call as CommuteListParameters: try words(call, result, .commuteList)
        case let call as PlaceListParameters: try words(call, result, .placeList)
        case let call as FavoriteListParameters: try words(call, result, .favoriteList)
        case let call as RecentListParameters: try words(call, result, .recentList)
        case let call as TakenListParameters: try words(call, result, .takenList)
        case let call as UsualListParameters: try words(call, result, .usualList)
        case let call as UsualExplainParameters: try words(call, result, .usualExplain)
        case let call as InsightsParameters: try words(call, result, .insights(locale: units))
        case let call as NotificationsParameters: try words(call, result, .notifications)
        case let call as NotifyListParameters: try words(call, result, .notifyList)
        case let call as NotifyRehearseParameters: try words(call, result, .notifyRehearse)
        case let call: try json(call, result)
        }
    }

    /// - Parameter answer: Returns sentences to put before the page.
    private func words<Call: ControlParameters>(
        _ call: Call, _ result: JSONValue, _ view: View<Call.Reply>, answer: (Call.Reply) -> [String] = { _ in [] }
    ) throws(ClientError) -> String {
        let reply = try Session.read(result, of: call)
        var notices = Page()
        for notice in view.notices(reply) { notices.line(notice) }
        let painter = Painter(canvas: Canvas())
        let lead = ([Self.time(of: result, call)].compactMap { $0 } + answer(reply)).map { SafeText.clean($0) + "\n" }
        return lead.joined() + painter.paint(view.page(reply)) + painter.paint(notices)
    }

    /// Returns the JSON of a result that people see with other programs only.
    private func json(_ call: some ControlParameters, _ result: JSONValue) throws(ClientError) -> String {
        String(decoding: SafeJSON.clean(result.encoded), as: UTF8.self)
    }

    /// Returns a sentence with the time of a result, such as "As of Saturday 28 November 2026, 08:00 (UTC+01:00)."
    private static func time(of result: JSONValue, _ call: some ControlParameters) -> String? {
        guard let value = result["at"], let at = try? Timestamp(reading: value, as: .result) else { return nil }
        let isAboutOtherTime = (try? JSONValue(parsing: call.encoded))?["at"] != nil
        return (isAboutOtherTime ? "From " : "As of ")
            + "\(DayName.long(at.date)), \(at.clock) (UTC\(at.rfc3339.suffix(at.offset == 0 ? 1 : 6)))."
    }

    /// Returns the text of a failure with its remedies.
    static func text(of failure: ClientError) -> String {
        let text = Painter(canvas: Canvas()).paint(failure.page)
        return text.hasPrefix(Self.program) ? String(text.dropFirst(Self.program.count)) : text
    }

    private static let program = "transitctl: "
}

/// Answers "when must I leave?".
enum LeaveText {
    /// Returns the time to leave for the first departure that can be reached, and how reliable it is; empty without
    /// departures.
    static func sentences(_ result: NextResult) -> [String] {
        let journey = "From \(result.commute.from.words) to \(result.commute.to.words)."
        guard !result.departures.isEmpty else { return [journey] }
        guard let departure = result.departures.first(where: { isReachable($0, at: result.at) }) else {
            return [
                journey,
                "None of these departures can be reached any more. Ask for more departures, or for a later time.",
            ]
        }
        return [journey, leave(for: departure, result), reliability(of: departure)]
            + [usualDelay(of: departure)].compactMap { $0 }
    }

    /// Returns a sentence such as "It is usually 3 min late (1 to 6), as 26 weekdays show."; `nil` if nothing is known.
    private static func usualDelay(of departure: Departure) -> String? {
        if let time = departure.likelyTime {
            return "It is likely to leave at \(time.clock), as earlier predictions like this one show."
        }
        guard let words = departure.usualWords, let usual = departure.usual else { return nil }
        return "It is \(words), as \(DayKindText.count(usual.days, usual.dayKind)) show."
    }

    private static func isReachable(_ departure: Departure, at now: Timestamp) -> Bool {
        guard departure.runs, departure.pickup != .none, departure.arrival?.status != .skipped,
            departure.status != .departed, let leave = departure.leaveBy ?? departure.time
        else { return false }
        return leave.instant >= now.instant
    }

    private static func leave(for departure: Departure, _ result: NextResult) -> String {
        let now = result.at
        let vehicle =
            "\(departure.route.words) at \(departure.time?.words(from: now) ?? "an unknown time") from "
            + departure.stop.words
        var words: String
        if let leave = departure.leaveBy, let walk = departure.walk, walk > 0 {
            let wait = now.instant.seconds(to: leave.instant)
            words =
                wait < 60
                ? "Leave now, by \(leave.clock)"
                : "Leave by \(leave.words(from: now)) (\(RelativeTime.words(seconds: wait)))"
            words += ", walk \(WalkText.of(walk)), and take \(vehicle)"
        } else {
            let time = departure.leaveBy ?? departure.time ?? now
            words = "Be at the stop by \(time.words(from: now)) "
            words += "(\(RelativeTime.words(seconds: now.instant.seconds(to: time.instant)))) and take \(vehicle)"
        }
        if let arrival = departure.arrival, let time = arrival.time {
            words += ", which arrives at \(arrival.stop.words) at \(time.words(from: now))"
        }
        return words + "."
    }

    private static func reliability(of departure: Departure) -> String {
        var doubts: [String] = []
        if departure.confidence != .other { doubts.append("\(departure.confidence.rawValue) confidence") }
        if let uncertainty = departure.uncertainty, uncertainty >= 60 { doubts.append("± \(WalkText.of(uncertainty))") }
        if departure.source != .scheduled, let age = departure.age {
            doubts.append("data \(DurationText.of(seconds: max(0, age))) old")
        }
        switch departure.realtimeState {
        case .expired: doubts.append("realtime data too old to rely on")
        case .missing: doubts.append("not in the realtime data although it should be")
        case .notExpected where departure.source == .scheduled: doubts.append("no realtime data for it")
        case .aging: doubts.append("realtime data older than it should be")
        case .fresh, .notExpected, .other: break
        }
        let source =
            switch departure.source {
            case .live: "live"
            case .estimated: "estimated from the vehicle's position"
            case .scheduled: "from the timetable"
            case .other: "from an unknown source"
            }
        return "This time is \(source)" + (doubts.isEmpty ? "" : " (\(doubts.joined(separator: ", ")))") + "."
    }
}

/// Describes the age of the realtime data behind a board.
enum FreshnessText {
    /// Returns a sentence such as "6 of 10 departures have realtime data, 23 seconds to 2 minutes old."; `nil` without
    /// departures.
    static func of(_ departures: [Departure]) -> String? {
        guard !departures.isEmpty else { return nil }
        let ages = departures.filter { $0.source != .scheduled }.compactMap(\.age).map { max(0, $0) }
        let total = CountText.of(departures.count, "departure")
        guard let newest = ages.min(), let oldest = ages.max() else {
            return departures.count == 1
                ? "The departure has no realtime data; its time is from the timetable."
                : "None of \(total) has realtime data; the times are from the timetable."
        }
        let (from, to) = (DurationText.of(seconds: newest), DurationText.of(seconds: oldest))
        return (departures.count == 1 ? "The departure has" : "\(ages.count) of \(total) have") + " realtime data, "
            + (from == to ? from : "\(from) to \(to)") + " old."
    }
}
