public import TransitWire

/// A parsed request, with one case for each method.
public enum ControlRequest: Hashable, Sendable {
    case hello(HelloParameters)
    case describe(DescribeParameters)
    case cancel(CancelParameters)
    case status(StatusParameters)
    case next(NextParameters)
    case departures(DeparturesParameters)
    case stopsSearch(StopsSearchParameters)
    case stopsNear(StopsNearParameters)
    case stopsShow(StopsShowParameters)
    case routesSearch(RoutesSearchParameters)
    case routesShow(RoutesShowParameters)
    case routesStops(RoutesStopsParameters)
    case tripShow(TripShowParameters)
    case commuteList(CommuteListParameters)
    case commuteAdd(CommuteAddParameters)
    case commuteRename(CommuteRenameParameters)
    case commuteRemove(CommuteRemoveParameters)
    case commuteUse(CommuteUseParameters)
    case placeList(PlaceListParameters)
    case placeSet(PlaceSetParameters)
    case placeRemove(PlaceRemoveParameters)
    case addressSearch(AddressSearchParameters)
    case favoriteList(FavoriteListParameters)
    case favoriteShow(FavoriteShowParameters)
    case favoriteAdd(FavoriteAddParameters)
    case favoriteRename(FavoriteRenameParameters)
    case favoriteCategory(FavoriteCategoryParameters)
    case favoriteOrder(FavoriteOrderParameters)
    case favoriteRemove(FavoriteRemoveParameters)
    case keySet(KeySetParameters)
    case keyCheck(KeyCheckParameters)
    case keyRemove(KeyRemoveParameters)
    case recentList(RecentListParameters)
    case recentClear(RecentClearParameters)
    case providerList(ProviderListParameters)
    case providerCheck(ProviderCheckParameters)
    case feedList(FeedListParameters)
    case feedUpdate(FeedUpdateParameters)
    case feedValidate(FeedValidateParameters)
    case feedVersions(FeedVersionsParameters)
    case feedRollback(FeedRollbackParameters)
    case feedDiff(FeedDiffParameters)
    case configCheck(ConfigCheckParameters)
    case configReload(ConfigReloadParameters)
    case refresh(RefreshParameters)
    case budget(BudgetParameters)
    case explain(ExplainParameters)
    case vehicles(VehiclesParameters)
    case alerts(AlertsParameters)
    case doctor(DoctorParameters)
    case subscribe(SubscribeParameters)
    case unsubscribe(UnsubscribeParameters)
}

