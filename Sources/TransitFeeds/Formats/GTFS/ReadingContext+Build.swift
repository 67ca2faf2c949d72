internal import TransitModel

extension ReadingContext {
    /// Counts what a ``TimetableBuilder`` found under the rule of the canonical GTFS validator.
    func add(_ problem: BuildProblem, id: (SourceTrip) -> String) {
        let finding = Finding(problem.kind)
        let place = ValidationReport.Place(file: finding.file, line: problem.line == 0 ? nil : Int(problem.line))
        add(
            finding.rule, finding.severity, at: place, "Trip “\(FieldValue.excerpt(id(problem.trip)))”: \(finding.text)"
        )
    }

    private struct Finding {
        var rule: String
        var severity: ValidationReport.Severity
        var file = StopTimeColumn.file
        var text: String

        init(_ rule: String, _ severity: ValidationReport.Severity, _ text: String) {
            (self.rule, self.severity, self.text) = (rule, severity, text)
        }

        init(_ kind: BuildProblem.Kind) {
            switch kind {
            case .noStopTimes:
                self.init("unused_trip", .warning, "it has no usable stop times and is skipped")
                file = TripColumn.file
            case .tooFewStopTimes:
                self.init("unusable_trip", .warning, "it has fewer than two usable stop times and is skipped")
            case .missingEdgeTime:
                self.init("missing_trip_edge", .error, "its first or last stop has no usable time; it is skipped")
            case .duplicateSequence:
                self.init("duplicate_key", .error, "this stop_sequence was there before; the row is skipped")
            case .decreasingTime:
                self.init(
                    "stop_time_with_arrival_before_previous_departure_time", .error,
                    "the time is before that of the stop before; it is not used")
            case .departureBeforeArrival:
                self.init(
                    "start_and_end_range_out_of_order", .error,
                    "departure_time is before arrival_time; neither is used")
            case .onlyOneTime:
                self.init(
                    "stop_time_with_only_arrival_or_departure_time", .warning, "the one time is taken for the other too"
                )
            case .tooManyStopTimes:
                self.init(
                    "too_many_stop_times", .error,
                    "it has more than \(TimetableBuilder.maximumStopTimes) stop times; the rest are skipped")
            default: self.init(frequency: kind)
            }
        }

        private init(frequency kind: BuildProblem.Kind) {
            switch kind {
            case .duplicateFrequency:
                self.init("duplicate_key", .error, "this start_time was there before; the row is skipped")
            case .overlappingFrequency:
                self.init("overlapping_frequency", .error, "the period before this one is cut where this one starts")
            default: self.init("row_of_skipped_trip", .info, "the trip was skipped, and so is this row")
            }
            file = FrequencyColumn.file
        }
    }
}
