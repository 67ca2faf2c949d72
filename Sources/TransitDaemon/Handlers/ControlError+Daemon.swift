internal import TransitControl
internal import TransitEngine
internal import TransitFeeds
internal import TransitModel
internal import TransitStore

// Errors of the rooms become errors of the protocol here and nowhere else.
extension ControlError {
    /// Whatever a handler threw.
    static func of(_ error: any Error) -> ControlError {
        switch error {
        case let error as ControlError: error
        case let error as StoreError: ControlError(error)
        case let error as QueryTimeError: ControlError(.timeInvalid, error.description)
        case is CancellationError: ControlError(.canceled, "The request was canceled.")
        default: ControlError(.internalError, "\(error)")
        }
    }

    init(_ error: StoreError) {
        switch error {
        case .diskFull:
            self.init(.storageFull, "\(error)".asSentence, hint: "Make room on the disk and ask again.")
        case .notATimetable, .format, .corrupt:
            self.init(
                .storageFailed, "\(error)".asSentence, hint: "Import the feed again: transitctl feed update FEED.")
        case .canceled: self.init(.canceled, "The request was canceled.")
        case .invalid: self.init(.invalidParameters, "\(error)".asSentence)
        case .notFound, .exists, .file, .database, .draft: self.init(.storageFailed, "\(error)".asSentence)
        }
    }

    static func feedNotFound(_ id: FeedID, known: [FeedID]) -> ControlError {
        let names = known.map(\.rawValue)
        let hint: String
        if names.isEmpty {
            hint = "No feed is configured. Run: transitctl setup."
        } else if let near = Spelling.closest(to: id.rawValue, among: names) {
            hint = "Did you mean \"\(near)\"?"
        } else {
            hint = "The feeds are \(names.joined(separator: ", "))."
        }
        return ControlError(.feedNotFound, "There is no feed \"\(id)\".", hint: hint)
    }

    /// None of the feeds has a timetable: says which of the reasons it is.
    static func noData(_ feeds: [FeedSnapshot], at now: Instant) -> ControlError {
        guard let feed = feeds.first else {
            return ControlError(
                .feedNoData, "No feed is configured, so nothing is known about departures.",
                hint: "Run: transitctl setup. It adds one; transitd.toml(5) describes what it writes.")
        }
        if feed.isUpdating {
            return ControlError(
                .feedNoData, "The first timetable of \(feed.id) is being imported.", hint: "Ask again in a moment.")
        }
        if let attempt = feed.lastAttempt, attempt.outcome == .failed || attempt.outcome == .refused {
            return ControlError(
                .feedNoData, "There is no timetable of \(feed.id): \(attempt.message)",
                hint: "Try again: transitctl feed update \(feed.id).")
        }
        if let damage = feed.damage {
            return ControlError(
                .feedNoData, "The timetable of \(feed.id) cannot be used: \(damage)",
                hint: "Import it again: transitctl feed update \(feed.id).")
        }
        return ControlError(
            .feedNoData, "The timetable of \(feed.id) has not been imported yet.",
            hint: "Import it now: transitctl feed update \(feed.id).")
    }
}

extension String {
    /// With a capital at its beginning and a full stop at its end.
    var asSentence: String {
        guard let first else { return self }
        let end = last.map { ".!?".contains($0) } == true ? "" : "."
        // A path or an identifier at the beginning keeps its letters.
        let isWord = first.isLetter && prefix { !$0.isWhitespace }.allSatisfy(\.isLetter)
        return (isWord ? first.uppercased() + dropFirst() : self) + end
    }
}
