internal import TransitModel

/// What an `event` notification says, except to whom: made once for all who asked the same.
public struct EventPayload: Hashable, Sendable {
    /// The result or the error alone, as JSON: what is compared with what was sent before.
    public let answer: [UInt8]
    /// Everything from the topic to the end of the line.
    private let tail: [UInt8]

    /// - Parameter age: Seconds since the live data behind the answer was measured.
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
        // Its own brace is that of the parameters, which the head of the line opens.
        tail = writer.bytes.dropFirst() + Array("}\n".utf8)
    }

    /// The whole line for one subscription.
    public func line(subscription: Int, sequence: Int) -> [UInt8] {
        let head =
            "{\"jsonrpc\":\"2.0\",\"method\":\"\(EventNotification.name)\",\"params\":{\"subscription\":\(subscription),"
            + "\"sequence\":\(sequence),"
        var line: [UInt8] = []
        line.reserveCapacity(head.utf8.count + tail.count)
        line.append(contentsOf: head.utf8)
        line.append(contentsOf: tail)
        return line
    }
}
