internal import TransitModel

extension ReadingContext {
    /// Adds problems of a ``TimetableBuilder`` to the report, with the rule names of the canonical GTFS validator.
    func add(_ problems: BuildProblemTally.Entry, id: (SourceTripNumber) -> String) {
        // The first example also represents the problems that were only counted.
        var count = problems.count - problems.examples.count + 1
        for problem in problems.examples {
            let finding = Finding(problem.kind)
            let place = ValidationReport.Location(file: finding.file, line: problem.line == 0 ? nil : Int(problem.line))
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

        // This is a table with one entry per kind, so it is longer than other functions.
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
                    Self("missing_trip_edge", .error, "the start or end of the trip has no time; the row is skipped")
                case .duplicateSequence:
                    Self("duplicate_key", .error, "this stop_sequence occurs more than once; the row is skipped")
                case .decreasingTime:
                    Self(decreasing, .error, "the time is before the time at the previous stop and is ignored")
                case .departureBeforeArrival:
                    Self(
                        "start_and_end_range_out_of_order", .error,
                        "departure_time is before arrival_time; both are ignored")
                case .onlyOneTime:
                    Self(
                        only, .warning,
                        "only one of arrival_time and departure_time is given; the given time is used for both")
                case .tooManyStopTimes:
                    Self("too_many_stop_times", .error, "it has more than \(limit) stop times; the row is skipped")
                case .distanceNotIncreasing:
                    Self(
                        "decreasing_or_equal_stop_time_distance", .error,
                        "shape_dist_traveled does not increase from the previous stop")
                case .fastToNextStop:
                    Self(
                        "fast_travel_between_consecutive_stops", .warning,
                        "it reaches this stop faster than a vehicle of its type can travel")
                case .fastOverDistance:
                    Self(
                        "fast_travel_between_far_stops", .warning,
                        "over more than 10 km it is faster than a vehicle of its type can travel")
                case .tooManyFrequencies:
                    Self(
                        "too_many_frequencies", .error, in: frequencies,
                        "it has more than \(TimetableBuilder.maximumFrequencies) periods; the row is skipped")
                case .duplicateFrequency:
                    Self(
                        "duplicate_key", .error, in: frequencies,
                        "this start_time occurs more than once; the row is skipped")
                case .overlappingFrequency:
                    Self(
                        "overlapping_frequency", .error, in: frequencies,
                        "the previous period is shortened to end where this one starts")
                case .frequencyOfSkippedTrip:
                    Self(
                        "row_of_skipped_trip", .info, in: frequencies, "the row is skipped because the trip was skipped"
                    )
                }
        }
    }
}
