public import TransitModel

/// A pattern source backed by an array.
public struct PatternList: PatternSource {
    public var patterns: [Pattern]
    public init(_ patterns: [Pattern]) { self.patterns = patterns }
    public var count: Int { patterns.count }
    public func forEachPattern<Failure: Error>(_ body: (Pattern) throws(Failure) -> Void) throws(Failure) {
        for pattern in patterns { try body(pattern) }
    }
}
