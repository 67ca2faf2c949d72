public import TransitModel

// A restart is no reason to ask what was refused, or whom it was asked to leave alone.
extension ArrivalsScheduler {
    /// What must not be asked yet, to be kept for the next start.
    ///
    /// - Parameter boot: names this run of the machine.
    public func pauses(in boot: BootID, at now: ClockReading) -> ArrivalsBackoff {
        let refused = records.values.compactMap { record -> RefusedArrivalsQuery? in
            guard let status = record.trouble?.refusal, let until = record.notBefore, until.boot > now.boot else {
                return nil
            }
            return RefusedArrivalsQuery(record.query, status: status, until: until)
        }
        let longest = refused.sorted { ($1.until.boot, $0.query) < ($0.until.boot, $1.query) }
        let held = hosts.values.filter { host in HostCircuit(host).opens.map { $0 > now.boot } ?? false }
        return ArrivalsBackoff(
            boot: boot, refused: longest.prefix(ArrivalsBackoff.maximumRefused).sorted { $0.query < $1.query },
            hosts: held.sorted { $0.host < $1.host })
    }

    /// Takes over what must not be asked yet from the run before.
    public mutating func restore(_ pauses: ArrivalsBackoff, in boot: BootID, at now: ClockReading) {
        let carried = PauseConversion(from: pauses.boot, to: boot, now: now)
        for refused in pauses.refused.prefix(capacity) where records[refused.query] == nil {
            let longest = max(limits.refusalLifetime, limits.cooldown)
            guard let until = carried.end(refused.until, atMost: longest) else { continue }
            var record = ArrivalsQueryState(ArrivalsDemand(refused.query, host: nil))
            record.trouble = .refused(status: refused.status)
            record.failures = 1
            record.notBefore = until
            records[refused.query] = record
        }
        for var host in pauses.hosts where hosts[host.host] == nil {
            host.openUntil = host.openUntil.flatMap { carried.end($0, atMost: HostCircuit.longest * 2) }
            host.retryAfter = host.retryAfter.flatMap { carried.end($0, atMost: RetryAfter.longest) }
            guard HostCircuit(host).opens != nil else { continue }
            hosts[host.host] = host
            // The time of the last attempt is not stored.
            lastFailedAttempts[host.host] = now.boot
        }
    }
}

/// Tells when something ends that was to be waited for in another run of the daemon.
private struct PauseConversion {
    /// The boot in which it was written, and that of now.
    var from: BootID
    var to: BootID
    var now: ClockReading

    /// In the time of this boot; `nil` when it is over. While the machine was off only the wall clock went on.
    func end(_ until: ClockReading, atMost seconds: Int) -> ClockReading? {
        let longest = Int64(seconds) * 1000
        let left =
            from == to
            ? now.boot.milliseconds(to: until.boot)
            : Int64(min(max(0, now.wall.seconds(to: until.wall)), seconds)) * 1000
        guard left > 0 else { return nil }
        return now.later(byMilliseconds: min(left, longest))
    }
}

extension ClockReading {
    /// What both clocks will show later, if nobody sets one.
    func later(byMilliseconds value: Int64) -> ClockReading {
        let boot = boot.advanced(byMilliseconds: value)
        return ClockReading(wall: wall(at: boot), boot: boot)
    }
}

extension ArrivalsFailure {
    /// The status with which a question was refused.
    fileprivate var refusal: Int? {
        if case .refused(let status) = self { status } else { nil }
    }
}
