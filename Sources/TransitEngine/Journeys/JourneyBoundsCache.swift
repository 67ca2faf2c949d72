internal import TransitModel

/// The bounds of the last search, for further searches of one request: in the same feeds with the same footpaths between them,
/// and mostly to the same destinations. It is used on one thread.
public final class JourneyBoundsCache {
    private var known: (query: JourneyQuery, isWindow: Bool, bounds: JourneyBounds)?

    public init() {}

    /// Returns the bounds of a query, computed with `compute` if those of the last search do not fit.
    func bounds(of query: JourneyQuery, isWindow: Bool, compute: () -> JourneyBounds) -> JourneyBounds {
        // The bounds of a window have all that those of one departure time have.
        if let known, known.isWindow || !isWindow, known.query.destinations == query.destinations,
            known.query.maximumVehicles == query.maximumVehicles, known.query.walkingSpeed == query.walkingSpeed,
            known.query.isStepFree == query.isStepFree
        {
            return known.bounds
        }
        let bounds = compute()
        known = (query, isWindow, bounds)
        return bounds
    }
}
