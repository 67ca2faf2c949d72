internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitStore

/// The stops around a place with the routes that call there.
struct NearbyStops {
    var timetables: [Timetable]
    var filter = CallFilter()

    typealias Found = (timetable: Timetable, stop: StopIndex, metres: Double)

    init(_ timetables: [Timetable], filter: CallFilter = CallFilter()) {
        self.timetables = timetables
        self.filter = filter
    }

    /// Nearest first.
    func around(_ place: Coordinate, within metres: Double, count: Int) throws(StoreError) -> [NearbyStop] {
        try rendered(try found(around: place, within: metres).prefix(count))
    }

    /// All of them, nearest first.
    func found(around place: Coordinate, within metres: Double) throws(StoreError) -> [Found] {
        var near: [Found] = []
        for timetable in timetables where filter.allows(timetable) {
            near += try timetable.callingStops(near: place, within: metres).filter { filter.allows($0.stop) }.map {
                (timetable, $0.stop, $0.metres)
            }
        }
        return near.sorted { $0.metres < $1.metres }
    }

    func rendered(_ found: some Sequence<Found>) throws(StoreError) -> [NearbyStop] {
        var stops: [NearbyStop] = []
        for (timetable, stop, metres) in found {
            stops.append(
                NearbyStop(
                    stop: try NameRendering(timetable: timetable).stop(at: stop), distance: Int(metres.rounded()),
                    walk: WalkingRadius.seconds(metres: metres), routes: try timetable.routeNames(at: stop)))
        }
        return stops
    }
}
