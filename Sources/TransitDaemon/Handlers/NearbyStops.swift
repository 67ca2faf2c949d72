internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitStore

/// Finds the stops near a place, and the routes that call at each stop.
struct NearbyStops {
    private let timetables: [Timetable]
    private let filter: StopFilter
    private let mergedStops: MergedStops

    /// A stop, or the station to which nearby platforms belong.
    struct Found {
        var timetable: Timetable
        var stop: StopIndex
        /// The distance to the nearest platform.
        var meters: Double
        /// The other platforms with the same name, if the feed has no station for them.
        var namesakes: [StopIndex] = []
    }

    init(
        _ timetables: [Timetable], filter: StopFilter = StopFilter(), _ context: RequestContext, language: String? = nil
    ) throws(StoreError) {
        self.timetables = timetables.filter(filter.allows)
        self.filter = filter
        mergedStops = try MergedStops(self.timetables, context, language: language)
    }

    /// Returns the nearest stops, nearest first.
    func around(_ place: Coordinate, within meters: Double, count: Int) throws(StoreError) -> [NearbyStop] {
        try rendered(try found(around: place, within: meters).prefix(count))
    }

    /// Returns all stops within a distance, nearest first.
    func found(around place: Coordinate, within meters: Double) throws(StoreError) -> [Found] {
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
            if let known = platforms.firstIndex(where: { $0.isOne(with: platform) }) {
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

    func rendered(_ found: some Sequence<Found>) throws(StoreError) -> [NearbyStop] {
        var stops: [NearbyStop] = []
        for one in found {
            let listed = try mergedStops.listed(
                try one.timetable.file.stop(one.stop), at: one.stop, with: one.namesakes, in: one.timetable)
            stops.append(
                NearbyStop(
                    stop: listed.stop, distance: Int(one.meters.rounded()),
                    walk: WalkingRadius.seconds(meters: one.meters), routes: listed.routes, sameAs: listed.sameStop))
        }
        return stops
    }
}
