internal import TransitModel

/// Interpolates missing times between stops with times. The GTFS reference allows stop_times.txt to omit times between
/// timepoints.
///
/// The interpolation assumes a constant speed between two stops with times. The distance is `shape_dist_traveled` if
/// every row of the gap has it. Otherwise it is the great-circle distance from stop to stop, or the number of stops if
/// a stop has no coordinates. `shape_dist_traveled` starts at the first stop of the trip, so a missing value there
/// counts as 0.
struct TimeInterpolation {
    let coordinates: [Coordinate?]
    private var distances: [Double] = []

    init(coordinates: [Coordinate?]) { self.coordinates = coordinates }

    /// Fills in all missing times. The first and last stop times must have times, and given times must not decrease.
    mutating func complete(_ stopTimes: inout [StopTime]) {
        var last = 0
        for position in stopTimes.indices where stopTimes[position].arrival != nil {
            if position > last + 1 { fill(&stopTimes, from: last, to: position) }
            last = position
        }
    }

    private mutating func fill(_ stopTimes: inout [StopTime], from low: Int, to high: Int) {
        guard let start = stopTimes[low].departure?.seconds, let end = stopTimes[high].arrival?.seconds else { return }
        measure(stopTimes, from: low, to: high)
        guard let total = distances.last else { return }
        for position in (low + 1)..<high {
            let share = distances[position - low] / total
            let seconds = start + Int32((Double(end - start) * share).rounded())
            stopTimes[position].arrival = ServiceTime(seconds: seconds)
            stopTimes[position].departure = ServiceTime(seconds: seconds)
            stopTimes[position].isExact = false
            stopTimes[position].isInterpolated = true
        }
    }

    /// Sets ``distances`` to the distance of each stop in the gap from the first stop. The last distance is greater
    /// than 0.
    private mutating func measure(_ stopTimes: [StopTime], from low: Int, to high: Int) {
        if measureByShape(stopTimes, low, high) || measureByPosition(stopTimes, low, high) { return }
        distances.removeAll(keepingCapacity: true)
        for position in 0...(high - low) { distances.append(Double(position)) }
    }

    private mutating func measureByShape(_ stopTimes: [StopTime], _ low: Int, _ high: Int) -> Bool {
        distances.removeAll(keepingCapacity: true)
        guard let first = stopTimes[low].distance ?? (low == 0 ? 0 : nil) else { return false }
        distances.append(0)
        var previous = first
        for position in (low + 1)...high {
            guard let distance = stopTimes[position].distance, distance >= previous else { return false }
            distances.append(Double(distance) - Double(first))
            previous = distance
        }
        return previous > first
    }

    private mutating func measureByPosition(_ stopTimes: [StopTime], _ low: Int, _ high: Int) -> Bool {
        distances.removeAll(keepingCapacity: true)
        var sum = 0.0
        var previous: Coordinate?
        for position in low...high {
            guard let here = coordinates[stopTimes[position].stop.position] else { return false }
            if let previous { sum += previous.distance(to: here) }
            distances.append(sum)
            previous = here
        }
        return sum > 0
    }
}
