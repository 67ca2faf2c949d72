internal import Logging
internal import Synchronization
internal import TransitEngine
internal import TransitModel
internal import TransitStore

// What was refused, and who asked to be left alone, outlives a restart.
extension ArrivalsDesk {
    /// Takes over what the run before must not have asked yet.
    func restorePauses(_ counter: inout ArrivalsCounter) {
        do throws(StoreError) {
            guard let kept = try tools.state.arrivalsPauses(of: counter.configuration.id) else { return }
            counter.savedPauses = kept
            counter.plan.restore(kept, in: tools.boot, at: tools.clock.reading())
        } catch {
            logUnreadable(error)
        }
    }

    /// Writes what must not be asked yet, where it is something else than before.
    func savePauses(of feed: FeedID) {
        saving.withLock { _ in
            guard let pauses = unsavedPauses(of: feed) else { return }
            do throws(StoreError) {
                try tools.state.saveArrivalsPauses(pauses, of: feed)
                // Not before: what could not be written is written with the next answer.
                counters.withLock { $0[feed]?.savedPauses = pauses }
            } catch {
                tools.logger.error("What \(feed) has refused is not kept for the next start: \(error)")
            }
        }
    }

    /// `nil`: it is as on the disk.
    func unsavedPauses(of feed: FeedID) -> ArrivalsPauses? {
        let now = tools.clock.reading()
        return counters.withLock { counters in
            guard let counter = counters[feed] else { return nil }
            let pauses = counter.plan.pauses(in: tools.boot, at: now)
            let isNews = counter.savedPauses.map { $0 != pauses } ?? !pauses.isEmpty
            return isNews ? pauses : nil
        }
    }

    /// Feeds that are gone, or have another source, have refused nothing.
    func forgetPauses(of gone: [FeedID]) {
        saving.withLock { _ in
            let known = counters.withLock { Array($0.keys) }.filter { !gone.contains($0) }
            do throws(StoreError) { try tools.state.forgetArrivalsPauses(besides: known) } catch {
                logUnreadable(error)
            }
        }
    }

    private func logUnreadable(_ error: StoreError) {
        tools.logger.error("What sources of arrivals have refused cannot be read: \(error)")
    }
}
