/// A value of one of the supported D-Bus types (D-Bus Specification, "Type System").
package enum DBusValue: Hashable {
    case boolean(Bool)
    case byte(UInt8)
    case int32(Int32)
    case uint32(UInt32)
    case double(Double)
    case string(String)
    case objectPath(String)
    indirect case variant(DBusValue)
    /// An array of strings.
    case strings([String])
    /// A dictionary with strings as keys and variants as values. It is written in the order of its keys, and cannot be read.
    case dictionary([String: DBusValue])

    /// The signature of the type: a single complete type.
    package var signature: String {
        switch self {
        case .boolean: "b"
        case .byte: "y"
        case .int32: "i"
        case .uint32: "u"
        case .double: "d"
        case .string: "s"
        case .objectPath: "o"
        case .variant: "v"
        case .strings: "as"
        case .dictionary: "a{sv}"
        }
    }

    /// The contents of a string or object path; `nil` for other types.
    package var text: String? {
        switch self {
        case .string(let text), .objectPath(let text): text
        default: nil
        }
    }

    /// The elements of an array of strings; `nil` for other types.
    package var texts: [String]? {
        guard case .strings(let texts) = self else { return nil }
        return texts
    }

    /// The value of a number, or of a variant that holds one, as properties are returned; `nil` for other types.
    package var number: Double? {
        switch self {
        case .variant(let value): value.number
        case .double(let number): number
        case .uint32(let number): Double(number)
        default: nil
        }
    }
}
