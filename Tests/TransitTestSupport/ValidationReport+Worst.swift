public import TransitModel

extension ValidationReport {
    /// The highest severity, or `nil` if there are no findings.
    public var worst: Severity? { findings.map(\.severity).max() }
}
