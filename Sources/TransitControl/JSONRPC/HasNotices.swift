/// A result with notices. The generated code of each result with these members conforms.
public protocol HasNotices {
    /// When the result was produced.
    var at: Timestamp { get set }
    /// Conditions that affect the result.
    var notices: [Notice] { get set }
}
