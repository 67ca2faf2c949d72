/// Where the bytes of a message stop making sense.
package struct MalformedMessageError: Error, Hashable, Sendable {
    package var fault: MessageFault
    /// Bytes from the start of the body.
    package var offset: Int

    package init(_ fault: MessageFault, at offset: Int) {
        self.fault = fault
        self.offset = offset
    }

    /// The same as an error of the room.
    package var feedError: FeedError { .message(fault, offset: offset) }

    /// The same for a JSON document, with the member that holds the place.
    package func feedError(in document: UnsafeBufferPointer<UInt8>) -> FeedError {
        .message(fault, offset: offset, member: JSONReader.path(to: offset, in: document))
    }
}
