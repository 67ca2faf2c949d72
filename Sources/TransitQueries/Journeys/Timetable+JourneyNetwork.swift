internal import Synchronization
internal import TransitEngine
internal import TransitModel
internal import TransitStore

extension Timetable {
    /// What a search for journeys reads of this timetable. It is built on first use, which can take seconds.
    package var journeyNetwork: JourneyNetworkState {
        // Built under the lock, so that concurrent requests wait for the same result.
        cachedJourneyNetwork.withLock { known in
            if let known { return known }
            let built = builtJourneyNetwork()
            known = built
            return built
        }
    }

    private func builtJourneyNetwork() -> JourneyNetworkState {
        do {
            var builder = JourneyNetworkBuilder(try JourneyNetworkInput(file))
            for pattern in 0..<file.summary.counts.patterns { builder.add(try file.pattern(PatternIndex(pattern))) }
            // A network that is not written to a file needs no checksum.
            let bytes = builder.finish(source: JourneyNetwork.Source(hash: 0)) { checksum, _ in checksum }
            return .ready(try JourneyNetwork(JourneyNetworkBytes(copying: bytes)))
        } catch {
            return .unavailable("\(error)")
        }
    }
}
