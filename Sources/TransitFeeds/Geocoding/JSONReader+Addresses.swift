extension JSONReader {
    /// The addresses of a list, without those that cannot be read.
    ///
    /// - Parameters:
    ///   - member: What an address cannot be without, for the message.
    ///   - address: Reads one.
    /// - Throws: ``MalformedMessageError`` where there are some and none can be read: one may be odd, all of them are no addresses.
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
