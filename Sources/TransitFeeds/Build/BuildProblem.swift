/// A defect in the stop times or frequencies that ``TimetableBuilder`` reports.
package struct BuildProblem: Hashable, Sendable {
    package enum Kind: Hashable, Sendable, CaseIterable {
        /// A stop time has the same `stop_sequence` as an earlier stop time of the trip. The later stop time is
        /// skipped.
        case duplicateSequence
        /// A trip has no stop times. The trip is skipped.
        case noStopTimes
        /// A trip has fewer than two usable stop times. The trip is skipped.
        case tooFewStopTimes
        /// A stop time before the first or after the last usable time of a trip has neither an arrival nor a departure.
        /// The stop time is skipped.
        case missingEdgeTime
        /// The times of a trip begin again at 00:00:00 after midnight. 24 hours are added to the times from there to the
        /// end. Reported once for each trip.
        case timesBeginAgainAtMidnight
        /// An arrival is before the departure from the previous stop. The times at the stop are ignored.
        case decreasingTime
        /// A departure is before the arrival at the same stop. The times at the stop are ignored.
        case departureBeforeArrival
        /// Only the arrival or only the departure is given. The given time is used for both.
        case onlyOneTime
        /// A trip has more than ``TimetableBuilder/maximumStopTimes`` stop times. The excess stop time is skipped.
        case tooManyStopTimes
        /// `shape_dist_traveled` does not increase from the previous stop.
        case distanceNotIncreasing
        /// Between two consecutive timed stops, the trip is faster than any vehicle of its type.
        case fastToNextStop
        /// The trip is too fast over a distance of more than ten kilometers.
        case fastOverDistance
        /// A trip has more than ``TimetableBuilder/maximumFrequencies`` rows in frequencies.txt. The excess row is
        /// skipped.
        case tooManyFrequencies
        /// Two rows of frequencies.txt for the same trip overlap. The earlier period is shortened to end when the later
        /// period starts.
        case overlappingFrequency
        /// Two rows of frequencies.txt have the same trip and start time. The later row is skipped.
        case duplicateFrequency
        /// A row of frequencies.txt refers to a trip that was skipped. The row is also skipped.
        case frequencyOfSkippedTrip
    }

    package var kind: Kind
    package var trip: SourceTripNumber
    /// The line in stop_times.txt or frequencies.txt, or 0 if unknown.
    package var line: UInt32
}

/// Counts problems by kind and stores the first ``examplesPerKind`` of each kind.
///
/// The number of stored problems is bounded because a feed of one megabyte can have millions of problems.
package struct BuildProblemTally: Sendable {
    /// The problems of one kind.
    package struct Entry: Sendable {
        package var count: Int
        /// The first problems of this kind. Never empty.
        package var examples: [BuildProblem]
    }

    package static let examplesPerKind = 5

    /// The entries in the order of first occurrence.
    package private(set) var entries: [Entry] = []

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
