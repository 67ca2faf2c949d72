internal import TransitModel

extension ReadingContext {
    /// Counts what a ``TimetableBuilder`` found under the rule of the canonical GTFS validator.
    func add(_ problems: BuildProblemTally.Entry, id: (SourceTrip) -> String) {
        // The first example also represents the problems that were only counted.
        var count = problems.count - problems.examples.count + 1
        for problem in problems.examples {
            let finding = Finding(problem.kind)
            let place = ValidationReport.Place(file: finding.file, line: problem.line == 0 ? nil : Int(problem.line))
            add(
                finding.rule, finding.severity, at: place, count: count,
                "Trip “\(FieldValue.excerpt(id(problem.trip)))”: \(finding.text)")
            count = 1
        }
    }

    private struct Finding {
        var rule: String
        var severity: ValidationReport.Severity
        var file: String
        var text: String

        private init(
            _ rule: String, _ severity: ValidationReport.Severity, in file: String = StopTimeColumn.file, _ text: String
        ) {
            (self.rule, self.severity, self.file, self.text) = (rule, severity, file, text)
        }

        // One line of a table for each kind, hence longer than other functions.
        init(_ kind: BuildProblem.Kind) {
            let only = "stop_time_with_only_arrival_or_departure_time"
            let decreasing = "stop_time_with_arrival_before_previous_departure_time"
            let limit = TimetableBuilder.maximumStopTimes
            let frequencies = FrequencyColumn.file
            self =
                switch kind {
                case .noStopTimes:
                    Self("unused_trip", .warning, in: TripColumn.file, "it has no usable stop times and is skipped")
                case .tooFewStopTimes:
                    Self("unusable_trip", .warning, "it has fewer than two usable stop times and is skipped")
                case .missingEdgeTime:
                    Self("missing_trip_edge", .error, "no time is given from here to its end; the row is skipped")
                case .duplicateSequence:
                    Self("duplicate_key", .error, "this stop_sequence was there before; the row is skipped")
                case .decreasingTime:
                    Self(decreasing, .error, "the time is before that of the stop before; it is not used")
                case .departureBeforeArrival:
                    Self(
                        "start_and_end_range_out_of_order", .error,
                        "departure_time is before arrival_time; neither is used")
                case .onlyOneTime: Self(only, .warning, "the one time is taken for the other too")
                case .tooManyStopTimes:
                    Self("too_many_stop_times", .error, "it has more than \(limit) stop times; the row is skipped")
                case .distanceNotIncreasing:
                    Self(
                        "decreasing_or_equal_stop_time_distance", .error,
                        "shape_dist_traveled is not more than at the stop before; it is not used")
                case .fastToNextStop:
                    Self(
                        "fast_travel_between_consecutive_stops", .warning,
                        "to this stop it goes faster than such vehicles can")
                case .fastOverDistance:
                    Self(
                        "fast_travel_between_far_stops", .warning,
                        "over more than 10 km it goes faster than such vehicles can")
                case .tooManyFrequencies:
                    Self(
                        "too_many_frequencies", .error, in: frequencies,
                        "it has more than \(TimetableBuilder.maximumFrequencies) periods; the row is skipped")
                case .duplicateFrequency:
                    Self(
                        "duplicate_key", .error, in: frequencies, "this start_time was there before; the row is skipped"
                    )
                case .overlappingFrequency:
                    Self(
                        "overlapping_frequency", .error, in: frequencies,
                        "the period before this one is cut where this one starts")
                case .frequencyOfSkippedTrip:
                    Self("row_of_skipped_trip", .info, in: frequencies, "the trip was skipped, and so is this row")
                }
        }
    }
}
