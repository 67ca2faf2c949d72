internal import TransitControl
internal import TransitFeeds
internal import TransitFetch
internal import TransitModel
internal import TransitQueries
internal import TransitRefresh
internal import TransitReplies

/// The checks of `doctor` that concern a feed: its key, its timetable and its realtime data. Each remedy is what ends the
/// problem: a failure whose cause is the key is not fixed by another attempt.
struct FeedChecks {
    let keys: FeedKeys
    let refresh: RefreshService
    let configuration: ConfigurationHolder
    let directories: Directories

    func checks(_ feed: FeedSnapshot, _ context: RequestContext) -> [DoctorCheck] {
        let key = keyCheck(feed)
        let keyRemedy = key?.outcome == .failed ? key?.remedy : nil
        return [key].compactMap(\.self) + [timetableCheck(feed, keyRemedy, context)]
            + feed.configuration.datasets.filter(\.isRealtime).map { realtimeCheck(feed, $0, keyRemedy) }
    }

    // MARK: Key

    /// Checks the key of a feed; `nil` for a feed without one.
    private func keyCheck(_ feed: FeedSnapshot) -> DoctorCheck? {
        guard let credential = feed.configuration.credential, !keys.isReplay else { return nil }
        func check(_ message: String, _ remedy: String?) -> DoctorCheck {
            DoctorCheck(
                check: "feed.\(feed.id).key", outcome: remedy == nil ? .ok : .failed, message: message, remedy: remedy)
        }
        let set = "transitctl key set \(feed.id)"
        switch keys.problem(of: feed.id, file: credential.file) {
        case .missing: return check("\(feed.id) needs a key.", set)
        case .unusable(.store(let path), let reason, _): return check("The key file \(path) \(reason).", set)
        case .unusable(.file(let path), let reason, let command),
            .unusable(.credential(let path), let reason, let command):
            let reload = "transitctl config reload"
            return check(
                "The key file \(path) \(reason).",
                command.map { "\($0) && \(reload)" } ?? "Write the key to \(path), then run: \(reload)")
        case nil: break
        }
        if feed.keyRejectedSince != nil {
            return check(
                "The source of \(feed.id) rejects its key.",
                credential.file == nil ? set : RejectedKeyRemedy.text(feed.id, hasFile: true))
        }
        return check("The key of \(feed.id) is set.", nil)
    }

    // MARK: Timetable

    private func timetableCheck(_ feed: FeedSnapshot, _ keyRemedy: String?, _ context: RequestContext) -> DoctorCheck {
        let facts = feed.view.timetableNotices(at: context.now)
        let notices = FeedNotices(now: context.now).aboutTimetable(feed.view)
        let trouble = zip(facts, notices).first { $0.1.kind != .importing }
        let isComing = trouble == nil && feed.timetable == nil
        return DoctorCheck(
            check: "feed.\(feed.id).timetable",
            outcome: isComing ? .warning : feed.timetable == nil ? .failed : trouble == nil ? .ok : .warning,
            message: (trouble?.1 ?? notices.first)?.message ?? "The timetable of \(feed.id) is available.",
            remedy: trouble.flatMap { remedy(for: $0.0.fact, of: feed, keyRemedy) })
    }

    private func remedy(for fact: FeedNotice.Fact, of feed: FeedSnapshot, _ keyRemedy: String?) -> String? {
        switch fact {
        case .expired(last: _, isNewest: true): replacement(of: .static, in: feed)
        case .expired, .expiring, .unconfirmed: keyRemedy ?? fetchRemedy(feed)
        case .keyRejected: keyRemedy
        case .noTimetable, .updateFailed: keyRemedy ?? fetchRemedy(feed)
        case .offline: "Connect this machine to the network, then run: transitctl feed update \(feed.id)"
        case .realtimeOutdated, .realtimeFailed, .mostlyUnmatched, .withoutTimes, .tripsNotRepeated, .tripsWithdrawn,
            .changesLost:
            nil
        }
    }

    /// Returns the remedy for a timetable that was not fetched, or not for a long time.
    private func fetchRemedy(_ feed: FeedSnapshot) -> String {
        let update = "transitctl feed update \(feed.id)"
        if feed.failure == .diskFull { return "Free disk space (`df -h \(directories.cache)`), then run: \(update)" }
        return failureRemedy(DatasetID(feed.id, .static), in: feed) ?? update
    }

    // MARK: Realtime data

    private func realtimeCheck(_ feed: FeedSnapshot, _ kind: DatasetKind, _ keyRemedy: String?) -> DoctorCheck {
        let id = DatasetID(feed.id, kind)
        let record = refresh.record(id)
        let failures = record?.consecutiveFailures ?? 0
        let reason = record?.lastUpdate?.reason.map { " \($0.asSentence)" } ?? ""
        let remedy =
            failures == 0
            ? nil
            : (feed.configuration.datasetSource(kind)?.isKeyed == true ? keyRemedy : nil) ?? failureRemedy(id, in: feed)
                ?? "transitctl refresh \(feed.id) \(kind.rawValue)"
        return DoctorCheck(
            check: "feed.\(feed.id).\(kind.rawValue)",
            outcome: failures > 0 ? .failed : record?.lastSuccess == nil ? .skipped : .ok,
            message: failures > 0
                ? "\(failures == 1 ? "The last attempt has" : "The last \(failures) attempts have") failed.\(reason)"
                : record?.lastSuccess == nil ? "It has not been fetched yet." : "The source responds.",
            remedy: remedy)
    }

    // MARK: Sources

    /// Returns the remedy for a response that another attempt would receive too; `nil` if another attempt may succeed.
    private func failureRemedy(_ id: DatasetID, in feed: FeedSnapshot) -> String? {
        guard let record = refresh.record(id), record.consecutiveFailures > 0, let last = record.lastUpdate,
            last.outcome == .failed
        else { return nil }
        switch last.status {
        case 404, 410: return replacement(of: id.kind, in: feed)
        case 401, 403:
            guard feed.configuration.credential == nil, let file = configuration.file.expected else { return nil }
            return "The source requires a key. Set `key_header` or `key_parameter` of the feed \(feed.id) in \(file) "
                + "(see transitd.toml(5)), run `transitctl config reload`, then run: transitctl key set \(feed.id)"
        default: return nil
        }
    }

    /// Returns the remedy for a source that has to be replaced in the configuration; `nil` if the configuration does not
    /// name it.
    private func replacement(of kind: DatasetKind, in feed: FeedSnapshot) -> String? {
        let isNamed = feed.configuration.resolvedProvider.traits.settings.requirement(of: kind) != .refused
        guard isNamed, let file = configuration.file.expected else { return nil }
        return "Set `\(kind.rawValue)` of the feed \(feed.id) in \(file) to another source, then run "
            + "`transitctl config reload`"
    }
}
