/// A syntax error in a message.
package struct MalformedMessageError: Error, Hashable, Sendable {
    package var fault: MessageFault
    /// The position of the error in bytes from the start of the body.
    package var offset: Int

    package init(_ fault: MessageFault, at offset: Int) {
        self.fault = fault
        self.offset = offset
    }

    /// The error as a ``FeedError``.
    package var feedError: FeedError { .message(fault, offset: offset) }

    /// Returns the error as a ``FeedError`` with the path of the affected value in a JSON document.
    package func feedError(in document: UnsafeBufferPointer<UInt8>) -> FeedError {
        .message(fault, offset: offset, member: JSONReader.path(to: offset, in: document))
    }
}
