internal import Synchronization
internal import TransitEngine
internal import TransitModel
internal import TransitStore

/// Which stops another timetable of the same agency has as well; computed once for each pair of versions.
final class StopMappingCache: Sendable {
    fileprivate struct Known {
        var feed: FeedID
        var version: Int
        var twins: StopMapping
    }

    private let known = Mutex<Known?>(nil)

    /// Whether an answer is at hand.
    func has(_ other: Timetable) -> Bool { known.withLock { $0?.isOf(other) ?? false } }

    /// - Parameters:
    ///   - timetable: the one whose memory this is.
    ///   - other: the timetable that is beside it.
    func twins(of timetable: Timetable, in other: Timetable) throws(StoreError) -> StopMapping {
        // Under the lock, so that whoever asks at the same time waits for the same answer.
        try known.withLock { (known) throws(StoreError) in
            if let known, known.isOf(other) { return known.twins }
            let twins = StopMapping(try timetable.places(), try other.places())
            known = Known(feed: other.feed, version: other.version, twins: twins)
            return twins
        }
    }
}

extension StopMappingCache.Known {
    fileprivate func isOf(_ other: Timetable) -> Bool { feed == other.feed && version == other.version }
}

extension Timetable {
    /// The stops and platforms at which trips may call, as far as they have a position.
    fileprivate func places() throws(StoreError) -> [StopMapping.ComparableStop] {
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
