internal import TransitEngine
internal import TransitModel

/// A notice of the engine in words.
struct RefreshNoticeLine: Hashable {
    /// A sentence for people and for the log.
    var text: String
    /// Whether something is wrong, and not over.
    var isTrouble: Bool

    init(_ notice: RefreshNotice) {
        switch notice {
        case .expiring(let feed, let warning):
            let end = "on \(warning.lastDate)"
            (text, isTrouble) = (
                warning.daysAhead > 0
                    ? "The timetable of \(feed) ends in \(warning.daysAhead) days at the latest, \(end)."
                    : "The timetable of \(feed) has ENDED \(end): what it says may not be true.", true
            )
        case .unchanging(let dataset, let since):
            (text, isTrouble) = (
                "\(dataset) has not changed since \(since.rfc3339()), although its source answers.", true
            )
        case .ignoresConditionalRequests(let dataset):
            (text, isTrouble) = ("The source of \(dataset) always sends everything, also what has not changed.", true)
        case .falseNotModified(let dataset):
            (text, isTrouble) = (
                "The source of \(dataset) called content unchanged that was not; it is asked for the whole from now on.",
                true
            )
        case .circuitOpened(let host, let until):
            (text, isTrouble) = ("\(host) fails and is left alone until \(until.rfc3339()).", true)
        case .circuitClosed(let host): (text, isTrouble) = ("\(host) answers again.", false)
        case .budgetExhausted(let key, let until):
            (text, isTrouble) = ("The budget of the key \(key) is spent until \(until.rfc3339()).", true)
        case .budgetAvailable(let key): (text, isTrouble) = ("The budget of the key \(key) has room again.", false)
        case .ledgerUnsaved:
            (text, isTrouble) = (
                "The ledger of the refreshes cannot be written; sources with a budget are not asked until it can.", true
            )
        case .ledgerSaved: (text, isTrouble) = ("The ledger of the refreshes is written again.", false)
        case .clockJumped(let seconds):
            (text, isTrouble) = ("The clock was set by \(seconds) seconds; nothing is fetched sooner for that.", false)
        }
    }
}

/// What people should know about the refreshes now: a trouble until it is over.
struct RefreshNotices: Sendable {
    struct Entry: Hashable, Sendable {
        var notice: RefreshNotice
        var since: Instant
    }

    private(set) var entries: [Entry] = []

    /// So many are kept; they are about different things, so that there are never many.
    static let most = 64

    /// - Returns: whether the notice is new; false for a trouble that is already known.
    @discardableResult
    mutating func add(_ notice: RefreshNotice, at now: Instant) -> Bool {
        let subject = Subject(notice)
        let isKnown = entries.contains { Subject($0.notice) == subject }
        entries.removeAll { Subject($0.notice) == subject }
        let isTrouble = RefreshNoticeLine(notice).isTrouble
        if isTrouble { entries.append(Entry(notice: notice, since: now)) }
        if entries.count > Self.most { entries.removeFirst() }
        return !(isKnown && isTrouble)
    }

    /// What a notice is about: a later one about the same takes its place.
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
