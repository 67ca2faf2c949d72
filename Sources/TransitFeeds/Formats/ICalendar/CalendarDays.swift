package import TransitModel
package import TransitWire

/// The dates that the entries of an iCalendar file (RFC 5545) cover from midnight to midnight in a person's time zone.
///
/// Each repetition of an entry counts alone: two entries that cover half of a date each do not cover it. Holidays, whose
/// entries are marked as free time (`TRANSP:TRANSPARENT`), cover their dates like others.
package struct CalendarDays: Sendable {
    /// What follows from one entry.
    package enum Outcome: Hashable, Sendable {
        /// The dates that it covers, ascending; not empty.
        case dates([ServiceDate])
        /// The reason why it covers none, as a sentence.
        case none(String)
    }

    /// The outcome of each entry, in the order of the file.
    package var entries: [Outcome] = []

    /// The maximum length of a file in bytes, and of its entries.
    package static let maximumLength = 1 << 20
    package static let maximumEntries = 2000
    /// The maximum number of dates that are examined for all repetitions of a file.
    private static let budget = 1_000_000

    /// - Parameters:
    ///   - text: The file.
    ///   - window: The dates that are wanted.
    ///   - zone: The zone of the person.
    ///   - busyOnly: Whether entries that are marked as free time are left out.
    ///   - zones: Returns the zone with an IANA name.
    package init(
        _ text: String, in window: ClosedRange<ServiceDate>, zone: ServiceZone, busyOnly: Bool = false,
        zones: @escaping (String) -> ServiceZone?
    ) throws(ICalendarError) {
        guard text.utf8.count <= Self.maximumLength else {
            throw ICalendarError("The calendar is larger than 1 MiB. Export only the events that are days off.")
        }
        let calendars = try ICalendarReader.calendars(in: Array(text.utf8), properties: CalendarEvent.properties)
        var names = CalendarZones(calendars, named: zones)
        let components = calendars.flatMap(\.components).filter { $0.name == "VEVENT" }
        guard components.count <= Self.maximumEntries else {
            throw ICalendarError(
                "The calendar has more than \(Self.maximumEntries) events. Export only those that are days off.")
        }
        let events = components.map { (component) -> Result<CalendarEvent, CalendarEntryProblem> in
            do throws(CalendarEntryProblem) { return .success(try CalendarEvent(component, &names)) } catch {
                return .failure(error)
            }
        }
        let changes = Changes(components, events)
        var budget = RecurrenceBudget(dates: Self.budget)
        entries = events.map { event in
            do throws(CalendarEntryProblem) {
                let event = try event.get()
                if event.isCanceled { return .none("It is canceled.") }
                if busyOnly, event.isTransparent { return .none("It is marked as free time.") }
                let replaced = try changes.replacedStarts(of: event)
                let instances = try event.instances(in: window, replaced: replaced, own: zone, budget: &budget)
                return Self.outcome(event, instances, window, zone)
            } catch {
                return .none(error.sentence)
            }
        }
    }

    /// The changes of single repetitions, by the entry to which they belong.
    private struct Changes {
        private var starts: [String: [CalendarTime]] = [:]
        /// The entries with a change that cannot be read, so that it is not known which repetition it replaces.
        private var unreadable: Set<String> = []

        init(_ components: [ICalendarComponent], _ events: [Result<CalendarEvent, CalendarEntryProblem>]) {
            for (component, event) in zip(components, events) where component.property("RECURRENCE-ID") != nil {
                guard let uid = component.property("UID")?.value else { continue }
                switch event {
                case .success(let event): if let start = event.replaced { starts[uid, default: []].append(start) }
                case .failure: unreadable.insert(uid)
                }
            }
        }

        func replacedStarts(of event: CalendarEvent) throws(CalendarEntryProblem) -> [CalendarTime] {
            guard let uid = event.uid, event.replaced == nil else { return [] }
            guard !unreadable.contains(uid) else {
                throw CalendarEntryProblem("A change of one of its repetitions cannot be used.")
            }
            return starts[uid] ?? []
        }
    }

    private static func outcome(
        _ event: CalendarEvent, _ instances: [CalendarEvent.Instance], _ window: ClosedRange<ServiceDate>,
        _ zone: ServiceZone
    ) -> Outcome {
        var ranges: [ClosedRange<ServiceDate>] = []
        var touchesWindow = false
        for instance in instances {
            let (touched, covered) = Self.dates(of: instance, zone)
            if touched.overlaps(window) { touchesWindow = true }
            if let covered, covered.overlaps(window) { ranges.append(covered.clamped(to: window)) }
        }
        var dates: [ServiceDate] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            // Each date once, although repetitions may overlap.
            let first = max(range.lowerBound, dates.last?.advanced(by: 1) ?? range.lowerBound)
            if first <= range.upperBound {
                dates += (0...first.days(to: range.upperBound)).map { first.advanced(by: $0) }
            }
        }
        guard dates.isEmpty else { return .dates(dates) }
        if touchesWindow { return .none("It does not cover a whole day from midnight to midnight.") }
        if event.rule == nil, event.added.isEmpty, let instance = instances.first {
            return .none(
                Self.dates(of: instance, zone).touched.upperBound < window.lowerBound
                    ? "It is over." : "It is after \(window.upperBound).")
        }
        return .none("It does not take place from \(window.lowerBound) to \(window.upperBound).")
    }

    /// Returns the dates that a repetition touches, and those that it covers from midnight to midnight.
    private static func dates(
        of instance: CalendarEvent.Instance, _ zone: ServiceZone
    ) -> (touched: ClosedRange<ServiceDate>, covered: ClosedRange<ServiceDate>?) {
        switch instance {
        case .dates(let dates): return (dates, dates)
        case .times(let times):
            var first = zone.civil(at: times.lowerBound).date
            let last = zone.civil(at: times.upperBound).date
            let touched = first...max(first, last)
            if zone.instant(date: first, secondsOfDay: 0) < times.lowerBound { first = first.advanced(by: 1) }
            // The last date ends later than the entry.
            return (touched, first < last ? first...last.advanced(by: -1) : nil)
        }
    }
}
