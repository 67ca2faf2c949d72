internal import TransitModel

extension RefreshLedger {
    /// The ledger in the time of another boot.
    ///
    /// How long ago something was is told by the wall clock, the only one that goes on while the machine is off. What
    /// seems to lie in the future cannot be told: a success counts as none, which makes its dataset due and no more; a
    /// spend counts as made now; a pause is cut to what could have been asked for.
    func carried(over boot: BootID, to now: ClockReading) -> RefreshLedger {
        var ledger = rewritten { reading in
            let age =
                reading.wall.secondsSince1970 > now.wall.secondsSince1970 ? nil : reading.wall.seconds(to: now.wall)
            return age.map { ClockReading(wall: reading.wall, boot: now.boot.advanced(by: -$0)) }
        } pause: { until in
            let left = min(max(0, now.wall.seconds(to: until.wall)), RetryAfter.longest)
            // No more than was left of it when it was written, whatever the wall clock says now.
            let most = written.map { max(0, $0.boot.milliseconds(to: until.boot)) } ?? .max
            return now.boot.advanced(byMilliseconds: min(Int64(left) * 1000, most))
        } spend: {
            $0.wall > now.wall ? now.boot : now.boot.advanced(by: -$0.wall.seconds(to: now.wall))
        }
        ledger.boot = boot
        return ledger
    }

    /// The same ledger without moments that cannot be true.
    func checked(at now: ClockReading) -> RefreshLedger {
        rewritten {
            $0.boot > now.boot ? nil : $0
        } pause: { until in
            min(until.boot, now.boot.advanced(by: RetryAfter.longest))
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
