/// Where a member of an object lies in memory, and how it is written.
///
/// An answer of a kilobyte has a hundred members. To fetch each by a closure would copy the whole object each time and count
/// its references; from a place in memory only the member itself is read.
struct WireSchemaColumn: Sendable {
    let name: StaticString
    /// Bytes from the beginning of the object.
    private let offset: Int
    /// Holds nothing, so that nothing is counted when it is called.
    private let writeValue: @Sendable (UnsafeRawPointer, inout JSONWriter) -> Void

    init<Value: WireValue>(name: StaticString, offset: Int, of type: Value.Type) {
        self.name = name
        self.offset = offset
        writeValue = { value, writer in Value.write(at: value.assumingMemoryBound(to: Value.self), to: &writer) }
    }

    /// Writes the name and the value of the member.
    @inline(__always)
    func write(of object: UnsafeRawPointer, to writer: inout JSONWriter) {
        writer.name(plain: name)
        writeValue(object + offset, &writer)
    }

    /// Whether the member has that value, which is given as JSON.
    func holds(_ value: [UInt8]?, in object: UnsafeRawPointer) -> Bool {
        guard let value else { return false }
        var writer = JSONWriter()
        writeValue(object + offset, &writer)
        return writer.bytes == value
    }
}
