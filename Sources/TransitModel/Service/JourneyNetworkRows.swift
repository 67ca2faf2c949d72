// The rows of a network's tables. docs/formats.md describes them.
extension JourneyNetwork {
    /// A sequence of trips with the same calls in which no trip overtakes another one. Consecutive routes of a pattern share
    /// their calls, visits and times.
    public struct Route: Sendable {
        /// The pattern (``PatternIndex``) of all trips.
        public var pattern: UInt32
        /// The route of the timetable (``RouteIndex``).
        public var route: UInt32
        /// The position of the first call in ``JourneyNetwork/calls``.
        public var firstCall: UInt32
        public var callCount: UInt32
        /// The position of the first trip in ``JourneyNetwork/trips``; the trips end where those of the next route begin.
        public var firstTrip: UInt32
        /// The start of trips in seconds of service time is `start + startUnit * trip.start`.
        public var start: Int32
        public var startUnit: Int32
        /// What is added to ``Trip/reference``.
        public var firstReference: UInt32
        /// The position in ``JourneyNetwork/frequencies`` of the first trip; `UInt32.max` if no trip is a repetition.
        public var firstFrequency: UInt32
        /// The timing group of the pattern that ``Trip/timingGroup`` 0 is.
        public var firstTimingGroup: UInt32
        /// The first byte of the running times in ``JourneyNetwork/times``, divided by 4.
        public var firstTime: UInt32
        /// The seconds from the start of a trip are `timeBase + timeUnit * value`.
        public var timeBase: Int32
        public var timeUnit: Int32
        public var layout: TimeLayout

        public init(
            pattern: UInt32, route: UInt32, firstCall: UInt32, callCount: UInt32, firstTrip: UInt32, start: Int32,
            startUnit: Int32, firstReference: UInt32, firstFrequency: UInt32, firstTimingGroup: UInt32,
            firstTime: UInt32, timeBase: Int32, timeUnit: Int32, layout: TimeLayout
        ) {
            self.pattern = pattern
            self.route = route
            self.firstCall = firstCall
            self.callCount = callCount
            self.firstTrip = firstTrip
            self.start = start
            self.startUnit = startUnit
            self.firstReference = firstReference
            self.firstFrequency = firstFrequency
            self.firstTimingGroup = firstTimingGroup
            self.firstTime = firstTime
            self.timeBase = timeBase
            self.timeUnit = timeUnit
            self.layout = layout
        }

        /// Returns the start of a trip in seconds of service time.
        @inlinable
        public func start(of trip: Trip) -> Int32 { start &+ startUnit &* Int32(trip.start) }
    }

    /// How the running times of a route are stored: one row of arrivals for each timing group, which a row of departures
    /// follows unless vehicles of all timing groups stop for the same time (``JourneyNetwork/dwells``).
    public struct TimeLayout: Hashable, Sendable {
        public var rawValue: UInt32

        /// - Parameter width: The bytes of a value: 1, 2 or 4. Values of 4 bytes are signed.
        public init(width: Int, hasDepartures: Bool) { rawValue = UInt32(width) | (hasDepartures ? 8 : 0) }

        @inlinable public var width: Int { Int(rawValue & 7) }
        @inlinable public var hasDepartures: Bool { rawValue & 8 != 0 }
    }

    /// A call of a route.
    public struct Call: Sendable {
        private var value: UInt32

        public init(node: Int, canBoard: Bool, canAlight: Bool) {
            value = UInt32(node) << 2 | (canBoard ? 1 : 0) | (canAlight ? 2 : 0)
        }

        public var node: Int { Int(value >> 2) }
        /// Whether riders may board (`pickup_type` is not 1).
        public var canBoard: Bool { value & 1 != 0 }
        /// Whether riders may alight (`drop_off_type` is not 1).
        public var canAlight: Bool { value & 2 != 0 }
    }

    /// A trip of a route at one start: the trip itself, or one of its repetitions according to frequencies.txt.
    public struct Trip: Sendable {
        /// See ``Route/start(of:)``.
        public var start: UInt16
        /// The trip (``TripIndex``), less ``Route/firstReference``.
        public var reference: UInt16
        private var serviceAndGroup: UInt32

