internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitQueries
internal import TransitWire

extension Notice {
    /// The notice about a feed that takes no part in a search for journeys.
    init(_ omission: JourneyFeedOmission) {
        let feed = omission.feed
        switch omission.reason {
        case .withoutTimes:
            self.init(
                kind: .noTimetable, feed: feed,
                message: "\(feed) has no timetable, so journeys with it cannot be searched.")
        case .building:
            self.init(
                kind: .importing, feed: feed,
                message: "\(feed) is being prepared for journeys. Ask again in a moment to include it.")
        case .unavailable(let reason):
            self.init(
                kind: .failed, feed: feed, message: "Journeys with \(feed) cannot be searched: \(reason.asSentence)")
        }
    }

    init(partialFeed feed: FeedID) {
        self.init(
            kind: .partial, feed: feed,
            message: "Only a part of \(feed) is kept on this machine, and only that part is searched for journeys.")
    }

    /// The notice about a search that ended early.
    static let incompleteSearch = Notice(
        kind: .partial,
        message: "The search for journeys reached its limit and ended early. Journeys may be missing.")

    /// The notice about journeys that may not meet requirements of riders, because nothing is stated.
    init(unknownAccessFor options: JourneyOptions) {
        let subjects =
            switch (options.wheelchair, options.bicycles) {
            case (true, true): "vehicles or stops accommodate wheelchairs and bicycles"
            case (true, false): "vehicles or stops accommodate wheelchairs"
            default: "vehicles accommodate bicycles"
            }
        self.init(kind: .missing, message: "Nothing is stated about whether some of the \(subjects).")
    }

    /// The notice about a result without journeys.
    init(
        _ reason: Journeys.EmptyReason, of request: CommuteRequest, maximumChanges: Int,
        options: JourneyOptions, via: String? = nil, _ context: QueryContext
    ) {
        let way = "from \(context.way(of: request))" + (via.map { " via \($0)" } ?? "")
        var changes =
            switch maximumChanges {
            case 0: "without a change"
            case 1: "with at most 1 change"
            case let maximum: "with at most \(maximum) changes"
            }
        if !options.isEmpty { changes = "\(options.words) \(changes)" }
        switch reason {
        case .notSearched: self.init(kind: .missing, message: "Journeys \(way) could not be searched.")
        case .stopped: self.init(kind: .missing, message: "The search ended before it found a journey \(way).")
        case .notCovered(let date, let feed, let dates):
            self.init(
                kind: .missing, feed: feed,
                message: "No journeys \(way) are known on \(date): the timetable of \(feed) covers "
                    + "\(dates.lowerBound) to \(dates.upperBound).")
        case .noneRuns(let date):
            self.init(kind: .noService, message: "No journey \(changes) begins \(way) through \(date).")
        case .noneArrives(let time):
            self.init(
                kind: .noService,
                message: "No journey \(changes) \(way) that begins from now on arrives by "
                    + "\(request.zone.timeOfDay(at: time)) on \(request.zone.civil(at: time).date).")
        case .noneLeft(let end):
            self.init(
                kind: .noService,
                message: "No journey \(changes) is left \(way) before \(request.zone.timeOfDay(at: end)) on "
                    + "\(request.zone.civil(at: end).date).")
        case .noneFromOnBoard:
            self.init(
                kind: .noService, message: "No journey \(changes) is known \(way) for riders who are on board.")
        }
    }

    /// The notice about the last journeys of a day.
    ///
    /// - Parameter remaining: The number of journeys that are left: 0 or 1.
    init(
        remaining: Int, of request: CommuteRequest, before end: Instant, options: JourneyOptions,
        _ context: QueryContext
    ) {
        let left = "\(remaining == 0 ? "No" : "Only one") journey\(options.words(after: " ")) is"
        self.init(
            kind: .lastService,
            message: "\(left) left from \(context.way(of: request)) before \(request.zone.timeOfDay(at: end)) on "
                + "\(request.zone.civil(at: end).date).")
    }
}

extension QueryContext {
    /// The names of both ends, such as "Harbor to City Park".
    fileprivate func way(of request: CommuteRequest) -> String {
        if request.entry.definition == .request { return request.entry.commute.name }
        let summary = summary(of: request)
        return "\(summary.from.words) to \(summary.to.words)"
    }
}
