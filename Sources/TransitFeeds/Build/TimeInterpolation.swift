internal import TransitModel

/// Completes absent times between the stops that have them (GTFS reference, stop_times.txt: times between two given
/// ones may be left out).
///
/// Between two given times the vehicle is taken to move evenly: along `shape_dist_traveled` where every row of the gap
/// has it, else along the great circles from stop to stop, else by the number of stops. Distances are counted from the
/// first stop of the trip, so an absent one there is 0.
struct TimeInterpolation {
    let coordinates: [Coordinate?]
    private var along: [Double] = []

    init(coordinates: [Coordinate?]) { self.coordinates = coordinates }

    /// The first and last must have times, and times that are there must not decrease.
    mutating func complete(_ run: inout [StopTime]) {
        var last = 0
        for position in run.indices where run[position].arrival != nil {
            if position > last + 1 { fill(&run, from: last, to: position) }
            last = position
        }
    }

    private mutating func fill(_ run: inout [StopTime], from low: Int, to high: Int) {
        guard let start = run[low].departure?.seconds, let end = run[high].arrival?.seconds else { return }
        measure(run, from: low, to: high)
        guard let total = along.last else { return }
        for position in (low + 1)..<high {
            let share = along[position - low] / total
            let seconds = start + Int32((Double(end - start) * share).rounded())
            run[position].arrival = ServiceTime(seconds: seconds)
            run[position].departure = ServiceTime(seconds: seconds)
            run[position].isExact = false
            run[position].isInterpolated = true
        }
    }

    /// Fills ``along`` with how far each stop of the gap is from its first; the last one is above 0.
    private mutating func measure(_ run: [StopTime], from low: Int, to high: Int) {
        if measureByShape(run, low, high) || measureByPosition(run, low, high) { return }
        along.removeAll(keepingCapacity: true)
        for position in 0...(high - low) { along.append(Double(position)) }
    }

    private mutating func measureByShape(_ run: [StopTime], _ low: Int, _ high: Int) -> Bool {
        along.removeAll(keepingCapacity: true)
        guard let first = run[low].distance ?? (low == 0 ? 0 : nil) else { return false }
        along.append(0)
        var previous = first
        for position in (low + 1)...high {
            guard let distance = run[position].distance, distance >= previous else { return false }
            along.append(Double(distance) - Double(first))
            previous = distance
        }
        return previous > first
    }

    private mutating func measureByPosition(_ run: [StopTime], _ low: Int, _ high: Int) -> Bool {
        along.removeAll(keepingCapacity: true)
        var sum = 0.0
        var previous: Coordinate?
        for position in low...high {
            guard let here = coordinates[run[position].stop.position] else { return false }
            if let previous { sum += previous.distance(to: here) }
            along.append(sum)
            previous = here
        }
        return sum > 0
    }
}
