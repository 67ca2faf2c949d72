import Testing
import TransitFeeds
import TransitModel
import TransitTestSupport

/// Compares the times of all trips in feeds of real agencies with a second, simple reader.
@Suite(.enabled(if: SharedData.isAvailable, "recorded feeds are not available"))
struct RealFeedTests {
    /// Feeds that cannot be imported, and a text that the error contains.
    private static let refused: [String: String] = [
        "caltrain/tiny-synthetic-a7ay.zip": "no agency.txt",
        "cutr/badgtfs.zip": "none of its 3 files is a GTFS table",
        "oba-modules/auburn-transit-flex.zip": "not supported",
        "oba-modules/badagency.zip": "no stops.txt",
        "oba-modules/brown-county-flex.zip": "neither calendar.txt nor calendar_dates.txt",
        "oba-modules/piercetransit-stop-areas-flex.zip": "not supported",
        "other/ctran-flex.zip": "not supported",
        "other/ggl_gtfs.zip": "PST",
        "other/vbb-2021-calendars-only.zip": "calendar.csv",
        "partridge/empty.zip": "agency.txt has no agency",
        "r5/fake-agency.zip": "runs on any date",
    ]

    @Test(arguments: SharedData.zips("gtfs")) func timesEqualReferenceReader(name: String) throws {
        let source = try FileByteSource(path: SharedData.path("gtfs", name))
        let options = GTFSReader.Options(today: date(2026, 3, 4), isKnownZone: { $0.contains("/") })
        let reading: GTFSReading
        do {
            reading = try GTFSReader(source, options: options).read()
            #expect(Self.refused[name] == nil)
        } catch {
            let cause = try #require(Self.refused[name], "refused: \(error)")
            #expect("\(error)".contains(cause))
            return
        }
        expectOrder(reading.draft.patterns, reading.draft.trips)
        let archive = try ZipArchive(source)
        let size = archive.table("stop_times.txt")?.size ?? 0
        // In large feeds, only one in a hundred trips is compared, because the simple reader is slow.
        let parts: UInt64 = size < 200_000 ? 1 : size < 2_000_000 ? 10 : 100
        let reference = try ReferenceFeed(path: SharedData.path("gtfs", name), reading: .part(of: parts))
        if size < 200_000 {
            #expect(reading.draft.stopTimeCount == reference.stopTimeCount)
            #expect(reading.draft.trips.count == reference.trips.count)
        }
        if reading.report.count(.error) == 0, !reading.report.findings.contains(where: Self.skipsRows) {
            #expect(reading.draft.stopTimeCount == reference.lineCount)
        }
        #expect(!reference.trips.isEmpty)
        compare(reading.draft, reference)
    }

    private static func skipsRows(_ finding: ValidationReport.Finding) -> Bool {
        ["flexible_service_not_supported", "unusable_trip", "row_of_skipped_trip"].contains(finding.rule)
    }

    private func compare(_ draft: TimetableDraft, _ reference: ReferenceFeed) {
        var missing = Set(reference.trips.keys)
        var wrong: [String] = []
        draft.patterns.forEachPattern { pattern in
            let stops = pattern.calls.map { draft.stops[$0.stop.position].id.rawValue }
            for timingGroup in pattern.timingGroups {
                for (position, start) in timingGroup.starts.enumerated() {
                    let id = draft.trips.ids[timingGroup.trip(position).position]
                    guard let calls = reference.trips[id] else { continue }
                    missing.remove(id)
                    let isSame =
                        calls.count == stops.count
                        && calls.indices.allSatisfy { call in
                            calls[call]
                                == ReferenceFeed.Call(
                                    stop: stops[call], sequence: Int(pattern.calls[call].sequence),
                                    arrival: Int(start + timingGroup.times[call].arrival),
                                    departure: Int(start + timingGroup.times[call].departure),
                                    isExact: timingGroup.times[call].isExact,
                                    canBoard: pattern.calls[call].pickup != .none)
                        }
                    if !isSame { wrong.append(id) }
                }
            }
        }
        #expect(missing.isEmpty)
        #expect(wrong.isEmpty, "\(wrong.count) trips differ, the first is \(wrong.first ?? "")")
    }
}
