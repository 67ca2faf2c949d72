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
        /// A stop time of a trip that already has ``TimetableBuilder/maximumStopTimes`` of them. It is skipped.
        case tooManyStopTimes
        /// `shape_dist_traveled` does not increase from the previous stop. The value is not used.
        case distanceNotIncreasing
        /// Between two consecutive timed stops, the trip is faster than any vehicle of its type.
        case fastToNextStop
        /// The trip is too fast over a distance of more than ten kilometers.
        case fastOverDistance
        /// A row of frequencies.txt for a trip that already has ``TimetableBuilder/maximumFrequencies`` of them. It is
        /// skipped.
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

/// Counts problems by kind and keeps the first ``examplesPerKind`` of each kind.
///
/// A feed of one megabyte can have millions of problems, so the number of kept problems per kind is bounded.
package struct BuildProblemTally: Sendable {
    /// The problems of one kind.
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
