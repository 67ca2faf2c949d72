internal import TransitModel

/// A cache of stop locations. Stops are read in pages, because consecutive lookups are often for stops that are close
/// to each other in the timetable.
struct StopLocationCache {
    private static let pageSize = 64
    /// The locations by page number; empty for pages that have not been read.
    private var pages: [[StopLocation]] = []

    /// Returns the location of a stop. Throws the errors that the timetable throws.
    mutating func location(of stop: StopIndex, in timetable: any TimetableLookup) throws -> StopLocation {
        let (page, place) = stop.position.quotientAndRemainder(dividingBy: Self.pageSize)
        if page < pages.count, place < pages[page].count { return pages[page][place] }
        while pages.count <= page { pages.append([]) }
        pages[page] = try timetable.stopLocations(ofStops: page * Self.pageSize..<(page + 1) * Self.pageSize)
        // A stop index beyond the last stop is on no page.
        return place < pages[page].count ? pages[page][place] : StopLocation(try timetable.stop(stop))
    }
}
