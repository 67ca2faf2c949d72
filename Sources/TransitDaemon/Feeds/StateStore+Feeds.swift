internal import Logging
internal import TransitStore

extension StateStore {
    /// Forgets feeds that are not configured any more: another one of the same name has nothing to do with them.
    func removeFeeds(except feeds: [FeedConfiguration], _ logger: Logger) {
        do throws(StoreError) { try removeFeeds(except: feeds.map(\.id)) } catch {
            logger.error("What was known of feeds that are gone cannot be removed: \(error)")
        }
    }
}
