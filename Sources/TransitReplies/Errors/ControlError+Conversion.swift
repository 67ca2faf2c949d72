internal import TransitControl
internal import TransitEngine
package import TransitModel
package import TransitQueries
package import TransitStore
package import TransitWire

// This is the only file that converts errors from other modules to protocol errors.
extension ControlError {
    /// Translates any error that a handler throws.
    package static func of(_ error: any Error) -> ControlError {
        switch error {
        case let error as ControlError: error
        case let error as QueryError: ControlError(error)
        case let error as StoreError: ControlError(error)
        case let error as QueryTimeError: ControlError(.timeInvalid, error.description)
        case is CancellationError: ControlError(.canceled, "The request was canceled.")
        default: ControlError(.internalError, "\(error)")
        }
    }

    package init(_ error: StoreError) {
        switch error {
        case .diskFull:
            self.init(.storageFull, "\(error)".asSentence, hint: "Free disk space, then repeat the request.")
        case .notATimetable, .format, .corrupt:
            self.init(
                .storageFailed, "\(error)".asSentence, hint: "Import the feed again with: transitctl feed update FEED.")
        case .locked:
            self.init(
                .storageFailed, "\(error)".asSentence, hint: "Close the other program, then repeat the request.")
        case .canceled: self.init(.canceled, "The request was canceled.")
        case .invalid: self.init(.invalidParameters, "\(error)".asSentence)
        case .notFound, .exists, .file, .database, .draft: self.init(.storageFailed, "\(error)".asSentence)
        }
    }

    package static func feedNotFound(_ id: FeedID, known: [FeedID]) -> ControlError {
        let names = known.map(\.rawValue)
        let hint: String
        if names.isEmpty {
            hint = "No feed is configured. Add one with: transitctl setup."
        } else if let near = Spelling.closest(to: id.rawValue, among: names) {
            hint = "Did you mean \"\(near)\"?"
        } else {
            hint = "The feeds are \(names.joined(separator: ", "))."
        }
        return ControlError(.feedNotFound, "There is no feed \"\(id)\".", hint: hint)
    }

    /// Returns the remedy for a failed attempt to import a timetable; `nil` if the message of the attempt contains it.
    private static func remedy(for failure: AttemptFailure?, of feed: FeedID) -> String? {
        switch failure {
        // The message names the command or the file.
        case .key: nil
        case .diskFull: "Free disk space, then run: transitctl feed update \(feed)."
        case .other, nil: "Try again with: transitctl feed update \(feed)."
        }
    }

    /// Returns the error for feeds without a timetable, including the reason why there is none.
    package static func noData(_ feeds: [FeedView]) -> ControlError {
        guard let feed = feeds.first else {
            return ControlError(
                .feedNoData, "No feed is configured, so no departures are available.",
                hint: "Add one with: transitctl setup. The file format is described in transitd.toml(5).")
        }
        if feed.source.isUpdating {
            return ControlError(
                .feedNoData, "The first timetable of \(feed.id) is being imported.", hint: "Try again in a moment.")
        }
        if feed.source.hasKey, feed.source.keyRejectedSince != nil {
            return ControlError(
                .feedNoData, "\(feed.id) has no timetable, because its source rejects its key.",
                hint: RejectedKeyRemedy.text(feed.id, hasFile: feed.source.hasKeyFile))
        }
        if let attempt = feed.source.lastAttempt, attempt.outcome == .failed || attempt.outcome == .refused {
            return ControlError(
                .feedNoData, "\(feed.id) has no timetable: \(attempt.message)",
                hint: Self.remedy(for: feed.source.failure, of: feed.id))
        }
        if let failure = feed.source.openFailure {
            return ControlError(
                .feedNoData, "The timetable of \(feed.id) cannot be used: \(failure)",
                hint: "Import it again with: transitctl feed update \(feed.id).")
        }
        return ControlError(
            .feedNoData, "The timetable of \(feed.id) has not been imported yet.",
            hint: "Import it now with: transitctl feed update \(feed.id).")
    }
}

/// The remedy for a key that the source of a feed rejects.
package enum RejectedKeyRemedy {
    /// - Parameter hasFile: Whether the configuration names a file with the key.
    package static func text(_ feed: FeedID, hasFile: Bool) -> String {
        !hasFile
            ? "Set another one with: transitctl key set \(feed)."
            : "Write another one to the feed's key_file, then run: transitctl config reload."
    }
}

extension String {
    /// Returns the text with a capital first letter and a final period.
    package var asSentence: String {
        guard let first else { return self }
        let end = last.map { ".!?".contains($0) } == true ? "" : "."
        // A path or identifier at the start of the text keeps its case.
        let isWord = first.isLetter && prefix { !$0.isWhitespace }.allSatisfy(\.isLetter)
        return (isWord ? first.uppercased() + dropFirst() : self) + end
    }
}
