internal import TransitModel

/// An enumeration of the GTFS-Realtime schema. The raw values are the numbers in the schema.
protocol GTFSRealtimeEnum: RawRepresentable<UInt8>, CaseIterable, Sendable where AllCases == [Self] {
    /// The names in the schema, such as "FULL_DATASET", in the order of `allCases`.
    static var wireNames: [String] { get }
}

extension GTFSRealtimeEnum {
    @inline(__always)
    init?(wireNumber number: Int64) {
        guard let number = UInt8(exactly: number) else { return nil }
        self.init(rawValue: number)
    }

    /// Creates the value with the given name. Case and underscores are ignored.
    init?(wireName name: String) {
        let folded = JSONName.fold(name)
        guard let position = Self.wireNames.firstIndex(where: { JSONName.fold($0) == folded }) else { return nil }
        self = Self.allCases[position]
    }
}

extension Incrementality: GTFSRealtimeEnum {
    static let wireNames = ["FULL_DATASET", "DIFFERENTIAL"]
}

extension TripScheduleRelationship: GTFSRealtimeEnum {
    static let wireNames = [
        "SCHEDULED", "ADDED", "UNSCHEDULED", "CANCELED", "REPLACEMENT", "DUPLICATED", "DELETED", "NEW",
    ]
}

extension StopScheduleRelationship: GTFSRealtimeEnum {
    static let wireNames = ["SCHEDULED", "SKIPPED", "NO_DATA", "UNSCHEDULED"]
}

extension VehicleStopStatus: GTFSRealtimeEnum {
    static let wireNames = ["INCOMING_AT", "STOPPED_AT", "IN_TRANSIT_TO"]
}

extension Occupancy: GTFSRealtimeEnum {
    static let wireNames = [
        "EMPTY", "MANY_SEATS_AVAILABLE", "FEW_SEATS_AVAILABLE", "STANDING_ROOM_ONLY", "CRUSHED_STANDING_ROOM_ONLY",
        "FULL", "NOT_ACCEPTING_PASSENGERS", "NO_DATA_AVAILABLE", "NOT_BOARDABLE",
    ]
}

extension AlertCause: GTFSRealtimeEnum {
    static let wireNames = [
        "UNKNOWN_CAUSE", "OTHER_CAUSE", "TECHNICAL_PROBLEM", "STRIKE", "DEMONSTRATION", "ACCIDENT", "HOLIDAY",
        "WEATHER",
        "MAINTENANCE", "CONSTRUCTION", "POLICE_ACTIVITY", "MEDICAL_EMERGENCY", "SPECIAL_EVENT",
    ]
}

extension AlertEffect: GTFSRealtimeEnum {
    static let wireNames = [
        "NO_SERVICE", "REDUCED_SERVICE", "SIGNIFICANT_DELAYS", "DETOUR", "ADDITIONAL_SERVICE", "MODIFIED_SERVICE",
        "OTHER_EFFECT", "UNKNOWN_EFFECT", "STOP_MOVED", "NO_EFFECT", "ACCESSIBILITY_ISSUE",
    ]
}

extension AlertSeverity: GTFSRealtimeEnum {
    static let wireNames = ["UNKNOWN_SEVERITY", "INFO", "WARNING", "SEVERE"]
}

/// The `wheelchair_accessible` field of a vehicle (GTFS-Realtime reference, *WheelchairAccessible*). Its numbers differ
/// from those of the field for trips in GTFS.
enum VehicleAccessibility: UInt8, GTFSRealtimeEnum {
    /// The timetable's value applies.
    case noValue = 0
    case unknown = 1
    case accessible = 2
    case inaccessible = 3

    static let wireNames = ["NO_VALUE", "UNKNOWN", "WHEELCHAIR_ACCESSIBLE", "WHEELCHAIR_INACCESSIBLE"]

    init(_ accessibility: Accessibility?) {
        self =
            switch accessibility {
            case nil: .noValue
            case .unknown: .unknown
            case .possible: .accessible
            case .notPossible: .inaccessible
            }
    }

    var accessibility: Accessibility? {
        switch self {
        case .noValue: nil
        case .unknown: .unknown
        case .accessible: .possible
        case .inaccessible: .notPossible
        }
    }
}
