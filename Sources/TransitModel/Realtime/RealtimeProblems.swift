/// What was found to be wrong while a GTFS-Realtime message was read: every finding is counted, and of each rule the
/// first is kept as an example.
public struct RealtimeProblems: Hashable, Sendable {
    /// The raw values are the stable names that a person sees.
    public enum Rule: String, Hashable, Sendable, CaseIterable {
        /// The message has no header; it is read as a full dataset without a time.
        case missingHeader = "missing_header"
        /// The bytes of an entity make no sense; all of it is left out.
        case malformedEntity = "malformed_entity"
        /// An entity has no `id`; it is read.
        case missingEntityID = "missing_entity_id"
        /// A trip update says nothing of its trip; it is left out.
        case missingTrip = "missing_trip"
        /// A call says nothing of its stop; it is left out.
        case missingStop = "missing_stop"
        /// An entity with neither a trip update nor a position nor an alert.
        case emptyEntity = "empty_entity"
        /// An entity of a kind that is not used: a shape, a stop, trip modifications.
        case unsupportedEntity = "unsupported_entity"
        /// A field that changes the meaning of what is around it, and is not used: `modified_trip`.
        case unsupportedField = "unsupported_field"
        /// The number or name of an enumeration that the specification does not have; the field is left out.
        case unknownEnumValue = "unknown_enum_value"
        /// A field that the specification knows, with a value of another type; the field is left out.
        case unexpectedType = "unexpected_type"
        /// A number that is none, or is out of the range of its type; the field is left out.
        case invalidNumber = "invalid_number"
        /// A moment before 1970 or after the year 9999, or 0 for "unknown"; the field is left out.
        case invalidTimestamp = "invalid_timestamp"
        /// A `start_time` that is none; it is left out.
        case invalidTime = "invalid_time"
        /// A `start_date` that is none; it is left out.
        case invalidDate = "invalid_date"
        /// A `direction_id` other than 0 and 1; it is left out.
        case invalidDirection = "invalid_direction"
        /// A coordinate off the earth or at (0, 0), or only half of one; it is left out.
        case invalidCoordinate = "invalid_coordinate"
        /// A bearing outside 0...360. It is left out.
        case invalidBearing = "invalid_bearing"
        /// A negative speed, or one that is not a number. It is left out.
        case invalidSpeed = "invalid_speed"
        /// A text that is not UTF-8; what is broken in it is replaced by U+FFFD.
        case invalidText = "invalid_text"
        /// A list member beyond ``RealtimeLimits``. It is left out.
        case tooManyMembers = "too_many_members"

        /// The violated rule of MobilityData's gtfs-realtime-validator (its RULES.md), or `nil` if it has no such rule.
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

    /// Where a finding was made first.
    public struct Example: Hashable, Sendable {
        /// `nil` for the header, and for an entity whose `id` could not be read.
        public var entity: EntityID?
        /// The message and the field, in the words of the GTFS-Realtime reference: "TripDescriptor.start_time".
        public var field: String
        /// Bytes from the start of the body.
        public var offset: Int
        /// What stood there, cut to 32 characters; `nil` where it is no single value.
        public var value: String?

        public init(entity: EntityID? = nil, field: String, offset: Int, value: String? = nil) {
            self.entity = entity
            self.field = field
            self.offset = offset
            self.value = value
        }
    }

    /// All findings of one rule.
    public struct Finding: Hashable, Sendable {
        public var rule: Rule
        public var count: Int
        public var example: Example
    }

    /// In the order of first occurrence.
    public private(set) var findings: [Finding] = []

    public init() {}

    public var isEmpty: Bool { findings.isEmpty }

    /// How often that was found.
    public func count(_ rule: Rule) -> Int { findings.first { $0.rule == rule }?.count ?? 0 }

    /// Counts one more; the example is asked for the first time only.
    public mutating func add(_ rule: Rule, _ example: @autoclosure () -> Example) {
        if let position = findings.firstIndex(where: { $0.rule == rule }) {
            findings[position].count += 1
        } else {
            findings.append(Finding(rule: rule, count: 1, example: example()))
        }
    }

    /// Names the entity in the examples from `first` on that have none: a message may tell the `id` of an entity last.
    public mutating func name(_ entity: EntityID, from first: Int) {
        for position in findings.indices.dropFirst(first) where findings[position].example.entity == nil {
            findings[position].example.entity = entity
        }
    }
}
