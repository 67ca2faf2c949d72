internal import TransitControl
internal import TransitQueries
internal import TransitWire

extension CommuteRequest {
    /// Returns the ends that a request names; `nil` if it names a commute or nothing.
    static func ends(
        _ commute: String?, from: String?, to: String?
    ) throws(ControlError) -> (from: String, to: String)? {
        switch (from, to) {
        case (nil, nil): return nil
        case (let from?, let to?) where commute == nil: return (from, to)
        default:
            throw ControlError(
                .invalidParameters, "from and to belong together, and cannot be combined with commute.",
                hint: "Give a commute, or both from and to.")
        }
    }
}
