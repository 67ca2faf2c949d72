public import TransitModel

/// Builds a network from the responses to many requests. It is a plain value that names the next request and performs
/// no I/O.
///
///     var collection = provider.collection()
///     while let step = collection.next() { collection.add(try await fetch(step.request), for: step) }
///     let reading = try collection.finish()
///
/// After a restart, saved responses can be added again in any order, so that no request is repeated. The caller saves
/// the response bodies under the names of their steps.
public protocol NetworkCollection: Sendable {
    /// The next request; `nil` when all steps are done. Returns the same step until it is completed, rejected or
    /// postponed.
    func next() -> CollectionStep?
    /// Adds the body of a response.
    ///
    /// - Throws: A ``FeedError`` if the body cannot be parsed; the step then remains open.
    mutating func add(_ body: [UInt8], for step: CollectionStep) throws(FeedError)
    /// Records that the upstream permanently rejects this step (403, 404, 422). The collection continues without it.
    ///
    /// - Parameters:
    ///   - status: The HTTP status.
    ///   - previous: The current version of the network, whose data for the step may be kept.
    /// - Throws: A ``FeedError`` if the network requires the step.
    mutating func reject(_ step: CollectionStep, status: Int, previous: (any PreviousNetwork)?) throws(FeedError)
    /// Postpones a step until all other steps have been returned. Called at most once for each step.
    mutating func postpone(_ step: CollectionStep)
    /// Whether an unchanged response to the first step means that the whole network is unchanged. The first step is
    /// then requested conditionally, and 304 Not Modified ends the collection.
    var isVersionedByFirstStep: Bool { get }
    /// The number of completed steps, and the total as far as it is known.
    var progress: (done: Int, total: Int) { get }
    /// Returns the network. Call it when ``next()`` returns `nil`.
    consuming func finish() throws(FeedError) -> GTFSReading
}

extension NetworkCollection {
    public var isVersionedByFirstStep: Bool { false }
    /// The default for a collection whose steps have no ``CollectionStep/part``. Its steps are never postponed.
    public mutating func postpone(_ step: CollectionStep) {}
    /// Rejects a step when the network has no current version.
    public mutating func reject(_ step: CollectionStep, status: Int) throws(FeedError) {
        try reject(step, status: status, previous: nil)
    }
}

/// The current version of a network, available while the next one is collected.
public protocol PreviousNetwork: Sendable {
    /// The stops of a variant in call order; empty if the version lacks the variant.
    ///
    /// - Throws: ``FeedError/unreadable(path:reason:)``, like the other requirements.
    func stops(of variant: TripID) throws(FeedError) -> [StopID]
    /// Returns `nil` if the version lacks the stop.
    func stop(_ id: StopID) throws(FeedError) -> Stop?
    /// The name of a stop in a language (BCP 47), if the version has it.
    func name(of stop: StopID, in language: String) throws(FeedError) -> String?
}

/// One request of a collection.
public struct CollectionStep: Hashable, Sendable {
    /// Unique within the collection and stable across restarts. Consists of letters, digits, `-`, `_` and `.`, and
    /// serves as a file name.
    public var name: String
    public var request: UpstreamRequest
    /// The part of the network that is missing without the step, as text for users: "the stops of route 5B". Several
    /// steps can share a part. `nil` if the network requires the step.
    public var part: String?

    public init(_ name: String, _ request: UpstreamRequest, part: String? = nil) {
        self.name = name
        self.request = request
        self.part = part
    }
}
