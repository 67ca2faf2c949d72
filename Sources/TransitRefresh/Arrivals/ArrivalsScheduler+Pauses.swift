public import TransitModel

// Saves rejections and the pauses that hosts requested, so that they stay in effect after a restart.
extension ArrivalsScheduler {
    /// Returns the pauses that are in effect, to be saved for the next start.
    ///
    /// - Parameter boot: The current boot.
    public func backoff(in boot: BootID, at now: ClockReading) -> ArrivalsBackoff {
        let refused = records.values.compactMap { record -> RefusedArrivalsQuery? in
            guard let status = record.lastFailure?.refusal, let until = record.notBefore, until.boot > now.boot else {
                return nil
            }
            return RefusedArrivalsQuery(record.query, status: status, until: until)
        }
        let sorted = refused.sorted { ($1.until.boot, $0.query) < ($0.until.boot, $1.query) }
        let held = hosts.values.filter { host in HostCircuit(host).pauseEnd.map { $0 > now.boot } ?? false }
        return ArrivalsBackoff(
            boot: boot, refused: sorted.prefix(ArrivalsBackoff.maximumRefused).sorted { $0.query < $1.query },
            hosts: held.sorted { $0.host < $1.host })
    }

    /// Restores the pauses that the previous run saved.
    public mutating func restore(_ backoff: ArrivalsBackoff, in boot: BootID, at now: ClockReading) {
        let conversion = PauseConversion(from: backoff.boot, to: boot, now: now)
        for refused in backoff.refused.prefix(capacity) where records[refused.query] == nil {
            let maximumPause = max(limits.refusalLifetime, limits.cooldown)
            guard let until = conversion.converted(refused.until, atMost: maximumPause) else { continue }
            var record = ArrivalsQueryState(ArrivalsDemand(refused.query, host: nil))
            record.lastFailure = .refused(status: refused.status)
            record.failures = 1
            record.notBefore = until
            records[refused.query] = record
        }
        for var host in backoff.hosts where hosts[host.host] == nil {
            host.openUntil = host.openUntil.flatMap { conversion.converted($0, atMost: HostCircuit.maximumPause * 2) }
            host.retryAfter = host.retryAfter.flatMap { conversion.converted($0, atMost: RetryAfter.maximumPause) }
            guard HostCircuit(host).pauseEnd != nil else { continue }
            hosts[host.host] = host
            // The time of the last attempt is not saved.
            lastFailedAttempts[host.host] = now.boot
        }
    }
}

/// Converts the ends of pauses from another run of the daemon.
private struct PauseConversion {
    /// The boot in which the pauses were saved, and the current one.
    var from: BootID
    var to: BootID
    var now: ClockReading

    /// Returns the end in the time of this boot; `nil` if it has passed. Only the wall clock advances while the machine
    /// is off.
    func converted(_ until: ClockReading, atMost seconds: Int) -> ClockReading? {
        let maximumPause = Int64(seconds) * 1000
        let left =
            from == to
            ? now.boot.milliseconds(to: until.boot)
            : Int64(min(max(0, now.wall.seconds(to: until.wall)), seconds)) * 1000
        guard left > 0 else { return nil }
        return now.later(byMilliseconds: min(left, maximumPause))
    }
}

extension ClockReading {
    /// Returns the readings of both clocks after a duration, provided that neither clock is set in the meantime.
    func later(byMilliseconds value: Int64) -> ClockReading {
        let boot = boot.advanced(byMilliseconds: value)
        return ClockReading(wall: wall(at: boot), boot: boot)
    }
}

extension ArrivalsFailure {
    /// The HTTP status of a rejection.
    fileprivate var refusal: Int? {
        if case .refused(let status) = self { status } else { nil }
    }
}
