// What most decoders need: `nil` for null, for another kind of value, and for a value that cannot be read.
extension JSONReader {
    /// A text, or a number as it is written.
    package mutating func string() throws(MalformedMessageError) -> String? {
        switch try scalar() {
        case .text(let text): text.string
        case .number(let number): number.string
        case .boolean, .null, nil: nil
        }
    }

    /// A whole number, also in quotes.
    package mutating func integer() throws(MalformedMessageError) -> Int64? {
        switch try scalar() {
        case .number(let number): number.integer
        case .text(let text): text.withBytes(JSONNumber.integer)
        case .boolean, .null, nil: nil
        }
    }

    /// A finite number, also in quotes.
    package mutating func double() throws(MalformedMessageError) -> Double? {
        switch try scalar() {
        case .number(let number): number.double
        case .text(let text): text.withBytes(JSONNumber.double)
        case .boolean, .null, nil: nil
        }
    }

    /// `true` and `false`, also in quotes.
    package mutating func boolean() throws(MalformedMessageError) -> Bool? {
        switch try scalar() {
        case .boolean(let value): value
        case .text(let text): Bool(text.folded)
        case .number, .null, nil: nil
        }
    }
}
