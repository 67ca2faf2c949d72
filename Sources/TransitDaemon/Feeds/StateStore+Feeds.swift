internal import Logging
internal import TransitStore

extension StateStore {
    /// Removes the state of feeds that are no longer configured, because a later feed of the same name is
    /// unrelated.
    func removeFeeds(except feeds: [FeedConfiguration], _ logger: Logger) {
        do throws(StoreError) { try removeFeeds(except: feeds.map(\.id)) } catch {
            logger.error("The state of removed feeds cannot be deleted: \(error)")
        }
    }
}
