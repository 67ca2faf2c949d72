internal import TransitModel

// The part of a feed that is kept (`FeedSubset`).
extension TimetableBuilder {
    /// What the kept trips refer to, by position in the source.
    struct Usage {
        var stops: [Bool]
        var routes: [Bool]
        var services: [Bool]
        var shapes: [Bool]
        /// The number of usable trips.
        var tripCount = 0
    }

    /// The numbers of rows in the source.
    struct SourceSizes {
        var stops: Int
        var routes: Int
        var services: Int
        var shapes: Int
    }

    /// The new positions of the rows to which packed patterns refer. An empty array leaves the positions unchanged.
    struct Renumbering: Sendable {
        var stops: [UInt32] = []
        var routes: [UInt32] = []
        var texts: [UInt32] = []
    }

    /// Keeps only trips that call at a kept stop. Must be called before the first stop time is added.
    mutating func keepTrips(callingAt isStopKept: [Bool]) { selection = TripSelection(isStopKept: isStopKept) }

    /// Counts a trip of the source that is not kept.
    mutating func addOutsideTrip(_ id: UnsafeBufferPointer<UInt8>) { outsideTrips.insert(IdentifierHash.of(id)) }

    /// Whether a trip of the source is not kept.
    func isOutside(_ id: UnsafeBufferPointer<UInt8>) -> Bool {
        if let number = tripIDs.find(id) { return selection?.isOutside(SourceTripNumber(number)) ?? false }
        return !outsideTrips.isEmpty && outsideTrips.contains(IdentifierHash.of(id))
    }

    /// Returns a trip that is kept, or `nil` for another or an unknown trip.
    func keptTrip(_ id: UnsafeBufferPointer<UInt8>) -> SourceTripNumber? {
        guard let trip = trip(id), !(selection?.isOutside(trip) ?? false) else { return nil }
        return trip
    }

    // MARK: Second reading

    /// Prepares for reading the rows of the postponed trips again. Returns false if there are none.
    mutating func beginSecondReading() -> Bool {
        flush()
        guard let selection, selection.postponedCount > 0 else { return false }
        for number in rowCounts.indices where selection.isPostponed(SourceTripNumber(UInt32(number))) {
            rowCounts[number] = 0
        }
        self.selection?.beginSecondReading()
        return true
    }

    /// Whether a row of the trip is needed now. In a second reading, only the rows of postponed trips are.
    @inline(__always)
    func needsRow(of trip: SourceTripNumber) -> Bool {
        guard let selection, selection.isSecondReading else { return true }
        return selection.isPostponed(trip)
    }

    // MARK: Completion

    /// The ``IdentifierHash`` of each trip that is not kept.
    var outsideTripHashes: [UInt64] {
        var hashes = Array(outsideTrips)
        guard let selection else { return hashes }
        for number in 0..<UInt32(tripIDs.count) where selection.isOutside(SourceTripNumber(number)) {
            hashes.append(tripIDs.withBytes(of: number) { IdentifierHash.of($0) })
        }
        return hashes
    }

    /// The number of trips of the source, kept or not.
    var sourceTripCount: Int { tripCount + outsideTrips.count }

    /// Processes all stop times and returns what the kept trips refer to.
    mutating func usage(_ sizes: SourceSizes) -> Usage {
        flush()
        mergeOverflow()
        var usage = Usage(
            stops: Array(repeating: false, count: sizes.stops), routes: Array(repeating: false, count: sizes.routes),
            services: Array(repeating: false, count: sizes.services),
            shapes: Array(repeating: false, count: sizes.shapes))
        var isTextUsed = [Bool](repeating: false, count: texts.count)
        var isPatternUsed = [Bool](repeating: false, count: patterns.count)
        for (number, assignment) in assignments.enumerated()
        where assignment.profile != TripAssignment.unassigned {
            let trip = attributes[number]
            usage.tripCount += 1
            usage.services[trip.service.position] = true
            if let shape = trip.shape { usage.shapes[shape.position] = true }
            for text in [trip.headsign, trip.shortName, trip.block] {
                if let text { isTextUsed[text.position] = true }
            }
            isPatternUsed[Int(profiles.withBytes(of: assignment.profile) { RunningTimesPacking.pattern($0) })] = true
        }
        for number in isPatternUsed.indices where isPatternUsed[number] {
            let pattern = patterns.withBytes(of: UInt32(number)) { CallPacking.unpack($0) }
            usage.routes[pattern.route.position] = true
            for call in pattern.calls {
                usage.stops[call.stop.position] = true
                if let headsign = call.headsign { isTextUsed[headsign.position] = true }
            }
        }
        renumbering.texts = RowSelection(keeping: isTextUsed).positions
        return usage
    }

    /// Gives the patterns the new positions of their routes. Unlike ``keepRoutes(_:routeTypes:)``, it applies to a subset
    /// and can be called after stop times were added.
    mutating func renumberRoutes(_ selection: RowSelection) { renumbering.routes = selection.positions }

    /// Gives the kept trips the new positions of their services and shapes.
    ///
    /// - Parameter shapes: The new position of each shape; `nil` for a shape without points.
    mutating func renumberTrips(services: RowSelection, shapes: [ShapeIndex?]) {
        for number in attributes.indices where assignments[number].profile != TripAssignment.unassigned {
            if let service = services[attributes[number].service.rawValue] {
                attributes[number].service = ServiceIndex(service)
            }
            attributes[number].shape = attributes[number].shape.flatMap { shapes[$0.position] }
        }
    }

    /// The texts that the kept trips use. Consumes ``texts``.
    mutating func keptTexts() -> TextColumn {
        let all = texts
        texts = ByteInterner()
        guard !renumbering.texts.isEmpty else { return all.column() }
        var kept = TextColumn()
        for number in renumbering.texts.indices where renumbering.texts[number] != RowSelection.leftOut {
            all.withBytes(of: UInt32(number)) { kept.append($0) }
        }
        return kept
    }

    /// Returns the position of a text in ``keptTexts()``.
    func renumbered(_ text: TextIndex?) -> TextIndex? {
        renumbering.texts.isEmpty ? text : text.map { TextIndex(renumbering.texts[$0.position]) }
    }
}
