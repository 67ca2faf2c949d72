internal import TransitModel

// Adds trips that the timetable lacks: copies of its trips at other times, and extra trips.
extension RealtimeDatasetBuilder {
    /// Adds a copy of a trip at another date and time (*TripProperties*).
    mutating func addCopy(_ update: TripUpdate) throws {
        guard let id = update.trip.tripID, let known = try matcher.trip(id) else {
            return draft.statistics.addUnmatched(.unknownTrip, update.trip, entity: update.id)
        }
        guard let date = update.properties?.startDate ?? update.trip.startDate,
            let start = update.properties?.startTime ?? update.trip.startTime
        else { return draft.statistics.addUnmatched(.incompleteCopy, update.trip, entity: update.id) }
        draft.statistics.matchedTrips += 1
        callPositions.removeAll(keepingCapacity: true)
        try findCalls(of: update, on: known)
        var instance = matcher.tripInstance(known, on: date, start: start.seconds, match: .tripAndDate)
        // Distinguishes the copy from the original trip.
        instance.key.frequencyStart = start
        try add(instance, kind: .duplicated, update)
        memory += Self.memory(of: [
            update.properties?.tripID?.rawValue, update.properties?.headsign, update.properties?.shortName,
        ])
        draft.duplicatedTrips[update.id] = RealtimeDataset.DuplicatedTrip(
            id: update.properties?.tripID, headsign: update.properties?.headsign,
            shortName: update.properties?.shortName)
    }

    /// Adds an extra trip.
    ///
    /// - Parameter instance: the trip instance that the trip replaces. Fields that are missing from the message are taken
    ///   from this instance.
    mutating func addExtraTrip(
        _ update: TripUpdate, kind: ExtraTrip.Kind, replacing instance: MatchedTrip? = nil
    ) throws {
        let kind = kind == .added && matcher.context.isWithoutTimes ? .withoutTimetable : kind
        guard var trip = try ExtraTrip(update, kind: kind, replaced: instance?.key, matcher: matcher) else {
            return draft.statistics.addUnmatched(.withoutCalls, update.trip, entity: update.id)
        }
        trip.measured = measured(trip, before: lastExtraTrips[update.id])
        if let instance {
            let pattern = matcher.patterns[Int(instance.known.patternNumber)].pattern
            trip.route = trip.route ?? pattern.route
            trip.direction = trip.direction ?? pattern.direction
            trip.serviceDate = instance.key.serviceDate
        } else {
            draft.statistics.matchedTrips += 1
        }
        draft.statistics.unmatchedStops += update.updates.count - trip.calls.count
        memory += trip.memory
        draft.extraTrips.append(trip)
    }
}
