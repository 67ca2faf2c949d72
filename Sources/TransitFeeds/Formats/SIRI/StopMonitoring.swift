internal import TransitModel

/// A reply of SIRI's StopMonitoring service (CEN/TS 15531-3) as JSON: what is expected at stops, visit by visit.
enum StopMonitoring {
    /// What an answer is not, when it is refused.
    static let wanted = "a reply of SIRI StopMonitoring"

    /// Reads a reply: of each journey one trip update with the calls that are told, and one position where there is one.
    ///
    /// The service is a departure board: neither the last stop of a journey appears nor one that it has left.
    ///
    /// - Throws: ``FeedError/notDocument(_:wanted:)`` for another answer, ``FeedError/message(_:offset:member:)`` for one that
    ///   is damaged, lacks its delivery, or says that it failed. A reply without visits is a message without entities.
    static func read(_ body: [UInt8]) throws(FeedError) -> DecodedMessage {
        try JSONResponse.read(body, as: wanted) { (json) throws(MalformedMessageError) in
            var decoder = StopMonitoringDecoder()
            guard try decoder.read(&json) else { return nil }
            return DecodedMessage(
                header: RealtimeHeader(timestamp: decoder.responded),
                entities: MonitoredJourney.journeys(of: decoder.visits, responded: decoder.responded)
                    .flatMap(\.entities),
                problems: decoder.problems)
        }
    }
}
