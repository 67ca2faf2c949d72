internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitStore

/// The stops around a place with the routes that call there.
struct NearbyStops {
    private let timetables: [Timetable]
    private let filter: CallFilter
    private let shared: SharedStops

    typealias Found = (timetable: Timetable, stop: StopIndex, metres: Double)

    init(
        _ timetables: [Timetable], filter: CallFilter = CallFilter(), _ question: Question
    ) throws(StoreError) {
        self.timetables = timetables.filter(filter.allows)
        self.filter = filter
        shared = try SharedStops(self.timetables, question)
    }

    /// Nearest first.
    func around(_ place: Coordinate, within metres: Double, count: Int) throws(StoreError) -> [NearbyStop] {
        try rendered(try found(around: place, within: metres).prefix(count))
    }

    /// All of them, nearest first.
    func found(around place: Coordinate, within metres: Double) throws(StoreError) -> [Found] {
        var near: [Found] = []
        for timetable in timetables {
            // What another feed has as well lies where that one says.
            near += try timetable.callingStops(near: place, within: metres).filter {
                filter.allows($0.stop) && shared.main(of: $0.stop, in: timetable) == nil
            }.map { (timetable, $0.stop, $0.metres) }
        }
        return near.sorted { $0.metres < $1.metres }
    }

    func rendered(_ found: some Sequence<Found>) throws(StoreError) -> [NearbyStop] {
        var stops: [NearbyStop] = []
        for (timetable, stop, metres) in found {
            let listed = try shared.listed(try timetable.file.stop(stop), at: stop, in: timetable)
            stops.append(
                NearbyStop(
                    stop: listed.stop, distance: Int(metres.rounded()), walk: WalkingRadius.seconds(metres: metres),
                    routes: listed.routes, twin: listed.twin))
        }
        return stops
    }
}
