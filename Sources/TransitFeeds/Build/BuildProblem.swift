/// Something in the stop times or frequencies that ``TimetableBuilder`` could not take as it was.
package struct BuildProblem: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
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
        /// More than ``TimetableBuilder/maximumStopTimes`` stop times of one trip; the rest are skipped.
        case tooManyStopTimes
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
