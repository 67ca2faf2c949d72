internal import TransitModel

extension RefreshLedger {
    /// Returns the ledger converted to the time of another boot.
    ///
    /// Ages are computed from the wall clock, the only clock that advances while the machine is off. The age of a time
    /// in the future is unknown. In this case, a success is dropped, so its dataset becomes due; a charged request is
    /// treated as if it were made now; and a pause is limited to the maximum that a host could have requested.
    func converted(over boot: BootID, to now: ClockReading) -> RefreshLedger {
        var ledger = rewritten { reading in
            let age =
                reading.wall.secondsSince1970 > now.wall.secondsSince1970 ? nil : reading.wall.seconds(to: now.wall)
            return age.map { ClockReading(wall: reading.wall, boot: now.boot.advanced(by: -$0)) }
        } pause: { until in
            let left = min(max(0, now.wall.seconds(to: until.wall)), RetryAfter.maximumPause)
            // The pause is no longer than the time that remained when the ledger was saved, whatever the wall clock
            // shows now.
            let maximum = written.map { max(0, $0.boot.milliseconds(to: until.boot)) } ?? .max
            return now.boot.advanced(byMilliseconds: min(Int64(left) * 1000, maximum))
        } spend: {
            $0.wall > now.wall ? now.boot : now.boot.advanced(by: -$0.wall.seconds(to: now.wall))
        }
        ledger.boot = boot
        return ledger
    }

    /// Returns the ledger without impossible times.
    func validated(at now: ClockReading) -> RefreshLedger {
        rewritten {
            $0.boot > now.boot ? nil : $0
        } pause: { until in
            min(until.boot, now.boot.advanced(by: RetryAfter.maximumPause))
        } spend: {
            min($0.boot, now.boot)
        }
    }

    private func rewritten(
        _ past: (ClockReading) -> ClockReading?, pause: (ClockReading) -> BootTime, spend: (ClockReading) -> BootTime
    ) -> RefreshLedger {
        var ledger = self
        ledger.datasets = datasets.mapValues { record in
            var record = record
            record.lastAttempt = record.lastAttempt.flatMap(past)
            record.lastSuccess = record.lastSuccess.flatMap(past)
            record.lastFull = record.lastFull.flatMap(past)
            record.lastChange = record.lastChange.flatMap(past)
            return record
        }
        ledger.hosts = hosts.mapValues { record in
            var record = record
            record.openUntil = record.openUntil.map { ClockReading(wall: $0.wall, boot: pause($0)) }
            record.retryAfter = record.retryAfter.map { ClockReading(wall: $0.wall, boot: pause($0)) }
            return record
        }
        ledger.spends = spends.map { old in
            var new = old
            new.at = ClockReading(wall: old.at.wall, boot: spend(old.at))
            return new
        }
        return ledger
    }
}
