public import TransitWire

/// A method of the control protocol. The raw value is its name on the wire.
public enum ControlMethod: String, WireEnum {
    case hello
    case describe
    case cancel
    case status
    case next
    case departures
    case stopsSearch = "stops.search"
    case stopsNear = "stops.near"
    case stopsShow = "stops.show"
    case routesSearch = "routes.search"
    case routesShow = "routes.show"
    case routesStops = "routes.stops"
    case tripShow = "trip.show"
    case commuteList = "commute.list"
    case commuteAdd = "commute.add"
    case commuteRename = "commute.rename"
    case commuteRemove = "commute.remove"
    case commuteUse = "commute.use"
    case placeList = "place.list"
    case placeSet = "place.set"
    case placeRemove = "place.remove"
    case addressSearch = "address.search"
    case favoriteList = "favorite.list"
    case favoriteShow = "favorite.show"
    case favoriteAdd = "favorite.add"
    case favoriteRename = "favorite.rename"
    case favoriteCategory = "favorite.category"
    case favoriteOrder = "favorite.order"
    case favoriteRemove = "favorite.remove"
    case keySet = "key.set"
    case keyCheck = "key.check"
    case keyRemove = "key.remove"
    case recentList = "recent.list"
    case recentClear = "recent.clear"
    case providerList = "provider.list"
    case providerCheck = "provider.check"
    case feedList = "feed.list"
    case feedUpdate = "feed.update"
    case feedValidate = "feed.validate"
    case feedVersions = "feed.versions"
    case feedRollback = "feed.rollback"
    case feedDiff = "feed.diff"
    case configCheck = "config.check"
    case configReload = "config.reload"
    case refresh
    case budget
    case explain
    case vehicles
    case alerts
    case doctor
    case subscribe
    case unsubscribe
}

/// The parameters of a method.
public protocol ControlParameters: WireObject {
    associatedtype Reply: WireObject
    static var method: ControlMethod { get }
}

extension ControlMethod {
    /// The protocol version that this code implements.
    public static let protocolVersion = 1

    /// The type of the method's parameters, which also determines the type of its result.
    public var call: any ControlParameters.Type {
        switch self {
        case .hello: HelloParameters.self
        case .describe: DescribeParameters.self
        case .cancel: CancelParameters.self
        case .status: StatusParameters.self
        case .next: NextParameters.self
        case .departures: DeparturesParameters.self
        case .stopsSearch: StopsSearchParameters.self
        case .stopsNear: StopsNearParameters.self
        case .stopsShow: StopsShowParameters.self
        case .routesSearch: RoutesSearchParameters.self
        case .routesShow: RoutesShowParameters.self
        case .routesStops: RoutesStopsParameters.self
        case .tripShow: TripShowParameters.self
        case .commuteList: CommuteListParameters.self
        case .commuteAdd: CommuteAddParameters.self
        case .commuteRename: CommuteRenameParameters.self
        case .commuteRemove: CommuteRemoveParameters.self
        case .commuteUse: CommuteUseParameters.self
        case .placeList: PlaceListParameters.self
        case .placeSet: PlaceSetParameters.self
        case .placeRemove: PlaceRemoveParameters.self
        case .addressSearch: AddressSearchParameters.self
        case .favoriteList: FavoriteListParameters.self
        case .favoriteShow: FavoriteShowParameters.self
        case .favoriteAdd: FavoriteAddParameters.self
        case .favoriteRename: FavoriteRenameParameters.self
        case .favoriteCategory: FavoriteCategoryParameters.self
        case .favoriteOrder: FavoriteOrderParameters.self
        case .favoriteRemove: FavoriteRemoveParameters.self
        case .keySet: KeySetParameters.self
        case .keyCheck: KeyCheckParameters.self
        case .keyRemove: KeyRemoveParameters.self
        case .recentList: RecentListParameters.self
        case .recentClear: RecentClearParameters.self
        case .providerList: ProviderListParameters.self
        case .providerCheck: ProviderCheckParameters.self
        case .feedList: FeedListParameters.self
        case .feedUpdate: FeedUpdateParameters.self
        case .feedValidate: FeedValidateParameters.self
        case .feedVersions: FeedVersionsParameters.self
        case .feedRollback: FeedRollbackParameters.self
        case .feedDiff: FeedDiffParameters.self
        case .configCheck: ConfigCheckParameters.self
        case .configReload: ConfigReloadParameters.self
        case .refresh: RefreshParameters.self
        case .budget: BudgetParameters.self
        case .explain: ExplainParameters.self
        case .vehicles: VehiclesParameters.self
        case .alerts: AlertsParameters.self
        case .doctor: DoctorParameters.self
        case .subscribe: SubscribeParameters.self
        case .unsubscribe: UnsubscribeParameters.self
        }
    }

    /// A one-sentence summary of the method.
    public var summary: String { call.description }

    /// The expected response time of a request, which determines the thread that handles it.
    ///
    /// A test with large timetables checks the response times that are declared here.
    public var responseTime: ResponseTime {
        switch self {
        case .hello, .describe, .cancel, .next, .departures: .instant
        case .status, .stopsSearch, .stopsNear, .stopsShow, .routesSearch, .routesShow, .routesStops, .tripShow,
            .commuteList, .placeList, .favoriteList, .recentList, .providerList, .feedList, .configCheck, .budget,
            .explain, .vehicles, .alerts, .subscribe, .unsubscribe:
            .quick
        case .commuteAdd, .commuteRename, .commuteRemove, .commuteUse, .placeSet, .placeRemove, .favoriteAdd,
            .favoriteRename, .favoriteCategory, .favoriteOrder, .favoriteRemove, .recentClear, .keyRemove:
            .write
        // A user can have 200 favorites, each with its own board.
        case .favoriteShow, .feedUpdate, .feedValidate, .feedVersions, .feedRollback, .feedDiff, .configReload,
            .refresh, .doctor,
            .keySet, .keyCheck, .providerCheck, .addressSearch:
            .lengthy
        }
    }

    /// Whether a request can take longer than ``ResponseTime/quick`` allows. Such a request can be canceled, and later
    /// requests on the same connection can finish before it.
    public var isLongRunning: Bool { responseTime == .lengthy }
}

/// The response time of a method.
public enum ResponseTime: Hashable, Sendable {
    /// Typically about ten microseconds. The thread that reads the request handles it immediately.
    case instant
    /// At most 50 ms. The thread that reads the request handles it while another thread serves other clients.
    case quick
    /// The time to write the change to disk. Later requests on the same connection wait for it.
    case write
    /// More than 50 ms, or the response time of another server.
    case lengthy
}

extension ControlParameters {
    /// Writes the parameters that differ from their defaults, so that an older daemon rejects a newer parameter only
    /// when a client uses it.
    public static func write(at value: UnsafePointer<Self>, to writer: inout JSONWriter) {
        wireSchema.writeOmittingDefaults(at: value, to: &writer)
    }

    static var description: String { wireSchema.description }
}
