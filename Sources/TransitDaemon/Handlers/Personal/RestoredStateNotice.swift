internal import TransitControl
internal import TransitModel
internal import TransitQueries
internal import TransitReplies
internal import TransitServer
internal import TransitStore
internal import TransitWire

extension StateStore {
    /// Returns the notice that user data was restored from a backup or was lost. The notice is part of replies about
    /// user data until the end of the next UTC day.
    func recoveryNotice(at now: Instant) -> Notice? {
        guard let replacement = recovery else { return nil }
        let today = ServiceZone.utc.civil(at: now).date
        guard (0...1).contains(replacement.date.days(to: today)) else { return nil }
        let what = "Places, commutes and favorites"
        return Notice(
            kind: .damaged,
            message: replacement.backup.map {
                "\(what) were restored from \($0). The state file could not be used on \(replacement.date) and "
                    + "was replaced with the backup. Repeat any changes that you made after the backup."
            }
                ?? "\(what) were lost. The state file could not be used on \(replacement.date), and there was no backup. "
                + "Set them again, for example with: transitctl setup.")
    }

    /// Returns the notices for replies about user data: ``recoveryNotice(at:)`` first, then those about the feeds.
    func personalNotices(_ context: RequestContext) -> [Notice] {
        (recoveryNotice(at: context.now).map { [$0] } ?? []) + FeedNotices(now: context.now).about(context.query.feeds)
    }
}

extension RequestContext {
    /// Returns the context after a change to the caller's places, commutes or favorites.
    func withCurrentUserData(_ state: StateStore) -> RequestContext {
        withPersonalState(PersonalState(state.userRecord(of: caller.uid)))
    }
}

extension ErrorKind {
    /// Whether the error means that user data was not found.
    var concernsUserData: Bool {
        [.commuteNotSet, .commuteNotFound, .placeNotSet, .placeNotFound, .favoriteNotFound].contains(self)
    }
}
