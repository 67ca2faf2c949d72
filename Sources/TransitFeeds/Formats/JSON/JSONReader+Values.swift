// The scalar values that most decoders need. Each method returns `nil` for null, for another kind of value, and for an
// invalid value.
extension JSONReader {
    /// Reads a string, or a number as written in the document.
    package mutating func string() throws(MalformedMessageError) -> String? {
        switch try scalar() {
        case .text(let text): text.string
        case .number(let number): number.string
        case .boolean, .null, nil: nil
        }
    }

    /// Reads an integer, which may be in quotes.
    package mutating func integer() throws(MalformedMessageError) -> Int64? {
        switch try scalar() {
        case .number(let number): number.integer
        case .text(let text): text.withBytes(JSONNumber.integer)
        case .boolean, .null, nil: nil
        }
    }

    /// Reads a finite number, which may be in quotes.
    package mutating func double() throws(MalformedMessageError) -> Double? {
        switch try scalar() {
        case .number(let number): number.double
        case .text(let text): text.withBytes(JSONNumber.double)
        case .boolean, .null, nil: nil
        }
    }

    /// Reads `true` or `false`, which may be in quotes.
    package mutating func boolean() throws(MalformedMessageError) -> Bool? {
        switch try scalar() {
        case .boolean(let value): value
        case .text(let text): Bool(text.folded)
        case .number, .null, nil: nil
        }
    }
}
