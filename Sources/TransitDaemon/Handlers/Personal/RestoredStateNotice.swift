internal import TransitControl
internal import TransitModel
internal import TransitQueries
internal import TransitReplies
internal import TransitServer
internal import TransitStore
internal import TransitWire

extension StateStore {
    /// Returns the notice that user data was restored from a backup or was lost; see ``StateRecovery/notice(at:)``.
    func recoveryNotice(at now: Instant) -> Notice? { recovery?.notice(at: now) }

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
