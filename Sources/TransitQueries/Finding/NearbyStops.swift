package import TransitEngine
package import TransitModel
package import TransitStore

/// Finds the stops near a place, and the routes that call at each stop.
package struct NearbyStops {
    private let timetables: [Timetable]
    private let filter: StopFilter
    private let mergedStops: MergedStops
    package let walkingSpeed: WalkingSpeed

    /// A stop, or the station to which nearby platforms belong.
    package struct Found {
        package var timetable: Timetable
        package var stop: StopIndex
        /// The distance to the nearest platform.
        package var meters: Double
        /// The other platforms of the stop, however far away, if the feed has no station for them.
        package var namesakes: [StopIndex] = []
    }

    package init(
        _ timetables: [Timetable], filter: StopFilter = StopFilter(), _ context: QueryContext
    ) throws(StoreError) {
        self.timetables = timetables.filter(filter.allows)
        self.filter = filter
        walkingSpeed = context.settings.walkingSpeed
        mergedStops = try MergedStops(self.timetables, context)
    }

    /// Returns all stops within a distance, nearest first.
    package func found(around place: Coordinate, within meters: Double) throws(StoreError) -> [Found] {
        var near: [Found] = []
        for timetable in timetables {
            // A stop that is also in another feed has the position of that feed's stop.
            near += try timetable.callingStops(near: place, within: meters).filter {
                filter.allows($0.stop) && mergedStops.canonicalStop(of: $0.stop, in: timetable) == nil
            }.map { Found(timetable: timetable, stop: $0.stop, meters: $0.meters) }
        }
        return try joined(near.sorted { $0.meters < $1.meters })
    }

    /// Groups the platforms of each stop by the same rules as ``StopFinder``, so that the three nearest stops are three
    /// different stops. The station represents several platforms; a single platform, such as the result of a route
    /// filter, represents itself.
    private func joined(_ near: [Found]) throws(StoreError) -> [Found] {
        var joined: [Found] = []
        var platforms: [FoundStop] = []
        for one in near {
            let platform = FoundStop(
                timetable: one.timetable, index: one.stop, stop: try one.timetable.file.stop(one.stop))
            let isListed = joined.contains { $0.timetable === one.timetable && $0.namesakes.contains(one.stop) }
            if isListed { continue }
            // A stop without a station is the one that a search for its name finds, whatever the center.
            if platform.stop.parent == nil {
                let whole = try platform.wholeStop()
                var found = Found(timetable: one.timetable, stop: one.stop, meters: one.meters)
                for member in [whole.index] + whole.namesakes where member != one.stop && filter.allows(member) {
                    if try one.timetable.file.stop(member).kind == .platform { found.namesakes.append(member) }
                }
                platforms.append(platform)
                joined.append(found)
            } else if let known = platforms.firstIndex(where: { $0.isOne(with: platform) }) {
                if let station = platforms[known].stop.parent, station == platform.stop.parent {
                    joined[known].stop = station
                } else {
                    joined[known].namesakes.append(one.stop)
                }
            } else {
                platforms.append(platform)
                joined.append(one)
            }
        }
        return joined
    }

    /// Returns a stop as an entry of a list.
    package func listed(_ found: Found) throws(StoreError) -> MergedStops.ListedStop {
        try mergedStops.listed(
            try found.timetable.file.stop(found.stop), at: found.stop, with: found.namesakes, in: found.timetable)
    }
}
