internal import TransitModel

/// Stops of a timetable that were met, read by the page: a stop that is met is seldom alone.
struct StopLocationCache {
    private static let pageSize = 64
    /// By number; empty where none of its stops was met.
    private var pages: [[StopLocation]] = []

    /// Throws what the timetable throws.
    mutating func outline(_ stop: StopIndex, _ timetable: any TimetableLookup) throws -> StopLocation {
        let (page, place) = stop.position.quotientAndRemainder(dividingBy: Self.pageSize)
        if page < pages.count, place < pages[page].count { return pages[page][place] }
        while pages.count <= page { pages.append([]) }
        pages[page] = try timetable.stopLocations(ofStops: page * Self.pageSize..<(page + 1) * Self.pageSize)
        // A stop behind the last one is no place of a page.
        return place < pages[page].count ? pages[page][place] : StopLocation(try timetable.stop(stop))
    }
}