        public init(start: UInt16, reference: UInt16, service: Int, timingGroup: Int) {
            self.start = start
            self.reference = reference
            serviceAndGroup = UInt32(service) << 12 | UInt32(timingGroup)
        }

        /// The limits of `service` and `timingGroup`.
        public static let maximumServices = 1 << 20
        public static let maximumTimingGroups = 1 << 12

        public var service: Int { Int(serviceAndGroup >> 12) }
        /// The timing group, as a position among those of the route.
        public var timingGroup: Int { Int(serviceAndGroup & 0xFFF) }
    }

    /// The times of a call, in seconds from the start of a trip.
    public struct Times: Sendable {
        public var arrival: Int32
        public var departure: Int32

        public init(arrival: Int32, departure: Int32) {
            self.arrival = arrival
            self.departure = departure
        }
    }

    /// A call at a node, of a route and of the routes that share its calls.
    public struct Visit: Sendable {
        private var value: UInt32

        /// - Parameter route: The first of the routes.
        public init(route: Int, position: Int) { value = UInt32(route) << 12 | UInt32(position) }

        /// The limits of the number of routes and of the number of calls of a route.
        public static let maximumRoutes = 1 << 20
        public static let maximumCalls = 1 << 12

        public var route: Int { Int(value >> 12) }
        /// The position among the calls of the route.
        public var position: Int { Int(value & 0xFFF) }
    }

    /// The kind of a change between two nodes.
    public enum FootpathKind: UInt8, Sendable {
        /// A walk, whose time depends on the walking speed; ``Footpath/value`` is the distance in meters.
        case walk = 0
        /// A change whose time transfers.txt or pathways.txt states; ``Footpath/value`` is that time in seconds.
        case stated = 1
        /// A timed transfer (`transfer_type` 1): the departing vehicle waits. ``Footpath/value`` is a time in seconds.
        case timed = 2
        /// The change is not possible (`transfer_type` 3). Occurs only from a node to itself, where a change is otherwise
        /// possible without a footpath.
        case notPossible = 3
    }

    /// What pathways.txt says about a change of riders who use no stairs and no escalators.
    public enum StepFreeChange: Hashable, Sendable {
        /// Nothing: no pathways describe the change.
        case unknown
        /// The quickest path without steps takes this time, which is at least ``Footpath/value``.
        case possible(seconds: UInt32)
        /// Each path has stairs or an escalator, or is too steep or too narrow for a wheelchair.
        case notPossible
    }

    /// A change from one node to another, or a rule for changes within one node.
    public struct Footpath: Sendable {
        public var node: Int
        public var kind: FootpathKind
        /// Meters or seconds, see ``FootpathKind``.
        public var value: UInt32
        /// Always ``StepFreeChange/unknown`` for a ``FootpathKind/walk``.
        public var stepFree: StepFreeChange

        @inlinable
        public init(node: Int, kind: FootpathKind, value: UInt32, stepFree: StepFreeChange = .unknown) {
            self.node = node
            self.kind = kind
            self.value = value
            self.stepFree = stepFree
        }

        /// Whether riders in wheelchairs may be able to change: false only if pathways.txt says that they cannot. A change
        /// that no pathways describe counts as possible, because most feeds have none.
        @inlinable public var isStepFree: Bool { stepFree != .notPossible }

        /// What takes the place of ``value`` for riders in wheelchairs, in the same unit; `nil` if they cannot change.
        @inlinable public var wheelchairValue: UInt32? {
            switch stepFree {
            case .unknown: value
            case .possible(let seconds): seconds
            case .notPossible: nil
            }
        }
    }

    /// A footpath whose way back is not a footpath, or not the same.
    public struct FootpathWithoutReverse: Sendable {
        /// The node from which it leads.
        public var from: UInt32
        /// The position in ``JourneyNetwork/footpaths``.
        public var footpath: UInt32
    }

    /// How a footpath is stored: the node, and the number of its kind and value in a table of those that are frequent.
    public struct PackedFootpath: Sendable {
        @usableFromInline var packed: UInt32

        public init(node: Int, value: Int) { packed = UInt32(node) << 11 | UInt32(value) }

        /// The limits of the number of nodes that footpaths lead to, and of the frequent values.
        public static let maximumNodes = 1 << 21
        public static let maximumValues = (1 << 11) - 1
        /// The number of a value that is in ``RareFootpathValue``.
        @inlinable public static var rare: Int { 0x7FF }