extension ControlRequest {
    /// Parses the parameters of a method. `nil` is equivalent to an empty object.
    public init(_ method: ControlMethod, parameters: JSONValue?) throws(WireSchemaMismatch) {
        let value = parameters ?? .object(JSONObject())
        switch method {
        case .hello: self = .hello(try HelloParameters(reading: value, as: .parameters))
        case .describe: self = .describe(try DescribeParameters(reading: value, as: .parameters))
        case .cancel: self = .cancel(try CancelParameters(reading: value, as: .parameters))
        case .status: self = .status(try StatusParameters(reading: value, as: .parameters))
        case .next: self = .next(try NextParameters(reading: value, as: .parameters))
        case .departures: self = .departures(try DeparturesParameters(reading: value, as: .parameters))
        case .stopsSearch: self = .stopsSearch(try StopsSearchParameters(reading: value, as: .parameters))
        case .stopsNear: self = .stopsNear(try StopsNearParameters(reading: value, as: .parameters))
        case .stopsShow: self = .stopsShow(try StopsShowParameters(reading: value, as: .parameters))
        case .routesSearch: self = .routesSearch(try RoutesSearchParameters(reading: value, as: .parameters))
        case .routesShow: self = .routesShow(try RoutesShowParameters(reading: value, as: .parameters))
        case .routesStops: self = .routesStops(try RoutesStopsParameters(reading: value, as: .parameters))
        case .tripShow: self = .tripShow(try TripShowParameters(reading: value, as: .parameters))
        case .commuteList: self = .commuteList(try CommuteListParameters(reading: value, as: .parameters))
        case .commuteAdd: self = .commuteAdd(try CommuteAddParameters(reading: value, as: .parameters))
        case .commuteRename: self = .commuteRename(try CommuteRenameParameters(reading: value, as: .parameters))
        case .commuteRemove: self = .commuteRemove(try CommuteRemoveParameters(reading: value, as: .parameters))
        case .commuteUse: self = .commuteUse(try CommuteUseParameters(reading: value, as: .parameters))
        case .placeList: self = .placeList(try PlaceListParameters(reading: value, as: .parameters))
        case .placeSet: self = .placeSet(try PlaceSetParameters(reading: value, as: .parameters))
        case .placeRemove: self = .placeRemove(try PlaceRemoveParameters(reading: value, as: .parameters))
        case .addressSearch: self = .addressSearch(try AddressSearchParameters(reading: value, as: .parameters))
        case .favoriteList: self = .favoriteList(try FavoriteListParameters(reading: value, as: .parameters))
        case .favoriteShow: self = .favoriteShow(try FavoriteShowParameters(reading: value, as: .parameters))
        case .favoriteAdd: self = .favoriteAdd(try FavoriteAddParameters(reading: value, as: .parameters))
        case .favoriteRename: self = .favoriteRename(try FavoriteRenameParameters(reading: value, as: .parameters))
        case .favoriteCategory:
            self = .favoriteCategory(try FavoriteCategoryParameters(reading: value, as: .parameters))
        case .favoriteOrder: self = .favoriteOrder(try FavoriteOrderParameters(reading: value, as: .parameters))
        case .favoriteRemove: self = .favoriteRemove(try FavoriteRemoveParameters(reading: value, as: .parameters))
        case .keySet: self = .keySet(try KeySetParameters(reading: value, as: .parameters))
        case .keyCheck: self = .keyCheck(try KeyCheckParameters(reading: value, as: .parameters))
        case .keyRemove: self = .keyRemove(try KeyRemoveParameters(reading: value, as: .parameters))
        case .recentList: self = .recentList(try RecentListParameters(reading: value, as: .parameters))
        case .recentClear: self = .recentClear(try RecentClearParameters(reading: value, as: .parameters))
        case .providerList: self = .providerList(try ProviderListParameters(reading: value, as: .parameters))
        case .providerCheck: self = .providerCheck(try ProviderCheckParameters(reading: value, as: .parameters))
        case .feedList: self = .feedList(try FeedListParameters(reading: value, as: .parameters))
        case .feedUpdate: self = .feedUpdate(try FeedUpdateParameters(reading: value, as: .parameters))
        case .feedValidate: self = .feedValidate(try FeedValidateParameters(reading: value, as: .parameters))
        case .feedVersions: self = .feedVersions(try FeedVersionsParameters(reading: value, as: .parameters))
        case .feedRollback: self = .feedRollback(try FeedRollbackParameters(reading: value, as: .parameters))
        case .feedDiff: self = .feedDiff(try FeedDiffParameters(reading: value, as: .parameters))
        case .configCheck: self = .configCheck(try ConfigCheckParameters(reading: value, as: .parameters))
        case .configReload: self = .configReload(try ConfigReloadParameters(reading: value, as: .parameters))
        case .refresh: self = .refresh(try RefreshParameters(reading: value, as: .parameters))
        case .budget: self = .budget(try BudgetParameters(reading: value, as: .parameters))
        case .explain: self = .explain(try ExplainParameters(reading: value, as: .parameters))
        case .vehicles: self = .vehicles(try VehiclesParameters(reading: value, as: .parameters))
        case .alerts: self = .alerts(try AlertsParameters(reading: value, as: .parameters))
        case .doctor: self = .doctor(try DoctorParameters(reading: value, as: .parameters))
        case .subscribe: self = .subscribe(try SubscribeParameters(reading: value, as: .parameters))
        case .unsubscribe: self = .unsubscribe(try UnsubscribeParameters(reading: value, as: .parameters))
        }
    }

    /// The parameters of the request.
    public var call: any ControlParameters {
        switch self {
        case .hello(let call): call
        case .describe(let call): call
        case .cancel(let call): call
        case .status(let call): call
        case .next(let call): call
        case .departures(let call): call
        case .stopsSearch(let call): call
        case .stopsNear(let call): call
        case .stopsShow(let call): call
        case .routesSearch(let call): call
        case .routesShow(let call): call
        case .routesStops(let call): call
        case .tripShow(let call): call
        case .commuteList(let call): call
        case .commuteAdd(let call): call
        case .commuteRename(let call): call
        case .commuteRemove(let call): call
        case .commuteUse(let call): call
        case .placeList(let call): call
        case .placeSet(let call): call
        case .placeRemove(let call): call
        case .addressSearch(let call): call
        case .favoriteList(let call): call
        case .favoriteShow(let call): call
        case .favoriteAdd(let call): call
        case .favoriteRename(let call): call
        case .favoriteCategory(let call): call
        case .favoriteOrder(let call): call
        case .favoriteRemove(let call): call
        case .keySet(let call): call
        case .keyCheck(let call): call
        case .keyRemove(let call): call
        case .recentList(let call): call
        case .recentClear(let call): call
        case .providerList(let call): call
        case .providerCheck(let call): call
        case .feedList(let call): call
        case .feedUpdate(let call): call
        case .feedValidate(let call): call
        case .feedVersions(let call): call
        case .feedRollback(let call): call
        case .feedDiff(let call): call
        case .configCheck(let call): call
        case .configReload(let call): call
        case .refresh(let call): call
        case .budget(let call): call
        case .explain(let call): call
        case .vehicles(let call): call
        case .alerts(let call): call
        case .doctor(let call): call
        case .subscribe(let call): call
        case .unsubscribe(let call): call
        }
    }

    public var method: ControlMethod { type(of: call).method }
}
