public import TransitModel

/// Puts a network together from the answers to many requests: a plain value that names what is to be asked next.
///
///     var collection = provider.collection()
///     while let step = collection.next() { collection.take(try await ask(step.request), for: step) }
///     let reading = try collection.finish()
///
/// What was answered can be handed over again after a restart, in any order, so that nothing is asked twice: whoever
/// drives a collection keeps the bodies by the names of their steps.
public protocol NetworkCollection: Sendable {
    /// The next request; `nil` when everything was answered. The same one again until it was taken or refused.
    func next() -> CollectionStep?
    /// Takes the body of an answer.
    ///
    /// - Throws: a ``FeedError`` for what cannot be read; the step is then still open.
    mutating func take(_ body: [UInt8], for step: CollectionStep) throws(FeedError)
    /// The upstream will not answer this step, now or later (404, 422): the collection does without, or throws when it cannot.
    ///
    /// - Parameter former: the version of the network in use; its data for the step may stay.
    mutating func refuse(_ step: CollectionStep, status: Int, former: (any PreviousNetwork)?) throws(FeedError)
    /// Postpones a step until all others have been named. Called at most once for each step.
    mutating func postpone(_ step: CollectionStep)
    /// Whether the whole network is the same as long as the answer to the first step is: then that one is asked for
    /// conditionally, and "not modified" ends the collection.
    var isVersionedByFirstStep: Bool { get }
    /// How many steps were done, and how many there will be as far as is known.
    var progress: (done: Int, total: Int) { get }
    /// The network, when ``next()`` gives nothing more.
    consuming func finish() throws(FeedError) -> GTFSReading
}

extension NetworkCollection {
    public var isVersionedByFirstStep: Bool { false }
    /// The default for a collection whose steps have no ``CollectionStep/part``. Its steps are never postponed.
    public mutating func postpone(_ step: CollectionStep) {}
    /// The same, without a version in use.
    public mutating func refuse(_ step: CollectionStep, status: Int) throws(FeedError) {
        try refuse(step, status: status, former: nil)
    }
}

/// The version of a network that is in use during the collection of the next one.
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
    /// Unique within the collection and the same after a restart: letters, digits, `-`, `_` and `.`; the name of a file.
    public var name: String
    public var request: UpstreamRequest
    /// The part of the network that is missing without the step, in words: "the stops of route 5B". Several steps can
    /// share a part. `nil`: the network requires the step.
    public var part: String?

    public init(_ name: String, _ request: UpstreamRequest, part: String? = nil) {
        self.name = name
        self.request = request
        self.part = part
    }
}
