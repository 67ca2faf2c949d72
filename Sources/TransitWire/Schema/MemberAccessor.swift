/// The memory location of an object's member, and the function that writes it.
///
/// A one-kilobyte result has about a hundred members. A closure or key path for each would copy the object and update
/// its reference counts every time. Reading at an offset accesses only the member itself.
struct MemberAccessor: Sendable {
    let name: StaticString
    /// The offset from the beginning of the object, in bytes.
    private let offset: Int
    /// Writes the value at a pointer. It captures nothing, so calling it causes no reference counting.
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

    /// Returns whether the member equals a value, given as JSON.
    func isEqual(to value: [UInt8]?, in object: UnsafeRawPointer) -> Bool {
        guard let value else { return false }
        var writer = JSONWriter()
        writeValue(object + offset, &writer)
        return writer.bytes == value
    }
}
