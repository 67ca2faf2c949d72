/// Something in the stop times or frequencies that ``TimetableBuilder`` could not take as it was.
package struct BuildProblem: Hashable, Sendable {
    package enum Kind: Hashable, Sendable, CaseIterable {
        /// A stop time with the `stop_sequence` of an earlier one of the trip; the later one is skipped.
        case duplicateSequence
        /// A trip without any stop time; it is skipped.
        case noStopTimes
        /// Fewer than two usable stop times; the trip is skipped.
        case tooFewStopTimes
        /// The first or the last stop time has no usable time; the trip is skipped.
        case missingEdgeTime
        /// An arrival before the departure from the stop before, or a departure before the arrival; the times of
        /// that stop are not used.
        case decreasingTime
        case departureBeforeArrival
        /// Only one of the two times is given; it is taken for both.
        case onlyOneTime
        /// A stop time of a trip that has ``TimetableBuilder/maximumStopTimes`` of them already; it is skipped.
        case tooManyStopTimes
        /// `shape_dist_traveled` is not more than at the stop before; it is not used.
        case distanceNotIncreasing
        /// The vehicle would have to go faster than any of its kind from one timed stop to the next.
        case fastToNextStop
        /// The same over more than ten kilometres.
        case fastOverDistance
        /// A row of frequencies.txt of a trip that has ``TimetableBuilder/maximumFrequencies`` of them; it is skipped.
        case tooManyFrequencies
        /// Rows of frequencies.txt of one trip overlap; the earlier ends where the later starts.
        case overlappingFrequency
        /// The same trip and start twice; the later one is skipped.
        case duplicateFrequency
        /// A frequency for a trip that was skipped; it is skipped too.
        case frequencyOfSkippedTrip
    }

    package var kind: Kind
    package var trip: SourceTrip
    /// In the file of stop times or frequencies; 0 when it is not known.
    package var line: UInt32
}

/// Problems counted by kind; of each kind the first ``examplesPerKind`` are kept.
///
/// A feed of a megabyte can have millions of problems, so none is kept for being one more of its kind.
package struct BuildProblemTally: Sendable {
    /// All problems of one kind.
    package struct Entry: Sendable {
        package var count: Int
        /// Never empty.
        package var examples: [BuildProblem]
    }

    package static let examplesPerKind = 5

    /// In the order of first occurrence.
    package private(set) var entries: [Entry] = []

    package init() {}

    package var isEmpty: Bool { entries.isEmpty }

    package mutating func add(_ problem: BuildProblem) {
        guard let position = entries.firstIndex(where: { $0.examples[0].kind == problem.kind }) else {
            entries.append(Entry(count: 1, examples: [problem]))
            return
        }
        entries[position].count += 1
        if entries[position].examples.count < Self.examplesPerKind { entries[position].examples.append(problem) }
    }
}
