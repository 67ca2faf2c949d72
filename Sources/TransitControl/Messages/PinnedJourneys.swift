public import TransitWire

/// Pins a journey, which is followed to its end: you are notified when to leave, of delays, cancellations, other platforms
/// and broken changes on it, and when to get off.
public struct JourneyPinParameters: ControlParameters {
    public typealias Reply = PinnedJourneysResult
    public static let method = ControlMethod.journeyPin

    /// The origin, in the format of `from` in `journeys`.
    /// - Range: 1...300
    public var from: String
    /// The destination, in the same format.
    /// - Range: 1...300
    public var to: String
    /// The rides, as a reply to `journeys` has them.
    /// - Range: 1...8
    public var legs: [PinnedLeg]
    /// The journey's `walk_before`.
    /// - Unit: seconds
    /// - Range: 0...86400
    public var walkBefore: Int?
    /// The journey's `walk_after`.
    /// - Unit: seconds
    /// - Range: 0...86400
    public var walkAfter: Int?
    /// The `modes` with which the journey was found. What replaces the journey has no others.
    /// - Range: 0...14
    public var modes: [String] = []
    /// The `wheelchair` with which the journey was found.
    public var wheelchair: Bool = false
    /// The `bicycles` with which the journey was found.
    public var bicycles: Bool = false
}

/// A ride of a journey to pin.
public struct PinnedLeg: WireObject {
    /// The `id` of the departure.
    public var departure: String
    /// The `id` of the stop where riders get off (`departure.arrival.stop`).
    public var to: String
    /// The `walk` of the change before the ride; null for the first ride and if riders stay on board.
    /// - Unit: seconds
    public var changeTime: Int?
    /// Whether the departing vehicle waits (`is_timed` of the change).
    public var isTimed: Bool = false
}

/// Removes a pinned journey.
public struct JourneyUnpinParameters: ControlParameters {
    public typealias Reply = PinnedJourneysResult
    public static let method = ControlMethod.journeyUnpin

    /// The number in `journeys.pinned`.
    /// - Range: 1...99
    public var number: Int
}

/// Lists the caller's pinned journeys as they are known now.
public struct PinnedJourneysParameters: ControlParameters {
    public typealias Reply = PinnedJourneysResult
    public static let method = ControlMethod.pinnedJourneys

    /// The language for names, as an IETF BCP 47 language tag such as "de". Names are translated only if the feed has
    /// translations.txt.
    /// - Range: 1...35
    public var language: String?
}

/// The caller's pinned journeys.
public struct PinnedJourneysResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// In order of departure. A journey is removed about three hours after its scheduled end.
    public var journeys: [PinnedJourney]
    /// Conditions that affect the result, such as stale data.
    public var notices: [Notice] = []
}

/// How far a rider is on a pinned journey that goes as planned.
public enum JourneyStage: String, OpenWireEnum {
    /// The first vehicle has not left.
    case planned
    /// In a vehicle.
    case riding
    /// Between two vehicles.
    case changing
    case arrived
    /// A value that this version does not know.
    case other
}

/// A pinned journey at one moment.
public struct PinnedJourney: WireObject {
    /// The number, for `journeys.unpin`.
    public var number: Int
    /// The name of the commute between the same ends, or both ends.
    public var name: String
    /// How far the rider is.
    public var stage: JourneyStage
    /// The position in `journey.legs` of the ride that the rider is on, or takes next; null when the rider has arrived.
    public var leg: Int?
    /// The rides that were pinned, as they are known now, without changes to and from vehicles that do not run; null if they
    /// cannot be found (`problem`).
    public var journey: Journey?
    /// Why the journey cannot be made as it was pinned, as a sentence; null if it can.
    public var problem: String?
    /// The best way instead; null if the journey can be made as it was pinned, and if nothing is known.
    public var replacement: JourneyReplacement?
}

/// What a rider does instead of a pinned journey that broke.
public enum JourneyReplacementKind: String, OpenWireEnum {
    /// Takes a later vehicle of the same route.
    case later
    /// Takes another route from the stop of the change.
    case route
    /// Gets off before the stop of the change.
    case earlierStop = "earlier_stop"
    /// Gets off after the stop of the change.
    case laterStop = "later_stop"
    /// Sets out otherwise.
    case start
    /// A value that this version does not know.
    case other
}

/// The best way to the destination of a journey that broke.
public struct JourneyReplacement: WireObject {
    /// What the rider does differently.
    public var kind: JourneyReplacementKind
    /// The rides from now on. The first one is that of the vehicle in which the rider is, if it is still part of the way.
    public var journey: Journey
}
