internal import TransitWire

extension ControlRequest {
    /// The requested number of results; `nil` when the method has no such parameter.
    public var count: Int? {
        switch self {
        case .next(let call): call.count
        case .departures(let call): call.count
        case .stopsSearch(let call): call.count
        case .stopsNear(let call): call.count
        case .routesSearch(let call): call.count
        case .addressSearch(let call): call.count
        case .favoriteShow(let call): call.count
        case .recentList(let call): call.count
        case .feedDiff(let call): call.count
        case .vehicles(let call): call.count
        case .alerts(let call): call.count
        default: nil
        }
    }

    /// The cursor of the requested page; `nil` for the first page and for methods without pages.
    public var cursor: String? {
        switch self {
        case .stopsSearch(let call): call.cursor
        case .routesSearch(let call): call.cursor
        case .vehicles(let call): call.cursor
        case .alerts(let call): call.cursor
        default: nil
        }
    }
}
