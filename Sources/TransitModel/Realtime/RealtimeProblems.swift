/// The problems found while reading a GTFS-Realtime message. Each problem is counted. For each rule, the first
/// occurrence is stored as an example.
public struct RealtimeProblems: Hashable, Sendable {
    /// A validation rule. The raw values are stable and appear in output.
    public enum Rule: String, Hashable, Sendable, CaseIterable {
        /// The message has no header. The message is read as a full dataset without a timestamp.
        case missingHeader = "missing_header"
        /// The bytes of an entity cannot be decoded. The whole entity is dropped.
        case malformedEntity = "malformed_entity"
        /// An entity has no `id`. The entity is read nevertheless.
        case missingEntityID = "missing_entity_id"
        /// A trip update does not identify its trip. The update is dropped.
        case missingTrip = "missing_trip"
        /// A stop time update does not identify its stop. The update is dropped.
        case missingStop = "missing_stop"
        /// An entity has neither a trip update nor a vehicle position nor an alert.
        case emptyEntity = "empty_entity"
        /// An entity is of an unsupported kind: a shape, a stop or trip modifications.
        case unsupportedEntity = "unsupported_entity"
        /// An unsupported field, `modified_trip`, that changes the meaning of the fields around it.
        case unsupportedField = "unsupported_field"
        /// An enumeration value that is not in the specification. The field is dropped.
        case unknownEnumValue = "unknown_enum_value"
        /// A specified field has a value of the wrong type. The field is dropped.
        case unexpectedType = "unexpected_type"
        /// A value is not a number or is out of its type's range. The field is dropped.
        case invalidNumber = "invalid_number"
        /// A time before 1970 or after the year 9999, or 0 for "unknown". The field is dropped.
        case invalidTimestamp = "invalid_timestamp"
        /// `start_time` is not a valid time. The field is dropped.
        case invalidTime = "invalid_time"
        /// `start_date` is not a valid date. The field is dropped.
        case invalidDate = "invalid_date"
        /// `direction_id` is neither 0 nor 1. The field is dropped.
        case invalidDirection = "invalid_direction"
        /// A coordinate is out of range, at (0, 0) or incomplete. The coordinate is dropped.
        case invalidCoordinate = "invalid_coordinate"
        /// A bearing is outside 0...360. The field is dropped.
        case invalidBearing = "invalid_bearing"
        /// A speed is negative or not a number. The field is dropped.
        case invalidSpeed = "invalid_speed"
        /// A text is not valid UTF-8. Invalid bytes are replaced with U+FFFD.
        case invalidText = "invalid_text"
        /// A list has more members than ``RealtimeLimits`` allows. The excess is dropped.
        case tooManyMembers = "too_many_members"

        /// The corresponding rule of MobilityData's gtfs-realtime-validator (RULES.md), or `nil` if there is none.
        public var canonicalID: String? {
            switch self {
            case .invalidTimestamp: "E001"
            case .invalidTime: "E020"
            case .invalidDate: "E021"
            case .invalidCoordinate: "E026"
            case .invalidBearing: "E027"
            case .missingStop: "E040"
            case .invalidSpeed: "W004"
            case .missingHeader, .malformedEntity, .missingEntityID, .missingTrip, .emptyEntity, .unsupportedEntity,
                .unsupportedField, .unknownEnumValue, .unexpectedType, .invalidNumber, .invalidDirection, .invalidText,
                .tooManyMembers:
                nil
            }
        }
    }

    /// The first occurrence of a problem.
    public struct Example: Hashable, Sendable {
        /// The entity, or `nil` for the header and for an entity whose `id` cannot be read.
        public var entity: EntityID?
        /// The message and the field as the GTFS-Realtime reference names them, such as "TripDescriptor.start_time".
        public var field: String
        /// Byte offset from the start of the body.
        public var offset: Int
        /// The value, truncated to 32 characters, or `nil` if it is not a single value.
        public var value: String?

        public init(entity: EntityID? = nil, field: String, offset: Int, value: String? = nil) {
            self.entity = entity
            self.field = field
            self.offset = offset
            self.value = value
        }
    }

    /// All problems that violate one rule.
    public struct Finding: Hashable, Sendable {
        public var rule: Rule
        public var count: Int
        public var example: Example
    }

    /// The findings, in order of first occurrence.
    public private(set) var findings: [Finding] = []

    public init() {}

    public var isEmpty: Bool { findings.isEmpty }

    /// Returns the number of violations of a rule.
    public func count(_ rule: Rule) -> Int { findings.first { $0.rule == rule }?.count ?? 0 }

    /// Counts one violation. `example` is evaluated only for the first violation of the rule.
    public mutating func add(_ rule: Rule, _ example: @autoclosure () -> Example) {
        if let position = findings.firstIndex(where: { $0.rule == rule }) {
            findings[position].count += 1
        } else {
            findings.append(Finding(rule: rule, count: 1, example: example()))
        }
    }

    /// Sets the entity of those examples, starting at position `first`, that have none. An entity's `id` may come last
    /// in its message.
    public mutating func name(_ entity: EntityID, from first: Int) {
        for position in findings.indices.dropFirst(first) where findings[position].example.entity == nil {
            findings[position].example.entity = entity
        }
    }
}
