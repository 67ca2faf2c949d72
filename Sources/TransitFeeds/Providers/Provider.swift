public import TransitModel

/// A system that publishes timetables or realtime data in its own format: the requests that it supports and the parsers
/// for its responses.
///
/// A provider is created from its configuration and has no access to the clock, the network or the store. It creates
/// requests and converts response bytes to the terms of GTFS and GTFS-Realtime, so that the rest of the code treats
/// every city alike. It declares its capabilities; no code checks its name. To add a provider, add a folder next to the
/// existing ones and a line to ``ProviderCatalog``.
public protocol Provider: Sendable {
    var traits: ProviderTraits { get }

    /// A new collection of the network from several responses; `nil` if the timetable is a GTFS archive.
    func collection() -> (any NetworkCollection)?

    /// The request for a realtime dataset; `nil` if the provider does not have the dataset.
    func request(for kind: DatasetKind) -> UpstreamRequest?

    /// Parses the response for a realtime dataset.
    ///
    /// - Parameter received: The time of receipt, for responses without a timestamp.
    /// - Throws: A ``FeedError`` if the response as a whole cannot be parsed. Problems in individual rows are counted.
    func message(_ body: [UInt8], of kind: DatasetKind, received: Instant) throws(FeedError) -> any RealtimeMessage

    /// The arrivals that are fetched stop by stop on demand; `nil` if the provider has none.
    var arrivals: (any ArrivalsSource)? { get }

    /// A connection over which the upstream pushes changes; `nil` if it has to be polled.
    var stream: (any RealtimeStreamSource)? { get }

    /// The smallest request that shows whether a key is valid; `nil` if no key is needed.
    func keyCheck() -> UpstreamRequest?

    /// The agencies listed in the response to ``keyCheck()``; `nil` if it lists none.
    ///
    /// - Throws: A ``FeedError`` if the response cannot be parsed.
    func agencies(_ body: [UInt8]) throws(FeedError) -> [ProviderAgency]?
}

extension Provider {
    public func collection() -> (any NetworkCollection)? { nil }
    public var arrivals: (any ArrivalsSource)? { nil }
    public var stream: (any RealtimeStreamSource)? { nil }
    public func keyCheck() -> UpstreamRequest? { nil }
    public func agencies(_ body: [UInt8]) throws(FeedError) -> [ProviderAgency]? { nil }
    public func request(for kind: DatasetKind) -> UpstreamRequest? { nil }
    public func message(_ body: [UInt8], of kind: DatasetKind, received: Instant) throws(FeedError)
        -> any RealtimeMessage
    {
        try RealtimeReader(body)
    }
}
