internal import TransitControl
internal import TransitModel
internal import TransitStore

extension RequestHandlers {
    /// That what users had set is that of a backup, or is gone: said until the end of the next day wherever they look for it.
    func restoredStateNotice(at now: Instant) -> Notice? {
        guard let replacement = daemon.state.recovery else { return nil }
        let today = ServiceZone.utc.civil(at: now).date
        guard (0...1).contains(replacement.date.days(to: today)) else { return nil }
        let what = "Places, commutes and favorites"
        return Notice(
            kind: .damaged,
            message: replacement.backup.map {
                "\(what) are those of \($0): on \(replacement.date) the file that keeps them could not be used, and its "
                    + "backup took its place. Set again what you changed since then."
            }
                ?? "\(what) are lost: on \(replacement.date) the file that keeps them could not be used, and there was no "
                + "backup. Set them again; transitctl setup helps.")
    }

    /// What a reader of what is personal must know: ``replacedState(at:)`` first, then what there is about the feeds.
    func personalNotices(_ context: RequestContext) -> [Notice] {
        (restoredStateNotice(at: context.now).map { [$0] } ?? []) + FeedNotices(now: context.now).about(context.feeds)
    }
}

extension ErrorKind {
    /// Whether something that the caller had set is looked for and not found.
    var concernsUserData: Bool {
        [.commuteNotSet, .commuteNotFound, .placeNotSet, .placeNotFound, .favoriteNotFound].contains(self)
    }
}
