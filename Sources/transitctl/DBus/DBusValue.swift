/// A value of the D-Bus type system (D-Bus Specification, "Type System"), of the kinds that are spoken here.
enum DBusValue: Hashable {
    case boolean(Bool)
    case uint32(UInt32)
    case double(Double)
    case string(String)
    case objectPath(String)
    indirect case variant(DBusValue)

    /// One complete type.
    var signature: String {
        switch self {
        case .boolean: "b"
        case .uint32: "u"
        case .double: "d"
        case .string: "s"
        case .objectPath: "o"
        case .variant: "v"
        }
    }

    /// Of a string or an object path.
    var text: String? {
        switch self {
        case .string(let text), .objectPath(let text): text
        default: nil
        }
    }

    /// Of a number in a variant, as properties are told.
    var number: Double? {
        switch self {
        case .variant(let value): value.number
        case .double(let number): number
        case .uint32(let number): Double(number)
        default: nil
        }
    }
}
