internal import TransitEngine
package import TransitModel
package import TransitStore

/// A stop with its platforms and routes. Resolved once.
package struct StopQuery {
    package let found: FoundStop
    /// The same stop in the agency's other feed.
    package let sameStop: FoundStop?

    /// - Parameters:
    ///   - stop: A text that ``StopFinder`` accepts.
    ///   - feed: The feed that has the stop; `nil` for any.
    /// - Throws: The errors of ``StopFinder``, and `StoreError`.
    package init(_ stop: String, feed: FeedID?, _ context: QueryContext) throws {
        found = try StopFinder(context.timetables(of: feed, naming: stop), context).find(stop)
        sameStop = try context.sameStop(of: found)
    }

    /// Whether the query still refers to the current versions of its timetables.
    package func isCurrent(_ context: QueryContext) -> Bool { stops.allSatisfy { context.isCurrent($0.timetable) } }

    /// The stop in each of the agency's feeds.
    package var stops: [FoundStop] { [found, sameStop].compactMap(\.self) }

    /// The stop of the other feed that is shown as the same stop. A station has none, but its platforms may.
    package var shownSameStop: FoundStop? { found.stop.kind == .platform ? sameStop : nil }

    /// Returns the whole stop, as a search for its name finds it, if the query is for one of several platforms that have
    /// no station. Other platforms may have other routes.
    package func wholeStop() throws(StoreError) -> FoundStop? {
        guard found.stop.kind == .platform, found.stop.parent == nil, found.namesakes.isEmpty else { return nil }
        let whole = try found.wholeStop()
        return whole.namesakes.isEmpty ? nil : whole
    }

    /// Returns the children of the stop in the feed and, if the feed has no station for them, the platforms that riders
    /// treat as one stop.
    package func children() throws(StoreError) -> [StopIndex] {
        let children = try found.timetable.file.children(of: found.index)
        guard !found.namesakes.isEmpty else { return children }
        let platforms = found.stop.kind == .platform ? [found.index] : []
        return children + (platforms + found.namesakes).filter { !children.contains($0) }
    }

    /// Returns the transfers to other stops.
    package func transfers() throws(StoreError) -> [Transfer] {
        try found.timetable.file.transfers(from: found.index).filter { $0.toStop != nil }
    }
}
