internal import TransitModel

/// One run of a trip: the trip itself, or one of its repetitions by frequencies.txt.
struct Run {
    /// Position of the trip in its lane.
    var trip: Int32
    /// Its first departure in seconds of service time.
    var start: Int32
    /// Position in ``Lane/frequencies``; -1 for a trip that runs once.
    var frequency: Int32
}

extension Lane {
    /// Visits the runs that start at `earliest` (seconds of service time) or later, whatever their service.
    ///
    /// Trips that run once come in the order of their starts, then each row of frequencies.txt in its own order; where
    /// `body` returns false, the rest of that series is left out.
    @inline(__always)
    func forEachRun(from earliest: Int64, _ body: (Run) -> Bool) {
        let first = Self.firstStart(starts, from: earliest)
        if frequencies.isEmpty {
            for trip in first..<starts.count {
                guard body(Run(trip: Int32(trip), start: starts[trip], frequency: -1)) else { return }
            }
        } else {
            forEachRepeatedRun(from: earliest, first: first, body)
        }
    }

    /// A trip that frequencies.txt repeats does not run at its own time (GTFS reference, frequencies.txt).
    private func forEachRepeatedRun(from earliest: Int64, first: Int, _ body: (Run) -> Bool) {
        for trip in first..<starts.count where !isRepeated(trip) {
            guard body(Run(trip: Int32(trip), start: starts[trip], frequency: -1)) else { break }
        }
        for (position, row) in frequencies.enumerated() {
            // Runs before `earliest` are stepped over at once.
            let behind = max(0, earliest - Int64(row.start))
            let headway = Int64(max(1, row.headway))
            var start = Int64(row.start) + (behind + headway - 1) / headway * headway
            while start < Int64(row.end) {
                guard body(Run(trip: Int32(row.trip), start: Int32(start), frequency: Int32(position))) else { break }
                start += headway
            }
        }
    }

    /// The seconds of service time between which its runs start, so that a question about another time can pass it over.
    var span: ClosedRange<Int64> {
        var first = Int64(starts.first ?? 0)
        var last = Int64(starts.last ?? 0)
        for row in frequencies {
            first = min(first, Int64(row.start))
            last = max(last, Int64(row.end))
        }
        return first...max(first, last)
    }

    /// Position of the first of ascending starts that lies then or later.
    static func firstStart(_ starts: [Int32], from earliest: Int64) -> Int {
        var low = 0
        var high = starts.count
        while low < high {
            let middle = (low + high) / 2
            if Int64(starts[middle]) < earliest { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func isRepeated(_ trip: Int) -> Bool {
        var low = 0
        var high = frequencies.count
        while low < high {
            let middle = (low + high) / 2
            if Int(frequencies[middle].trip) < trip { low = middle + 1 } else { high = middle }
        }
        return low < frequencies.count && Int(frequencies[low].trip) == trip
    }
}
