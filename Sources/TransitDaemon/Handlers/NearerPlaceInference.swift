internal import TransitEngine
internal import TransitModel
internal import TransitStore

/// Infers the direction of a departure whose trip serves neither home nor work, based on the place that is nearer to
/// the stop.
struct NearerPlaceInference {
    private let timetable: Timetable
    private var home: Coordinate?
    private var work: Coordinate?

    /// Creates an inference without places.
    init(_ timetable: Timetable) { self.timetable = timetable }

    /// - Parameter place: "home" or "work"; other places are ignored.
    mutating func set(_ place: String, _ coordinate: Coordinate?) {
        if place == CommuteList.home { home = coordinate }
        if place == CommuteList.work { work = coordinate }
    }

    func coordinate(of place: String) -> Coordinate? {
        place == CommuteList.home ? home : place == CommuteList.work ? work : nil
    }

    /// Returns "work" or "home"; `nil` if a place is not set, if neither is clearly nearer, or if the trip is not known
    /// to end nearer to the other place.
    ///
    /// - Parameter end: The last stop of the trip; `nil` if it is not known.
    func direction(from stop: StopIndex, to end: StopIndex?) throws(StoreError) -> String? {
        guard let home, let work else { return nil }
        let end = try end.flatMap { (end) throws(StoreError) in try timetable.cachedStop(end).coordinate }
        let stop = try timetable.cachedStop(stop).coordinate
        switch TravelDirection(leaving: stop, endingAt: end, home: home, work: work) {
        case .work: return CommuteList.work
        case .home: return CommuteList.home
        case .unknown: return nil
        }
    }
}
