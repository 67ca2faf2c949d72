import Testing
import TransitFeeds
import TransitModel
import TransitTestSupport

@testable import TransitEngine

/// The errors of times that are estimated from the positions of vehicles, against recorded days of Caltrain. The true
/// time of a departure is the last prediction before the train left, which is accurate to about two minutes.
@Suite(.enabled(if: RecordedDay.program != nil, "the recorded days are missing"))
struct EstimateUncertaintyTests {
    private struct Estimate {
        /// Seconds from the position to the estimated departure.
        var ahead: Int
        var error: Int
        var uncertainty: Int
    }

    /// Days that were not used to determine the values of ``EstimateUncertainty``.
    private static let days = ["2026-03-10", "2026-04-25", "2026-06-16"]

    @Test func nineOfTenErrorsAreWithinStatedUncertainty() throws {
        let found = try Self.days.flatMap { try self.estimates(on: $0) }
        #expect(found.count > 10_000)
        for range in [0..<300, 300..<600, 600..<1200, 1200..<2400, 2400..<3600, 3600..<7200] {
            let inRange = found.filter { range.contains($0.ahead) }
            let errors = inRange.map { abs($0.error) }.sorted()
            #expect(errors.count > 100)
            let held = inRange.count { abs($0.error) <= $0.uncertainty }
            #expect(
                held * 10 >= inRange.count * 9,
                """
                \(range) s ahead: \(held) of \(inRange.count) errors are within the uncertainty; half are at most \
                \(errors[errors.count / 2]) s, nine of ten \(errors[errors.count * 9 / 10]) s, all \(errors.last ?? 0) s
                """)
        }
    }

    private func estimates(on day: String) throws -> [Estimate] {
        let zone = try systemZone("America/Los_Angeles")
        let date = try #require(ServiceDate(iso8601: day))
        let recorded = try RecordedDay(date, script: DayScript(), zone: zone)
        let reading = try GTFSReader(
            FileByteSource(path: RecordedDay.archive), options: GTFSReader.Options(today: date) { _ in true }
        ).read()
        let timetable = DraftTimetable(reading.draft, zone: zone)
        let matcher = TripMatcher(timetable)
        var found: [Estimate] = []
        for message in recorded.messages {
            let reader = try RealtimeReader(message.vehicles)
            var builder = RealtimeDatasetBuilder(header: reader.header, received: message.at, matcher: matcher)
            var trips: [TripInstanceKey: TripID] = [:]
            _ = try reader.read { (entity) throws in
                try builder.apply(entity)
                if case .vehicle(let position) = entity, let trip = position.trip?.tripID,
                    let known = try matcher.trip(trip)
                {
                    for date in [date, date.advanced(by: 1)] {
                        let pattern = matcher.patterns[Int(known.patternNumber)].pattern.index
                        trips[TripInstanceKey(pattern: pattern, trip: known.trip, serviceDate: date)] = trip
                    }
                }
            }
            let dataset = try builder.finish()
            for instance in dataset.trips {
                guard let trip = trips[instance.key], let measured = instance.measured else { continue }
                let pattern = dataset.pattern(of: instance)
                for (position, call) in dataset.calls(of: instance).enumerated()
                where call.basis == .propagated && position + 1 < pattern.callCount {
                    let stop = timetable.stop(pattern.stop(at: position)).id
                    guard
                        let left = recorded.departures[
                            RecordedDay.Visit(trip: trip, stop: stop, date: instance.key.serviceDate)]
                    else { continue }
                    let expected = instance.startInstant.advanced(by: Int(call.departure))
                    let uncertainty = try #require(call.uncertainty)
                    found.append(
                        Estimate(
                            ahead: measured.seconds(to: expected), error: expected.seconds(to: left),
                            uncertainty: Int(uncertainty)))
                }
            }
        }
        return found
    }
}
