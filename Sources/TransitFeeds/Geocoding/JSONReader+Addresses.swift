extension JSONReader {
    /// Reads a list of addresses and skips invalid ones.
    ///
    /// - Parameters:
    ///   - member: The name of a required member, for the error message.
    ///   - address: Reads one address. Returns `nil` if it is invalid.
    /// - Throws: ``MalformedMessageError`` if the list is not empty and all of its addresses are invalid.
    mutating func addresses(
        with member: String, _ address: (inout JSONReader) throws(MalformedMessageError) -> GeocodedAddress?
    ) throws(MalformedMessageError) -> [GeocodedAddress] {
        var found: [GeocodedAddress] = []
        var count = 0
        let start = offset
        var list = try list()
        while try next(&list) {
            count += 1
            if let address = try address(&self) { found.append(address) }
        }
        if found.isEmpty, count > 0 { throw MalformedMessageError(.missing(member), at: start) }
        return found
    }
}
