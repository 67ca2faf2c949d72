internal import TransitModel

extension RealtimeDatasetBuilder {
    /// The dataset. What a differential message did not touch is taken over from the one before.
    public consuming func finish() throws -> RealtimeDataset {
        let ownRuns = draft.runs.count
        if isDifferential, let previous { try mergePrevious(previous) }
        trim()
        if !isDifferential, draft.statistics.isEmpty {
            draft.notes.append(skipped > 0 ? .otherDatasets : .empty)
        }
        draft.patterns = matcher.patterns
        sortRuns(ownRuns: ownRuns)
        addMovedCalls()
        return RealtimeDataset(draft)
    }

    /// Takes over what fits beside the message itself: messages do not add up beyond ``RealtimeLimits/memory``.
    private mutating func mergePrevious(_ previous: RealtimeDataset) throws {
        for run in previous.runs where !touched.contains(previous.entity(of: run)) {
            let entity = previous.entity(of: run)
            let calls = previous.calls(of: run)
            let (remark, copyOfTrip) = (previous.remarks[entity], previous.copies[entity])
            let texts = [entity.rawValue, copyOfTrip?.id?.rawValue, copyOfTrip?.headsign, copyOfTrip?.shortName]
            let bytes = Self.memoryOfRun(calls: calls.count) + Self.memory(of: texts) + (remark?.memory ?? 0)
            guard hasRoom(for: bytes) else { continue }
            var copy = run
            copy.entityNumber = Int32(clamping: draft.entities.count)
            draft.entities.append(entity)
            copy.patternNumber = try matcher.number(of: previous.pattern(of: run))
            copy.firstCall = Int32(clamping: draft.calls.count)
            for position in calls.indices {
                let place = position - Int(run.firstCall)
                draft.calls.append(previous.calls[position])
                guard let stop = previous.otherStop(place, of: run) else { continue }
                draft.platformChanges.append(.init(call: copy.firstCall + Int32(place), stop: stop))
            }
            draft.runs.append(copy)
            draft.remarks[entity] = remark
            draft.copies[entity] = copyOfTrip
        }
        draft.extraTrips += previous.extraTripParts.filter { !touched.contains($0.entity) && hasRoom(for: $0.memory) }
        draft.vehicles += previous.vehicles.filter {
            !touched.contains($0.position.id) && hasRoom(for: $0.position.memory)
        }
        draft.alerts += previous.alerts.alerts.filter { !touched.contains($0.id) && hasRoom(for: $0.memory) }
    }

    /// Puts the runs in order; of several for one run the one measured last counts, and an estimate only when it is alone.
    ///
    /// - Parameter ownRuns: the number of runs from this message, which precede the runs of earlier messages.
    private mutating func sortRuns(ownRuns: Int) {
        let runs = draft.runs
        let order = runs.indices.sorted { left, right in
            let (one, other) = (runs[left], runs[right])
            if one.key != other.key { return one.key < other.key }
            if (one.kind == .estimated) != (other.kind == .estimated) { return one.kind == .estimated }
            // A run that is named counts more than one that was found by its plan.
            if (one.match == .scheduledTimes) != (other.match == .scheduledTimes) {
                return one.match == .scheduledTimes
            }
            if let early = one.measured, let late = other.measured, early != late { return early < late }
            if (left < ownRuns) != (right < ownRuns) { return left >= ownRuns }
            return left < right
        }
        var sorted: [RealtimeTrip] = []
        sorted.reserveCapacity(runs.count)
        for number in order {
            let run = runs[number]
            if let last = sorted.last, last.key == run.key {
                if last.kind != .estimated { draft.statistics.repeatedRuns += 1 }
                sorted.removeLast()
            }
            sorted.append(run)
        }
        draft.runs = sorted
    }

    /// Sorts the moved calls. Each must belong to one call of one run. Moved calls of runs that are not in the dataset
    /// are dropped. If several belong to one call, the first one stays.
    private mutating func addMovedCalls() {
        if draft.platformChanges.isEmpty { return }
        let runs = draft.runs.map { run in
            let count = matcher.patterns[Int(run.patternNumber)].stops.count
            return Int(run.firstCall)..<Int(run.firstCall) + count
        }.sorted { $0.lowerBound < $1.lowerBound }
        var next = 0
        var kept: [RealtimeDataset.PlatformChange] = []
        for (_, moved) in draft.platformChanges.enumerated().sorted(by: { ($0.1.call, $0.0) < ($1.1.call, $1.0) }) {
            let call = Int(moved.call)
            while next < runs.count, runs[next].upperBound <= call { next += 1 }
            guard next < runs.count, runs[next].contains(call), kept.last?.call != moved.call else { continue }
            kept.append(moved)
        }
        draft.platformChanges = kept
    }
}
