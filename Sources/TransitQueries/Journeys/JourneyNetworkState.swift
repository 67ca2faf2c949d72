internal import Synchronization
internal import TransitEngine
package import TransitModel
package import TransitStore

/// Whether the ``JourneyNetwork`` of a timetable can be searched.
package enum JourneyNetworkState: Sendable {
    case ready(JourneyNetwork)
    /// The network is being built from the timetable.
    case building
    /// The network cannot be built or written, for the stated reason: a sentence without paths.
    case unavailable(String)
}

extension Timetable {
    /// The network for searches of journeys. It is opened when it is first requested, and built if there is none; all
    /// requests share one object. A search that holds it is not affected by a new version of the timetable.
    ///
    /// - Parameter walkingDistance: The greatest straight-line distance of a walk between two stops, in meters. A network for
    ///   another distance is replaced.
    package func journeyNetwork(
        walkingDistance: Double = JourneyNetworkInput.defaultWalkingDistance
    ) -> JourneyNetworkState { openedNetwork.state(of: self, walkingDistance) }

    /// Ends the building of the network that a request began.
    ///
    /// - Parameters:
    ///   - network: `nil` if it could not be built. The next request asks to build it again.
    ///   - walkingDistance: The distance for which it was to be built.
    package func finishJourneyNetwork(
        _ network: JourneyNetwork?, walkingDistance: Double = JourneyNetworkInput.defaultWalkingDistance
    ) { openedNetwork.finish(network, walkingDistance) }
}

/// The network of a timetable, opened or built when it is first requested.
final class OpenedJourneyNetwork: Sendable {
    /// Begins to build the network of a timetable for a walking distance, which ends with
    /// ``Timetable/finishJourneyNetwork(_:walkingDistance:)``. Returns the reason if it does not begin, as a sentence without
    /// paths.
    typealias Build = @Sendable (Timetable, Double) -> String?

    private enum Stage {
        case unopened
        /// There is no usable file, and none is being built.
        case missing
        case building
        case ready(JourneyNetwork)
        case unavailable(String)
    }

    private struct State {
        /// The greatest distance of a walk for which the network is, in meters.
        var walkingDistance: Double
        var stage = Stage.unopened
    }

    private let state = Mutex(State(walkingDistance: JourneyNetworkInput.defaultWalkingDistance))
    private let build: Build?

    /// - Parameter build: `nil` to build networks in memory, when they are requested.
    init(build: Build?) { self.build = build }

    func state(of timetable: Timetable, _ walkingDistance: Double) -> JourneyNetworkState {
        let known = state.withLock { state -> JourneyNetworkState? in
            if state.walkingDistance != walkingDistance { state = State(walkingDistance: walkingDistance) }
            if case .unopened = state.stage { state.stage = open(timetable, walkingDistance) }
            switch state.stage {
            case .ready(let network): return .ready(network)
            case .building: return .building
            case .unavailable(let reason): return .unavailable(reason)
            case .unopened, .missing:
                state.stage = .building
                return nil
            }
        }
        if let known { return known }
        // Not while the lock is held, because it may end before it returns.
        guard let reason = build?(timetable, walkingDistance) else { return .building }
        finish(nil, walkingDistance)
        return .unavailable(reason)
    }

    private func open(_ timetable: Timetable, _ walkingDistance: Double) -> Stage {
        do throws(StoreError) {
            let source = JourneyNetwork.Source(of: timetable.file, walkingDistance: walkingDistance)
            // A damaged file is built again; the builder reports it.
            if let network = (try? JourneyNetworkFile.open(of: timetable.file, from: source)) ?? nil {
                return .ready(network)
            }
            if build != nil { return .missing }
            return .ready(
                try JourneyNetwork(
                    inMemory: DerivedJourneyNetwork(timetable.file, walkingDistance: walkingDistance)))
        } catch {
            return .unavailable(JourneyNetwork.reason(for: error))
        }
    }

    func finish(_ network: JourneyNetwork?, _ walkingDistance: Double) {
        state.withLock { state in
            guard case .building = state.stage, state.walkingDistance == walkingDistance else { return }
            state.stage = network.map { .ready($0) } ?? .missing
        }
    }
}

extension JourneyNetwork {
    /// Returns the sentence about a failure to build or write a network, without paths.
    package static func reason(for error: StoreError) -> String {
        switch error {
        case .diskFull: "The network for journeys cannot be written because the disk is full."
        case .file(_, let operation, let reason):
            "The network for journeys cannot be written: cannot \(operation) a file of the cache (\(reason))."
        case .corrupt, .notATimetable, .format, .database:
            "The network for journeys cannot be built because the timetable file is damaged."
        case .notFound, .exists, .invalid, .locked, .draft, .canceled:
            "The network for journeys cannot be built: \(error)."
        }
    }
}
