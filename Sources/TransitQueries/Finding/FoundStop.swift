internal import TransitEngine
package import TransitModel
package import TransitStore

/// A stop in a timetable that matches a text.
package struct FoundStop: Sendable {
    package var timetable: Timetable
    package var index: StopIndex
    package var stop: Stop
    /// Stops with the same name on the other side of the road or tracks, if the feed has no station for them.
    package var namesakes: [StopIndex] = []

    package init(timetable: Timetable, index: StopIndex, stop: Stop, namesakes: [StopIndex] = []) {
        self.timetable = timetable
        self.index = index
        self.stop = stop
        self.namesakes = namesakes
    }

    /// `feed:stop_id`.
    package var reference: QualifiedStop { QualifiedStop(feed: timetable.feed, stop: stop.id) }

    /// The time zone of the stop's times: the stop's own or, if it has none, the agency's.
    package var zone: ServiceZone {
        get throws(StoreError) { try timetable.cachedStop(index).zone ?? timetable.zone }
    }

    /// The stops at which trips call: a station's platforms, the platform of a boarding area, or the platforms of an
    /// entrance's station, plus the platforms of the namesakes.
    package func callingStops() throws(StoreError) -> [StopIndex] {
        var stops = try ownCallingStops()
        for namesake in namesakes where !stops.contains(namesake) { stops.append(namesake) }
        return stops
    }

    private func ownCallingStops() throws(StoreError) -> [StopIndex] {
        switch stop.kind {
        case .platform: return [index]
        case .station: return try Self.platforms(of: index, in: timetable)
        case .entrance, .node:
            return try stop.parent.map { (p) throws(StoreError) in try Self.platforms(of: p, in: timetable) } ?? []
        case .boardingArea: return stop.parent.map { [$0] } ?? [index]
        }
    }

    /// Returns the identifiers of the stop and its namesakes. They are stored when a user refers to the stop by name.
    package func references() throws(StoreError) -> [QualifiedStop] {
        var references = [reference]
        for namesake in namesakes {
            references.append(QualifiedStop(feed: timetable.feed, stop: try timetable.cachedStop(namesake).id))
        }
        return references
    }

    /// The maximum distance in meters between stops with the same name that riders treat as a single stop.
    package static let namesakeDistance = 300.0

    /// Returns this stop together with the stops that have the same name and are nearby or belong to the same station.
    package func withNamesakes() throws(StoreError) -> FoundStop {
        guard stop.kind == .platform else { return self }
        var joined = self
        var others: [StopIndex] = []
        if let place = stop.coordinate {
            others = try timetable.file.stops(near: place, within: Self.namesakeDistance).map(\.stop)
        }
        if let parent = stop.parent { others += try timetable.file.children(of: parent) }
        for other in others where other != index && !joined.namesakes.contains(other) {
            let stop = try timetable.file.stop(other)
            if stop.kind == .platform, SearchText.fold(stop.name) == SearchText.fold(self.stop.name) {
                joined.namesakes.append(other)
            }
        }
        return joined
    }

    /// Returns this stop as a search for its name finds it: with all platforms that riders treat as the same stop.
    ///
    /// Where several platforms of one name lie in a row, each within ``namesakeDistance`` of the next, the first ones in
    /// the feed determine which of them are one stop. The result is the same for each of them.
    package func wholeStop() throws(StoreError) -> FoundStop {
        guard stop.kind == .platform || stop.kind == .station else { return self }
        let name = SearchText.fold(stop.name)
        var reached: [StopIndex: FoundStop] = [index: self]
        var open: [FoundStop] = [FoundStop(timetable: timetable, index: index, stop: stop)]
        while let one = open.popLast() {
            var near: [StopIndex] = []
            if let place = one.stop.coordinate {
                near = try timetable.file.stops(near: place, within: Self.namesakeDistance).map(\.stop)
            }
            if let parent = one.stop.parent { near += [parent] + (try timetable.file.children(of: parent)) }
            for other in near where reached[other] == nil {
                let found = FoundStop(timetable: timetable, index: other, stop: try timetable.file.stop(other))
                guard [.platform, .station].contains(found.stop.kind), SearchText.fold(found.stop.name) == name else {
                    continue
                }
                reached[other] = found
                open.append(found)
            }
        }
        // A station represents its platforms.
        let listed = reached.values.filter { found in !(found.stop.parent.map { reached[$0] != nil } ?? false) }
        let own = stop.parent.flatMap { reached[$0] == nil ? nil : $0 } ?? index
        return Self.joined(listed.sorted { $0.index < $1.index }).first { found in
            found.index == own || found.namesakes.contains(own)
        } ?? self
    }

    /// Joins the stops that riders treat as one, in the given order, with stations first.
    static func joined(_ stops: [FoundStop]) -> [FoundStop] {
        if stops.count < 2 { return stops }
        var joined: [FoundStop] = []
        for stop in stops.filter({ $0.stop.kind == .station }) + stops.filter({ $0.stop.kind != .station }) {
            if let known = joined.firstIndex(where: { $0.isOne(with: stop) }) {
                joined[known].namesakes += [stop.index] + stop.namesakes
            } else {
                joined.append(stop)
            }
        }
        return joined
    }

    /// Whether riders treat the two stops as one: platforms with the same parent, or stops with the same name that are
    /// close to each other.
    package func isOne(with other: FoundStop) -> Bool {
        guard timetable === other.timetable else { return false }
        if let parent = stop.parent, parent == other.stop.parent, stop.kind == .platform, other.stop.kind == .platform {
            return true
        }
        guard [.platform, .station].contains(stop.kind), other.stop.kind == .platform,
            let place = stop.coordinate, let otherPlace = other.stop.coordinate
        else { return false }
        return SearchText.fold(stop.name) == SearchText.fold(other.stop.name)
            && place.distance(to: otherPlace) <= Self.namesakeDistance
    }

    /// Returns the platforms of a station and the station itself, because some feeds let trips call there.
    private static func platforms(of station: StopIndex, in timetable: Timetable) throws(StoreError) -> [StopIndex] {
        var stops = [station]
        for child in try timetable.file.children(of: station) where try timetable.file.stop(child).kind == .platform {
            stops.append(child)
        }
        return stops
    }
}
