internal import Logging
internal import TransitModel
internal import TransitStore

/// Stores the last usable response of each dataset that belongs to no feed.
struct ExternalDataStorage: Sendable {
    let cache: RealtimeCache
    let corruptFiles: CorruptFileLog
    let logger: Logger

    /// Returns the stored response; `nil` if there is none or if it cannot be read.
    func response(_ dataset: DatasetID, now: Instant) -> CachedRealtimeResponse? {
        do throws(StoreError) {
            return try cache.response(feed: dataset.feed, dataset: dataset.kind.rawValue)
        } catch {
            logger.error("The stored data of \(dataset) cannot be used and will be replaced: \(error)")
            guard case .corrupt = error else { return nil }
            corruptFiles.add(
                CorruptFileLog.Entry(
                    name: "\(dataset.feed) \(dataset.kind.rawValue)", remedy: .rebuilt,
                    message: "The stored data was corrupt and has been set aside. The next response replaces it.",
                    found: now))
            return nil
        }
    }

    func save(_ body: [UInt8], _ dataset: DatasetID, now: Instant) {
        do throws(StoreError) {
            try cache.save(
                CachedRealtimeResponse(body: body, fetched: now), feed: dataset.feed, dataset: dataset.kind.rawValue)
        } catch { logger.error("The data of \(dataset) is in use but cannot be stored: \(error)") }
    }

    func remove(_ dataset: DatasetID) {
        do throws(StoreError) { try cache.remove(feed: dataset.feed, dataset: dataset.kind.rawValue) } catch {
            logger.error("The stored data of \(dataset) cannot be removed: \(error)")
        }
    }
}
