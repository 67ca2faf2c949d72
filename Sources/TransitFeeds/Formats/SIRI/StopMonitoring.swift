internal import TransitModel

/// Reads responses of the SIRI StopMonitoring service (CEN/TS 15531-3) in JSON, which list visits of vehicles at stops.
enum StopMonitoring {
    /// The description of the expected document in error messages.
    static let wanted = "a SIRI StopMonitoring response"

    /// Reads a response. Each journey becomes a trip update with its visits, and also a vehicle position if the journey
    /// has one.
    ///
    /// The service is a departure board. Its responses contain neither the last stop of a journey nor stops that the
    /// vehicle has left. A response without visits becomes a message without entities.
    ///
    /// - Throws: ``FeedError/notDocument(_:wanted:)`` if the body is another document, and
    ///   ``FeedError/message(_:offset:member:)`` if the response is malformed, lacks a delivery, or reports a failure.
    static func read(_ body: [UInt8]) throws(FeedError) -> DecodedMessage {
        try JSONResponse.read(body, as: wanted) { (json) throws(MalformedMessageError) in
            var decoder = StopMonitoringDecoder()
            guard try decoder.read(&json) else { return nil }
            return DecodedMessage(
                header: RealtimeHeader(timestamp: decoder.responseTime),
                entities: MonitoredJourney.journeys(of: decoder.visits, responseTime: decoder.responseTime)
                    .flatMap(\.entities),
                problems: decoder.problems)
        }
    }
}
