internal import Synchronization
public import TransitModel

/// Prepares the realtime data of one timetable for searches for journeys, and uses it again for later requests.
///
/// Prepared data is used again only if preparing it anew would have the same result. The result depends on the content of
/// the datasets, on how long they can be used, on the network, and on the age of the data. The datasets and the network
/// are immutable, so it is enough that they are the same objects. Age only matters when data becomes too old to be used,
/// and the earliest moment at which that happens is computed with the data (``RealtimeDatasetViews/firstChange()``); what
/// a journey shows about the age of its times is never taken from prepared data. Data is also prepared anew if the clock
/// was set back.
///
/// At most one result is kept. It does not keep the datasets in memory.
public final class JourneyRealtimeCache: Sendable {
    /// What the result was prepared from.
    private struct Source {
        private struct Part {
            /// `nil` if there was no dataset, or if it is gone.
            weak var dataset: RealtimeDataset?
            var exists: Bool
            var policy: FreshnessPolicy

            init(_ dataset: RealtimeDataset?, _ policy: FreshnessPolicy) {
                self.dataset = dataset
                exists = dataset != nil
                self.policy = policy
            }

            func isSame(as other: Part) -> Bool {
                exists == other.exists && dataset === other.dataset && (dataset != nil) == exists
                    && policy == other.policy
            }
        }

        private let tripUpdates: Part
        private let arrivals: Part
        private let vehicles: Part
        private weak var network: JourneyNetwork?

        init(_ realtime: RealtimeDatasets, _ network: JourneyNetwork) {
            tripUpdates = Part(realtime.tripUpdates, realtime.tripUpdatePolicy)
            arrivals = Part(realtime.arrivals, realtime.arrivalPolicy)
            vehicles = Part(realtime.vehicles, realtime.vehiclePolicy)
            self.network = network
        }

        func isSame(as other: Source) -> Bool {
            tripUpdates.isSame(as: other.tripUpdates) && arrivals.isSame(as: other.arrivals)
                && vehicles.isSame(as: other.vehicles) && network != nil && network === other.network
        }
    }

    private struct Prepared {
        var source: Source
        var tables: JourneyRealtimeTables
    }

    private let prepared = Mutex<Prepared?>(nil)

    public init() {}

    /// Returns the realtime data for a search at a moment; `nil` if there is none that can affect journeys.
    public func realtime(_ realtime: RealtimeDatasets?, _ network: JourneyNetwork, now: Instant) -> JourneyRealtime? {
        guard let realtime, let views = RealtimeDatasetViews(ofTrips: realtime, now: now) else {
            prepared.withLock { $0 = nil }
            return nil
        }
        let source = Source(realtime, network)
        let known = prepared.withLock { prepared -> JourneyRealtimeTables? in
            guard let known = prepared, known.source.isSame(as: source), known.tables.isValid(at: now) else {
                // Not kept while the next one is prepared.
                prepared = nil
                return nil
            }
            return known.tables
        }
        if let known { return JourneyRealtime(views, known) }
        let tables = JourneyRealtimeBuilder(views, network).build()
        prepared.withLock { $0 = Prepared(source: source, tables: tables) }
        return JourneyRealtime(views, tables)
    }
}