        @inlinable public var node: Int { Int(packed >> 11) }
        @inlinable public var value: Int { Int(packed & 0x7FF) }
    }

    /// The kind, the value and the step-free change of a footpath. Meters have 30 bits; seconds have 15 bits, and 15 bits
    /// remain for the step-free change: 0 if it is unknown, ``stepFreeNotPossible``, or one more than the seconds. Changes
    /// that pathways describe thus need no further bytes.
    public struct FootpathValue: Hashable, Comparable, Sendable {
        @usableFromInline var packed: UInt32

        /// - Parameters:
        ///   - value: A larger number than the maximum is stored as the maximum.
        ///   - stepFree: Not stored for a ``FootpathKind/walk``.
        public init(kind: FootpathKind, value: UInt32, stepFree: StepFreeChange = .unknown) {
            guard kind != .walk else {
                packed = min(value, Self.maximumMeters) << 2
                return
            }
            let code =
                switch stepFree {
                case .unknown: 0 as UInt32
                case .possible(let seconds): min(seconds, Self.maximumSeconds) + 1
                case .notPossible: Self.stepFreeNotPossible
                }
            packed = code << 17 | min(value, Self.maximumSeconds) << 2 | UInt32(kind.rawValue)
        }

        public static let maximumMeters: UInt32 = 1 << 30 - 1
        public static let maximumSeconds: UInt32 = 1 << 15 - 3
        @usableFromInline static let stepFreeNotPossible: UInt32 = 1 << 15 - 1

        @inlinable public var kind: FootpathKind { FootpathKind(rawValue: UInt8(packed & 3)) ?? .notPossible }

        @inlinable public var value: UInt32 { kind == .walk ? packed >> 2 : packed >> 2 & 0x7FFF }

        @inlinable public var stepFree: StepFreeChange {
            if kind == .walk || packed >> 17 == 0 { return .unknown }
            return packed >> 17 == Self.stepFreeNotPossible ? .notPossible : .possible(seconds: packed >> 17 - 1)
        }

        /// An order for tables, which has no other meaning.
        public static func < (left: Self, right: Self) -> Bool { left.packed < right.packed }
    }

    /// A value of a footpath that is not among the frequent ones.
    public struct RareFootpathValue: Sendable {
        /// The position of the footpath.
        public var footpath: UInt32
        public var value: FootpathValue

        public init(footpath: UInt32, value: FootpathValue) {
            self.footpath = footpath
            self.value = value
        }
    }

    /// A trip as which another one may continue in the same vehicle, on the same service date.
    public struct Continuation: Sendable {
        private var packed: UInt32

        /// - Parameters:
        ///   - next: A position in ``JourneyNetwork/trips``.
        ///   - isLast: Whether this is the last trip as which the other one may continue.
        public init(next: Int, isLast: Bool) { packed = UInt32(next) << 1 | (isLast ? 1 : 0) }

        public var next: Int { Int(packed >> 1) }
        public var isLast: Bool { packed & 1 != 0 }
    }

    /// A route whose trips may continue as trips of another route.
    public struct RouteContinuation: Hashable, Sendable {
        public var route: UInt32
        public var next: UInt32
    }

    /// What a network was derived from. A network with another source is built again.
    public struct Source: Hashable, Sendable {
        /// A hash of the timetable version and of the rules of derivation. It is the same in all processes.
        public var hash: UInt64

        public init(hash: UInt64) { self.hash = hash }
    }

    /// The tables of a network, in the order of the file.
    public enum Table: Int, CaseIterable, Sendable {
        case nodesOfStops, stopsOfNodes, visitsOfNodes, visits, footpathsOfNodes, footpaths, footpathValues,
            rareFootpathValues, routes, routesOfPatterns, calls, dwells, fastest, trips, frequencies, times,
            continuing, continuationsOfTrips, continuations, omissions

        /// The size of a row in bytes.
        public var stride: Int {
            switch self {
            case .routes: 56
            case .trips, .continuing, .rareFootpathValues: 8
            case .dwells, .fastest: 2
            case .times: 1
            default: 4
            }
        }
    }
}
