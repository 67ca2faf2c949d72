internal import TransitModel

extension LiveDatasetBuilder {
    /// The dataset. What a differential message did not touch is taken over from the one before.
    public consuming func finish() throws -> LiveDataset {
        if isDifferential, let previous { try takeOver(previous) }
        if !isDifferential, draft.tally.isEmpty {
            draft.notes.append(skipped > 0 ? .otherDatasets : .empty)
        }
        draft.patterns = matcher.patterns
        sortRuns()
        return LiveDataset(draft)
    }

    private mutating func takeOver(_ previous: LiveDataset) throws {
        // Before the runs of this message: of several for one run the later one counts.
        let new = draft.runs
        draft.runs = []
        for run in previous.runs where !touched.contains(previous.entity(of: run)) {
            var copy = run
            copy.entityNumber = Int32(clamping: draft.entities.count)
            draft.entities.append(previous.entity(of: run))
            copy.patternNumber = try matcher.number(of: previous.pattern(of: run))
            copy.firstCall = Int32(clamping: draft.calls.count)
            for position in previous.calls(of: run).indices {
                let place = position - Int(run.firstCall)
                draft.calls.append(previous.calls[position])
                guard let stop = previous.otherStop(place, of: run) else { continue }
                draft.otherStops.append(.init(call: copy.firstCall + Int32(place), stop: stop))
            }
            draft.runs.append(copy)
        }
        draft.runs += new
        draft.extraTrips += previous.extraParts.filter { !touched.contains($0.entity) }
        draft.vehicles += previous.vehicles.filter { !touched.contains($0.position.id) }
        draft.alerts += previous.alerts.alerts.filter { !touched.contains($0.id) }
        draft.remarks.merge(previous.remarks.filter { !touched.contains($0.key) }) { new, _ in new }
        draft.copies.merge(previous.copies.filter { !touched.contains($0.key) }) { new, _ in new }
    }

    /// Puts the runs in order; of several for one run the one measured last counts, and an estimate only when it is alone.
    /// The moved calls of runs that are dropped go with them.
    private mutating func sortRuns() {
        let runs = draft.runs
        let order = runs.indices.sorted { left, right in
            let (one, other) = (runs[left], runs[right])
            if one.key != other.key { return one.key < other.key }
            if (one.kind == .estimated) != (other.kind == .estimated) { return one.kind == .estimated }
            // A run that is named counts more than one that was found by its plan.
            if (one.match == .aimed) != (other.match == .aimed) { return one.match == .aimed }
            if let early = one.measured, let late = other.measured, early != late { return early < late }
            return left < right
        }
        var sorted: [LiveRun] = []
        var dropped: [Range<Int32>] = []
        sorted.reserveCapacity(runs.count)
        for number in order {
            let run = runs[number]
            if let last = sorted.last, last.key == run.key {
                if last.kind != .estimated { draft.tally.repeatedRuns += 1 }
                dropped.append(calls(of: sorted.removeLast()))
            }
            sorted.append(run)
        }
        draft.runs = sorted
        keepMovedCalls(besides: dropped)
    }

    /// The positions of a run's calls in the draft's calls.
    private func calls(of run: LiveRun) -> Range<Int32> {
        let count = matcher.patterns[Int(run.patternNumber)].stops.count
        return run.firstCall..<run.firstCall + Int32(clamping: count)
    }

    /// Sorts the moved calls, drops those of runs that are not in the dataset, and keeps the first of several for one call:
    /// each must belong to one call of one run of the dataset.
    private mutating func keepMovedCalls(besides dropped: [Range<Int32>]) {
        if draft.otherStops.isEmpty { return }
        let dropped = dropped.sorted { $0.lowerBound < $1.lowerBound }
        var next = 0
        var kept: [LiveDataset.OtherStop] = []
        for (_, moved) in draft.otherStops.enumerated().sorted(by: { ($0.1.call, $0.0) < ($1.1.call, $1.0) }) {
            while next < dropped.count, dropped[next].upperBound <= moved.call { next += 1 }
            if next < dropped.count, dropped[next].contains(moved.call) { continue }
            if kept.last?.call == moved.call { continue }
            kept.append(moved)
        }
        draft.otherStops = kept
    }
}
