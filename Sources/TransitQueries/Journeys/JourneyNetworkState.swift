internal import Synchronization
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
    package var journeyNetwork: JourneyNetworkState { openedNetwork.state(of: self) }

    /// Ends the building of the network that a request began.
    ///
    /// - Parameter network: `nil` if it could not be built. The next request asks to build it again.
    package func finishJourneyNetwork(_ network: JourneyNetwork?) { openedNetwork.finish(network) }
}

/// The network of a timetable, opened or built when it is first requested.
final class OpenedJourneyNetwork: Sendable {
    /// Begins to build the network of a timetable, which ends with ``Timetable/finishJourneyNetwork(_:)``. Returns the reason
    /// if it does not begin, as a sentence without paths.
    typealias Build = @Sendable (Timetable) -> String?

    private enum Stage {
        case unopened
        /// There is no usable file, and none is being built.
        case missing
        case building
        case ready(JourneyNetwork)
        case unavailable(String)
    }

    private let stage = Mutex(Stage.unopened)
    private let build: Build?

    /// - Parameter build: `nil` to build networks in memory, when they are requested.
    init(build: Build?) { self.build = build }

    func state(of timetable: Timetable) -> JourneyNetworkState {
        let known = stage.withLock { stage -> JourneyNetworkState? in
            if case .unopened = stage { stage = open(timetable) }
            switch stage {
            case .ready(let network): return .ready(network)
            case .building: return .building
            case .unavailable(let reason): return .unavailable(reason)
            case .unopened, .missing:
                stage = .building
                return nil
            }
        }
        if let known { return known }
        // Not while the lock is held, because it may end before it returns.
        guard let reason = build?(timetable) else { return .building }
        finish(nil)
        return .unavailable(reason)
    }

    private func open(_ timetable: Timetable) -> Stage {
        do throws(StoreError) {
            let source = JourneyNetwork.Source(of: timetable.file)
            // A damaged file is built again; the builder reports it.
            if let network = (try? JourneyNetworkFile.open(of: timetable.file, from: source)) ?? nil {
                return .ready(network)
            }
            if build != nil { return .missing }
            return .ready(try JourneyNetwork(inMemory: DerivedJourneyNetwork(timetable.file)))
        } catch {
            return .unavailable(JourneyNetwork.reason(for: error))
        }
    }

    func finish(_ network: JourneyNetwork?) {
        stage.withLock { stage in
            guard case .building = stage else { return }
            stage = network.map { .ready($0) } ?? .missing
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
