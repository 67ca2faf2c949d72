internal import TransitModel

/// Checks a complete feed: whether it has usable trips, whether it has expired, and which stops and shapes are unused.
struct FeedUsabilityCheck {
    let draft: TimetableDraft
    /// All stops of the source.
    let stops: StopsTable
    /// Whether a trip calls at each stop of the source.
    let isStopUsed: [Bool]
    let today: ServiceDate

    init(_ draft: TimetableDraft, _ stops: StopsTable, _ isStopUsed: [Bool], _ today: ServiceDate) {
        self.draft = draft
        self.stops = stops
        self.isStopUsed = isStopUsed
        self.today = today
    }

    /// Throws ``FeedError/refused(reason:report:)`` if no usable trip runs on any date.
    func check(_ files: FeedFiles) throws(FeedError) {
        guard draft.trips.count > 0 else {
            throw files.refusal(
                "no_usable_trips", .init(file: StopTimeColumn.file), "No trip in the feed has two usable stop times",
                blamed: [StopTimeColumn.file])
        }
        guard let dates = serviceDates else {
            throw files.refusal(
                "no_service_dates", .init(file: CalendarColumn.file), "No trip in the feed runs on any date",
                blamed: [CalendarColumn.file, CalendarDatesColumn.file])
        }
        if dates.upperBound < today {
            files.context.add(
                "expired_calendar", .warning, at: .init(file: CalendarColumn.file),
                "The feed has expired: its last service date was \(dates.upperBound)")
        } else if dates.lowerBound > today {
            files.context.add(
                "future_calendar", .warning, at: .init(file: CalendarColumn.file),
                "The feed is not valid yet: its first service date is \(dates.lowerBound)")
        } else if dates.upperBound < today.advanced(by: 7) {
            files.context.add(
                "feed_expiration_date7_days", .warning, at: .init(file: CalendarColumn.file),
                "The last service date is \(dates.upperBound), in less than a week")
        }
        if let end = draft.feedInfo?.endDate, end < today.advanced(by: 7) {
            files.context.add(
                "feed_expiration_date7_days", .warning, at: .init(file: FeedInfoColumn.file),
                "The publisher declares the feed valid only until \(end)")
        }
        // In a partial timetable, the source may use what no kept trip uses.
        if draft.subset == nil { reportUnused(files.context) }
    }

    /// The range from the first to the last date on which a trip runs.
    private var serviceDates: ClosedRange<ServiceDate>? {
        var isUsed = [Bool](repeating: false, count: draft.services.count)
        for service in draft.trips.services { isUsed[service.position] = true }
        var dates: ClosedRange<ServiceDate>?
        for position in draft.services.indices where isUsed[position] {
            guard let span = draft.services[position].span else { continue }
            dates = dates.map { min($0.lowerBound, span.lowerBound)...max($0.upperBound, span.upperBound) } ?? span
        }
        return dates
    }

    private func reportUnused(_ context: ReadingContext) {
        for position in isStopUsed.indices where !isStopUsed[position] {
            let stop = StopIndex(position)
            guard stops.kind(stop) == .platform else { continue }
            context.add(
                "stop_without_stop_time", .info, at: .init(file: StopColumn.file),
                "No trip calls at “\(FieldValue.excerpt(stops.id(stop)))”")
        }
        var isUsed = [Bool](repeating: false, count: draft.shapes.count)
        for shape in draft.trips.shapes { if let shape { isUsed[shape.position] = true } }
        for position in isUsed.indices where !isUsed[position] {
            context.add(
                "unused_shape", .info, at: .init(file: ShapeColumn.file),
                "No trip uses the shape “\(FieldValue.excerpt(draft.shapes.ids[position]))”")
        }
    }
}
