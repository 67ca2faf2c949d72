internal import TransitControl
internal import TransitModel
internal import TransitStore

extension RequestHandlers {
    /// Returns the notice that user data was restored from a backup or lost. It is shown until the end of the next
    /// UTC day in replies about user data.
    func restoredStateNotice(at now: Instant) -> Notice? {
        guard let replacement = daemon.state.recovery else { return nil }
        let today = ServiceZone.utc.civil(at: now).date
        guard (0...1).contains(replacement.date.days(to: today)) else { return nil }
        let what = "Places, commutes and favorites"
        return Notice(
            kind: .damaged,
            message: replacement.backup.map {
                "\(what) are restored from \($0). The state file could not be used on \(replacement.date), and its backup "
                    + "replaced it. Repeat the changes that you made since then."
            }
                ?? "\(what) are lost. The state file could not be used on \(replacement.date), and there was no backup. "
                + "Set them again; transitctl setup helps.")
    }

    /// Returns the notices for replies about user data: ``restoredStateNotice(at:)`` first, then those about the
    /// feeds.
    func personalNotices(_ context: RequestContext) -> [Notice] {
        (restoredStateNotice(at: context.now).map { [$0] } ?? []) + FeedNotices(now: context.now).about(context.feeds)
    }
}

extension ErrorKind {
    /// Whether the error is about user data that was not found.
    var concernsUserData: Bool {
        [.commuteNotSet, .commuteNotFound, .placeNotSet, .placeNotFound, .favoriteNotFound].contains(self)
    }
}
