internal import TransitModel

/// A cache of stop locations. Stops are read in pages, because stops that are looked up are often close to each other
/// in the timetable.
struct StopLocationCache {
    private static let pageSize = 64
    /// By page number; empty for pages that were not read.
    private var pages: [[StopLocation]] = []

    /// Returns the location of a stop. Throws the errors of the timetable.
    mutating func location(of stop: StopIndex, in timetable: any TimetableLookup) throws -> StopLocation {
        let (page, place) = stop.position.quotientAndRemainder(dividingBy: Self.pageSize)
        if page < pages.count, place < pages[page].count { return pages[page][place] }
        while pages.count <= page { pages.append([]) }
        pages[page] = try timetable.stopLocations(ofStops: page * Self.pageSize..<(page + 1) * Self.pageSize)
        // A stop beyond the last one is on no page.
        return place < pages[page].count ? pages[page][place] : StopLocation(try timetable.stop(stop))
    }
}
