/// A kind of untrusted input. A conforming type creates a malformed sample from a seed and passes it to the code that
/// reads such input.
///
/// The same seed always produces the same sample. If the process crashes, the file of `transit-fuzz --case-file`
/// contains the seed. To add a kind of input, write a conforming type and add it to ``FuzzTargets/all``.
package protocol FuzzTarget: SendableMetatype {
    /// The subcommand of `transit-fuzz`.
    static var name: String { get }
    /// The number of cases in `make fuzz`.
    static var defaultCount: Int { get }

    /// Prepares the state that all cases share.
    init() async throws
    /// Runs one case.
    ///
    /// - Throws: ``FuzzFailure`` if the code under test violated a guarantee without crashing.
    mutating func run(seed: UInt64) async throws

    /// Returns a sample in the form that ``read(_:)`` reads.
    mutating func sample(seed: UInt64) -> [UInt8]
    /// Passes bytes to the reader. `make fuzz-guided` changes them so that they reach further code. A first byte that selects
    /// among several readers is part of the form.
    ///
    /// - Throws: ``FuzzFailure`` if the code under test violated a guarantee without crashing.
    mutating func read(_ bytes: [UInt8]) throws
}

/// All kinds of input, in the order of `make fuzz`.
package enum FuzzTargets {
    package static var all: [any FuzzTarget.Type] {
        [
            RealtimeFuzz.self, ArchiveFuzz.self, ExternalDataFuzz.self, CatalogFuzz.self, CalendarFuzz.self,
            DelayHistoryFuzz.self, JourneyNetworkFuzz.self, AssistantFuzz.self, ParametersFuzz.self,
        ]
    }
}

/// A guarantee that the code under test violated.
package struct FuzzFailure: Error, CustomStringConvertible {
    package var description: String

    package init(_ description: String) { self.description = description }
}
