internal import TransitModel
public import TransitWire

/// The part of an `event` notification that all subscriptions to the same query share. It is encoded once.
public struct EventPayload: Hashable, Sendable {
    /// The result or the error as JSON, for comparison with the previous event.
    public let answer: [UInt8]
    /// The part of the line from the topic to the end.
    private let tail: [UInt8]

    /// - Parameter age: The age of the realtime data behind the result, in seconds.
    public init(
        topic: TopicKind, at: Timestamp, age: Int?, answer: Result<any WireValue, ControlError>
    ) {
        let (data, error): ([UInt8]?, [UInt8]?) =
            switch answer {
            case .success(let value): (value.encoded, nil)
            case .failure(let error): (nil, error.encoded)
            }
        self.answer = data ?? error ?? []
        var writer = JSONWriter(reserving: self.answer.count + 128)
        writer.beginObject()
        writer.name("topic")
        topic.write(to: &writer)
        writer.name("at")
        at.write(to: &writer)
        writer.name("age")
        age.write(to: &writer)
        for (name, value) in [("data", data), ("error", error)] {
            writer.name(name)
            if let value { writer.encoded(value) } else { writer.null() }
        }
        writer.endObject()
        // Drops the opening brace because the beginning of the line already opens the parameters.
        tail = writer.bytes.dropFirst() + Array("}\n".utf8)
    }

    /// Returns the complete line for one subscription.
    public func line(subscription: Int, sequence: Int) -> [UInt8] {
        let head =
            "{\"jsonrpc\":\"2.0\",\"method\":\"\(TopicUpdate.name)\",\"params\":{\"subscription\":\(subscription),"
            + "\"sequence\":\(sequence),"
        var line: [UInt8] = []
        line.reserveCapacity(head.utf8.count + tail.count)
        line.append(contentsOf: head.utf8)
        line.append(contentsOf: tail)
        return line
    }
}
