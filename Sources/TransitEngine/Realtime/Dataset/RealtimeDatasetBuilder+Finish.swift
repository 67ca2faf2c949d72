internal import TransitModel

extension RealtimeDatasetBuilder {
    /// Returns the dataset. If the message is differential, entities that it does not mention are copied from the
    /// previous dataset.
    public consuming func finish() throws -> RealtimeDataset {
        let ownTrips = draft.trips.count
        if isDifferential {
            draft.lostChanges = (previous?.lostChanges ?? lostChanges)?
                .after(mentioning: draft.trips.lazy.map(\.key), at: draft.received)
            if let previous { try mergePrevious(previous) }
        } else {
            draft.lostChanges = lostChanges
            try retainMissingTrips()
        }
        endWithdrawal()
        trim()
        if !isDifferential, draft.statistics.isEmpty {
            draft.notes.append(skipped > 0 ? .otherDatasets : .empty)
        }
        draft.patterns = matcher.patterns
        sortTrips(ownTrips: ownTrips)
        addMovedCalls()
        return RealtimeDataset(draft)
    }

    /// Copies the data that fits into ``RealtimeLimits/memory`` together with the message, so that consecutive messages
    /// do not exceed the limit.
    private mutating func mergePrevious(_ previous: RealtimeDataset) throws {
        try retainTrips(ofPrevious: previous)
        for instance in previous.trips
        where instance.retention == 0 && !changedEntities.contains(previous.entity(of: instance)) {
            if let kept = try copy(instance, of: previous) { draft.trips.append(kept) }
        }
        draft.extraTrips += previous.extraTripParts.filter {
            $0.retention == 0 && !changedEntities.contains($0.entity) && hasRoom(for: $0.memory)
        }
        draft.vehicles += previous.vehicles.filter {
            !changedEntities.contains($0.position.id) && hasRoom(for: $0.position.memory)
        }
        draft.alerts += previous.alerts.alerts.filter { !changedEntities.contains($0.id) && hasRoom(for: $0.memory) }
    }

    /// Copies a trip's calls, platform changes and texts from the previous dataset, and returns the trip. Returns `nil`
    /// if it does not fit.
    mutating func copy(_ instance: RealtimeTrip, of previous: RealtimeDataset) throws -> RealtimeTrip? {
        let entity = previous.entity(of: instance)
        let calls = previous.calls(of: instance)
        let (remark, copyOfTrip) = (previous.remarks[entity], previous.duplicatedTrips[entity])
        let texts = [entity.rawValue, copyOfTrip?.id?.rawValue, copyOfTrip?.headsign, copyOfTrip?.shortName]
        let bytes = Self.memoryOfTrip(calls: calls.count) + Self.memory(of: texts) + (remark?.memory ?? 0)
        guard hasRoom(for: bytes) else { return nil }
        var copy = instance
        copy.entityNumber = Int32(clamping: draft.entities.count)
        draft.entities.append(entity)
        copy.patternNumber = try matcher.number(of: previous.pattern(of: instance))
        copy.firstCall = Int32(clamping: draft.calls.count)
        for position in calls.indices {
            let place = position - Int(instance.firstCall)
            draft.calls.append(previous.calls[position])
            guard let stop = previous.otherStop(place, of: instance) else { continue }
            draft.platformChanges.append(.init(call: copy.firstCall + Int32(place), stop: stop))
        }
        // An entity of the message itself may have the same identifier.
        if draft.remarks[entity] == nil { draft.remarks[entity] = remark }
        if draft.duplicatedTrips[entity] == nil { draft.duplicatedTrips[entity] = copyOfTrip }
        if draft.refusedTimes[entity] == nil { draft.refusedTimes[entity] = previous.refusedTimes[entity] }
        return copy
    }

    /// Sorts the trips by key. If several entries describe one trip, the most recently measured one is used. An
    /// estimate is used only if there is no other entry.
    ///
    /// - Parameter ownTrips: the number of trips from this message, which precede the trips of earlier messages.
    private mutating func sortTrips(ownTrips: Int) {
        let trips = draft.trips
        let order = trips.indices.sorted { left, right in
            let (one, other) = (trips[left], trips[right])
            if one.key != other.key { return one.key < other.key }
            if (one.kind == .estimated) != (other.kind == .estimated) { return one.kind == .estimated }
            // A trip matched by its identifier takes precedence over a trip matched by its scheduled times.
            if (one.match == .scheduledTimes) != (other.match == .scheduledTimes) {
                return one.match == .scheduledTimes
            }
            if let early = one.measured, let late = other.measured, early != late { return early < late }
            if (left < ownTrips) != (right < ownTrips) { return left >= ownTrips }
            return left < right
        }
        var sorted: [RealtimeTrip] = []
        sorted.reserveCapacity(trips.count)
        for number in order {
            let instance = trips[number]
            if let last = sorted.last, last.key == instance.key {
                if last.kind != .estimated { draft.statistics.repeatedTrips += 1 }
                sorted.removeLast()
            }
            sorted.append(instance)
        }
        draft.trips = sorted
    }

    /// Sorts the moved calls. Removes moved calls of trips that are not in the dataset. If several moved calls belong
    /// to one call, keeps the first.
    private mutating func addMovedCalls() {
        if draft.platformChanges.isEmpty { return }
        let calls = draft.trips.map { instance in
            let count = matcher.patterns[Int(instance.patternNumber)].stops.count
            return Int(instance.firstCall)..<Int(instance.firstCall) + count
        }.sorted { $0.lowerBound < $1.lowerBound }
        var next = 0
        var kept: [RealtimeDataset.PlatformChange] = []
        for (_, moved) in draft.platformChanges.enumerated().sorted(by: { ($0.1.call, $0.0) < ($1.1.call, $1.0) }) {
            let call = Int(moved.call)
            while next < calls.count, calls[next].upperBound <= call { next += 1 }
            guard next < calls.count, calls[next].contains(call), kept.last?.call != moved.call else { continue }
            kept.append(moved)
        }
        draft.platformChanges = kept
    }
}
