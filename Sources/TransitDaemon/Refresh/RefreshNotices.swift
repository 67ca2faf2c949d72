internal import TransitEngine
internal import TransitModel

/// The text of a refresh engine's notice.
struct RefreshNoticeLine: Hashable {
    /// A sentence for the user and for the log.
    var text: String
    /// Whether the notice reports an ongoing problem.
    var isProblem: Bool

    init(_ notice: RefreshNotice) {
        switch notice {
        case .expiring(let feed, let warning):
            let end = "on \(warning.lastDate)"
            (text, isProblem) = (
                warning.daysAhead > 0
                    ? "The timetable of \(feed) ends within \(warning.daysAhead) days, \(end)."
                    : "The timetable of \(feed) ENDED \(end). Its times may be wrong.", true
            )
        case .unchanging(let dataset, let since):
            (text, isProblem) = (
                "\(dataset) has not changed since \(since.rfc3339()), although its source responds.", true
            )
        case .ignoresConditionalRequests(let dataset):
            (text, isProblem) = (
                "The source of \(dataset) ignores conditional requests and always sends all data.", true
            )
        case .falseNotModified(let dataset):
            (text, isProblem) = (
                "The source of \(dataset) reported changed content as unchanged (HTTP 304). Conditional requests are disabled.",
                true
            )
        case .circuitOpened(let host, let until):
            (text, isProblem) = ("Requests to \(host) are failing. The next attempt is at \(until.rfc3339()).", true)
        case .circuitClosed(let host): (text, isProblem) = ("\(host) responds again.", false)
        case .budgetExhausted(let key, let until):
            (text, isProblem) = ("The request budget of the key \(key) is used up until \(until.rfc3339()).", true)
        case .budgetAvailable(let key):
            (text, isProblem) = ("The request budget of the key \(key) is available again.", false)
        case .ledgerUnsaved:
            (text, isProblem) = (
                "The request ledger cannot be saved. Until it can, sources with a request budget are not fetched.", true
            )
        case .ledgerSaved: (text, isProblem) = ("The request ledger can be saved again.", false)
        case .clockJumped(let seconds):
            (text, isProblem) = (
                "The clock was changed by \(seconds) seconds. The schedule of fetches is not affected.", false
            )
        }
    }
}

/// The current notices about refreshes. A problem is listed until it is resolved.
struct RefreshNotices: Sendable {
    struct Entry: Hashable, Sendable {
        var notice: RefreshNotice
        var since: Instant
    }

    private(set) var entries: [Entry] = []

    /// The maximum number of notices. Few exist, because each has a different subject.
    static let maximumEntries = 64

    /// - Returns: Whether the notice is new; false for a problem that is already listed.
    @discardableResult
    mutating func add(_ notice: RefreshNotice, at now: Instant) -> Bool {
        let subject = Subject(notice)
        let isKnown = entries.contains { Subject($0.notice) == subject }
        entries.removeAll { Subject($0.notice) == subject }
        let isProblem = RefreshNoticeLine(notice).isProblem
        if isProblem { entries.append(Entry(notice: notice, since: now)) }
        if entries.count > Self.maximumEntries { entries.removeFirst() }
        return !(isKnown && isProblem)
    }

    /// The subject of a notice. A later notice with the same subject replaces an earlier one.
    private enum Subject: Hashable {
        case feed(FeedID)
        case unchanging(DatasetID)
        case conditions(DatasetID)
        case host(HostID)
        case key(KeyName)
        case ledger
        case clock

        init(_ notice: RefreshNotice) {
            switch notice {
            case .expiring(let feed, _): self = .feed(feed)
            case .unchanging(let dataset, _): self = .unchanging(dataset)
            case .ignoresConditionalRequests(let dataset), .falseNotModified(let dataset): self = .conditions(dataset)
            case .circuitOpened(let host, _), .circuitClosed(let host): self = .host(host)
            case .budgetExhausted(let key, _), .budgetAvailable(let key): self = .key(key)
            case .ledgerUnsaved, .ledgerSaved: self = .ledger
            case .clockJumped: self = .clock
            }
        }
    }
}
