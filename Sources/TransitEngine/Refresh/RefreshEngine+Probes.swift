internal import TransitModel

/// A try of a failing host that comes before the circuit and the retries of its datasets plan it, since somebody asked.
struct PendingProbe: Hashable, Sendable {
    /// When the first of them asked.
    var since: BootTime
    /// Any one of these is fetched as the probe.
    var datasets: Set<DatasetID>

    /// A host that fails is tried once in so many seconds at most, however many ask.
    static let spacing = 60
    /// A question that had no probe for so many seconds is forgotten.
    static let lifetime = Demand.questionLasts
}

// Who asks while a host fails does not wait for the end of its pause, which may be a quarter of an hour: the next try is
// brought forward, and takes the place of the one that was planned. `Retry-After`, the next look at a rejected key and the
// spacing of an endpoint hold all the same.
extension RefreshEngine {
    /// Takes note of who could use a feed's live data. A question brings the probes of its failing hosts forward.
    mutating func take(_ new: Demand, of feed: FeedID, _ now: ClockReading) {
        let isQuestion = new.lastQuestion != nil && new.lastQuestion != demand[feed]?.lastQuestion
        demand[feed] = new
        guard isQuestion else { return }
        for id in configuration.datasets.keys where id.feed == feed && id.kind.isLive { wantProbe(id, now) }
    }

    /// Somebody waits for a dataset: if its host fails, or the dataset alone, it is tried soon.
    mutating func wantProbe(_ id: DatasetID, _ now: ClockReading) {
        guard let host = configuration.datasets[id]?.source.host, !faults.contains(.noProbes) else { return }
        let isHostDown = hosts[host].map { HostCircuit($0).isOpen(at: now.boot) } ?? false
        guard isHostDown || datasets[id]?.consecutiveFailures ?? 0 > 0 else { return }
        var probe = probes[host] ?? PendingProbe(since: now.boot, datasets: [])
        if probe.since.advanced(by: PendingProbe.lifetime) <= now.boot {
            probe = PendingProbe(since: now.boot, datasets: [])
        }
        probe.datasets.insert(id)
        probes[host] = probe
    }

    /// When a dataset may be fetched as the probe of its host; `nil` where nobody asked, or another rule decides.
    func probeMoment(_ id: DatasetID, _ source: DatasetSource, _ now: ClockReading) -> BootTime? {
        guard let host = source.host, let probe = probes[host], probe.datasets.contains(id),
            probe.since.advanced(by: PendingProbe.lifetime) > now.boot, let spacing = probeSpacing(source)
        else { return nil }
        if let record = datasets[id], requests[id] == nil {
            if source.isKeyed, record.isDenied { return nil }
            // An archive that cannot be used is large, and the same in a minute.
            if !id.kind.isLive, record.failureLasts { return nil }
        }
        guard let last = lastTryInVain(source, now) else { return probe.since }
        return max(probe.since, last.advanced(by: spacing))
    }

    /// Seconds from one probe to the next; `nil` where the key's budget has none to spare.
    private func probeSpacing(_ source: DatasetSource) -> Int? {
        if faults.contains(.probesNotSpaced) { return 0 }
        guard let key = source.key, let book = books[key], !faults.contains(.probesNotMetered) else {
            return PendingProbe.spacing
        }
        return book.probeSpacing.map { max($0, PendingProbe.spacing) }
    }

    /// When something was last asked of the host, or with the key, that has not been answered since.
    private func lastTryInVain(_ source: DatasetSource, _ now: ClockReading) -> BootTime? {
        var last: BootTime?
        for (id, dataset) in configuration.datasets {
            let isOfKey = source.key != nil && dataset.source.key == source.key
            guard dataset.source.host == source.host || isOfKey, let record = datasets[id],
                record.consecutiveFailures > 0, let attempt = record.lastAttempt
            else { continue }
            last = max(last ?? attempt.boot, attempt.boot)
        }
        return last.map { min($0, now.boot) }
    }

    /// Whether the fetch that begins now is a probe before its time. Whoever waited for one has it.
    mutating func beginsEarlyProbe(_ id: DatasetID, _ source: DatasetSource, _ now: ClockReading) -> Bool {
        guard let host = source.host else { return false }
        let circuit = hosts[host].map { HostCircuit($0) }
        if circuit?.isHalfOpen == true || probes[host]?.datasets.contains(id) == true { probes[host] = nil }
        return circuit?.isOpen(at: now.boot) ?? false
    }
}
