internal import Synchronization
package import TransitEngine
internal import TransitModel
package import TransitStore

/// Caches the mapping from a timetable's stops to the stops of another timetable from the same agency. It is computed
/// once per pair of versions.
package final class StopMappingCache: Sendable {
    fileprivate struct Known {
        var feed: FeedID
        var version: Int
        var mapping: StopMapping
    }

    private let known = Mutex<Known?>(nil)

    /// Whether the mapping is cached.
    package func has(_ other: Timetable) -> Bool { known.withLock { $0?.isOf(other) ?? false } }

    /// Returns the stop mapping.
    ///
    /// - Parameters:
    ///   - timetable: The timetable that owns this cache.
    ///   - other: The timetable of the supplementary feed.
    package func mapping(of timetable: Timetable, in other: Timetable) throws(StoreError) -> StopMapping {
        // Computed under the lock, so that concurrent requests wait for the same result.
        try known.withLock { (known) throws(StoreError) in
            if let known, known.isOf(other) { return known.mapping }
            let mapping = StopMapping(try timetable.comparableStops(), try other.comparableStops())
            known = Known(feed: other.feed, version: other.version, mapping: mapping)
            return mapping
        }
    }
}

extension StopMappingCache.Known {
    fileprivate func isOf(_ other: Timetable) -> Bool { feed == other.feed && version == other.version }
}

extension Timetable {
    /// Returns the stops and platforms that have a position and at which trips may call.
    fileprivate func comparableStops() throws(StoreError) -> [StopMapping.ComparableStop] {
        var stops: [TimetableFile.SearchableStop] = []
        try file.searchStops { if $0.kind == .platform { stops.append($0) } }
        let stopLocations = try file.stopLocations(ofStops: 0..<file.summary.counts.stops)
        var places: [StopMapping.ComparableStop] = []
        places.reserveCapacity(stops.count)
        for stop in stops where stopLocations.indices.contains(stop.index.position) {
            guard let coordinate = stopLocations[stop.index.position].coordinate else { continue }
            places.append(
                StopMapping.ComparableStop(
                    index: stop.index, id: stop.id, code: stop.code, foldedName: stop.foldedName,
                    coordinate: coordinate))
        }
        return places
    }
}
