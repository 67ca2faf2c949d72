package import TransitControl
internal import TransitWire

extension NotificationEvent {
    /// Returns `nil` if the text is not an event that this release can read.
    package init?(json: String) {
        guard let value = try? JSONValue(parsing: Array(json.utf8)),
            let event = try? NotificationEvent(reading: value, as: .result)
        else { return nil }
        self = event
    }

    /// The event as a JSON document.
    package var json: String {
        var writer = JSONWriter()
        write(to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
