public import TransitModel

/// A system that publishes timetables or live data in a way of its own: what may be asked of it, and how its answers are read.
///
/// A provider is told how it was configured and then knows no clock, no network and no store: it names requests and turns
/// bytes into the terms of GTFS and GTFS-Realtime, so that everything behind it is the same for every city. It declares
/// what it can; nobody asks for its name. A new one is a folder beside the others and a line in ``ProviderCatalog``.
public protocol Provider: Sendable {
    var traits: ProviderTraits { get }

    /// How the network is put together from several answers; `nil` where the timetable is a GTFS archive.
    func collection() -> (any NetworkCollection)?

    /// What a live dataset is asked with; `nil` for one that the provider does not have.
    func request(for kind: DatasetKind) -> UpstreamRequest?

    /// Reads the answer for a live dataset.
    ///
    /// - Parameter received: when it came, for answers that do not say when they were made.
    /// - Throws: a ``FeedError`` for what cannot be read as a whole; what is wrong with single rows is counted.
    func message(_ body: [UInt8], of kind: DatasetKind, received: Instant) throws(FeedError) -> any RealtimeMessage

    /// What is asked stop by stop when somebody wants to know; `nil` where nothing is.
    var arrivals: (any ArrivalsSource)? { get }

    /// A connection over which the upstream tells by itself what changes; `nil` where it has to be asked.
    var stream: (any RealtimeStreamSource)? { get }

    /// The smallest request that shows whether a key is good; `nil` where no key is needed.
    func keyCheck() -> UpstreamRequest?

    /// The agencies that the answer to ``keyCheck()`` lists; `nil` where it lists none.
    ///
    /// - Throws: a ``FeedError`` for what cannot be read.
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
