internal import TransitControl
internal import TransitQueries
internal import TransitReplies
internal import TransitServer
internal import TransitStore
internal import TransitSystem

/// The handler of every method, except those that the server handles itself: `cancel`, `subscribe` and `unsubscribe`.
struct MethodRegistry: Sendable {
    /// The methods by their names, with the alias ``ControlProtocol/discoveryMethod``.
    let methods: [String: any RegisteredMethod]

    init(_ daemon: DaemonComponents, _ limits: ControlLimits) {
        let all = Self.session(daemon, limits) + Self.queries(daemon) + Self.personal(daemon) + Self.service(daemon)
        var methods = Dictionary(uniqueKeysWithValues: all.map { ($0.method.rawValue, $0) })
        methods[ControlProtocol.discoveryMethod] = methods[ControlMethod.describe.rawValue]
        self.methods = methods
    }

    /// Creates a request to a registered method.
    func request<Parameters: ControlParameters>(_ parameters: Parameters) -> ControlRequest {
        guard let method = methods[Parameters.method.rawValue] as? MethodRegistration<Parameters> else {
            preconditionFailure("\(Parameters.method.rawValue) has no handler")
        }
        return method.request(parsed: parameters)
    }

    private static func session(_ daemon: DaemonComponents, _ limits: ControlLimits) -> [any RegisteredMethod] {
        [MethodRegistration(HelloHandler(daemon: daemon, limits: limits)), MethodRegistration(DescribeHandler())]
    }

    /// The methods that read timetables and realtime data.
    private static func queries(_ daemon: DaemonComponents) -> [any RegisteredMethod] {
        let (arrivals, demand, searches, clock) = (
            daemon.arrivalsRequests, daemon.demand, daemon.searches, daemon.clock
        )
        return [
            MethodRegistration(
                arrivals: NextHandler(
                    arrivals: arrivals, demand: demand, contextData: daemon.contextData,
                    recentViews: daemon.recentViews, travel: daemon.travel, state: daemon.state, clock: clock)),
            MethodRegistration(
                arrivals: DeparturesHandler(arrivals: arrivals, demand: demand, travel: daemon.travel, clock: clock)),
            MethodRegistration(
                arrivals: FavoriteShowHandler(
                    arrivals: arrivals, demand: demand, recentViews: daemon.recentViews, travel: daemon.travel,
                    state: daemon.state, clock: clock)),
            MethodRegistration(query: StopsSearchHandler()) { parameters, result, context in
                if !result.stops.isEmpty { searches.record(.stops, parameters.text, context) }
            },
            MethodRegistration(query: StopsNearHandler()),
            MethodRegistration(arrivals: StopsShowHandler(arrivals: daemon.arrivals)),
            MethodRegistration(query: RoutesSearchHandler()) { parameters, result, context in
                if !result.routes.isEmpty, !parameters.text.isEmpty {
                    searches.record(.routes, parameters.text, context)
                }
            },
            MethodRegistration(query: RoutesShowHandler()),
            MethodRegistration(query: RoutesStopsHandler()),
            MethodRegistration(query: TripShowHandler()),
            MethodRegistration(ExplainHandler(refresh: daemon.refresh)),
            MethodRegistration(query: VehiclesHandler()) { parameters, _, context in
                for feed in context.query.feedsWithRealtime(named: parameters.feed) {
                    demand.recordRequest(about: feed.id, at: clock.reading())
                }
            },
            MethodRegistration(query: AlertsHandler()),
            MethodRegistration(
                longRunning: WeatherHandler(data: daemon.contextData, refresh: daemon.refresh, clock: clock)),
            MethodRegistration(EventsHandler(data: daemon.contextData, refresh: daemon.refresh, clock: clock)),
        ]
    }

    /// The methods that read and change the data of the caller.
    private static func personal(_ daemon: DaemonComponents) -> [any RegisteredMethod] {
        let commutes = CommuteHandlers(
            state: daemon.state, configuration: daemon.configuration, windows: daemon.windows,
            recentViews: daemon.recentViews, clock: daemon.clock)
        let places = PlaceHandlers(state: daemon.state)
        let favorites = FavoriteHandlers(state: daemon.state, recentViews: daemon.recentViews, clock: daemon.clock)
        let taken = TakenHandlers(
            state: daemon.state, travel: daemon.travel, notifications: daemon.notifications)
        let usual = UsualHandlers(state: daemon.state, travel: daemon.travel)
        let notifications = NotificationHandlers(service: daemon.notifications, state: daemon.state)
        let list = NotifyListHandler(service: daemon.notifications, state: daemon.state)
        let settings = NotifySettingHandlers(
            list: list, service: daemon.notifications, state: daemon.state, taken: taken)
        return [
            register(CommuteListParameters.self) { commutes.commuteList($1) },
            register(CommuteAddParameters.self, commutes.commuteAdd),
            register(CommuteRenameParameters.self, commutes.commuteRename),
            register(CommuteRemoveParameters.self, commutes.commuteRemove),
            register(CommuteUseParameters.self, commutes.commuteUse),
            register(PlaceListParameters.self) { try places.placeList($1) },
            register(PlaceSetParameters.self, places.placeSet),
            register(PlaceRemoveParameters.self, places.placeRemove),
            register(FavoriteListParameters.self) { favorites.favoriteList($1) },
            register(FavoriteAddParameters.self, favorites.favoriteAdd),
            register(FavoriteRenameParameters.self, favorites.favoriteRename),
            register(FavoriteCategoryParameters.self, favorites.favoriteCategory),
            register(FavoriteOrderParameters.self, favorites.favoriteOrder),
            register(FavoriteRemoveParameters.self, favorites.favoriteRemove),
            register(TakenAddParameters.self, taken.takenAdd),
            register(TakenUndoParameters.self, taken.takenUndo),
            register(TakenListParameters.self, taken.takenList),
            register(TakenImportParameters.self, taken.takenImport),
            register(UsualListParameters.self) { usual.usualList($1) },
            register(UsualPinParameters.self, usual.usualPin),
            register(UsualUnpinParameters.self, usual.usualUnpin),
            register(UsualForgetParameters.self, usual.usualForget),
            register(UsualExplainParameters.self, usual.usualExplain),
            MethodRegistration(InsightsHandler(state: daemon.state)),
            MethodRegistration(
                InsightsForgetHandler(
                    state: daemon.state, travel: daemon.travel, notifications: daemon.notifications)),
            MethodRegistration(list),
            register(NotificationsParameters.self) { notifications.notifications($1) },
            register(NotifyAckParameters.self, notifications.ack),
            register(NotifyTestParameters.self, notifications.test),
            register(NotifyEnableParameters.self, settings.enable),
            register(NotifySetParameters.self, settings.set),
            register(NotifyMuteParameters.self, settings.mute),
            register(NotifyActParameters.self, settings.act),
            MethodRegistration(DaysOffHandler(state: daemon.state)),
            MethodRegistration(NotifyRehearseHandler(service: daemon.notifications, state: daemon.state)),
            MethodRegistration(RecentListHandler()),
            MethodRegistration(RecentClearHandler(state: daemon.state)),
            MethodRegistration(longRunning: AddressSearchHandler(geocoding: daemon.geocoding)),
        ]
    }

    /// The methods that read and change the state of the daemon and its feeds.
    private static func service(_ daemon: DaemonComponents) -> [any RegisteredMethod] {
        let (feeds, controller, refresh, state) = (daemon.feeds, daemon.controller, daemon.refresh, daemon.state)
        let feedStatus = FeedStatusRenderer(
            feeds: feeds, controller: controller, refresh: refresh, arrivals: daemon.arrivals, clock: daemon.clock)
        let status = StatusHandler(
            daemon: DaemonStatusReader(
                started: daemon.started, uptime: daemon.uptime, connections: daemon.connections, socket: daemon.socket,
                configuration: daemon.configuration, isReplay: daemon.isReplay, directories: daemon.directories),
            feeds: feedStatus, refresh: refresh,
            context: ContextStatusReader(data: daemon.contextData, refresh: refresh, clock: daemon.clock),
            corruptFiles: daemon.corruptFiles, state: state,
            notifications: NotificationNotices(service: daemon.notifications, state: state), names: daemon.names)
        let configCheck = ConfigCheckHandler(configuration: daemon.configuration)
        let budget = BudgetHandler(refresh: refresh)
        return [
            MethodRegistration(status), MethodRegistration(configCheck), MethodRegistration(budget),
            MethodRegistration(
                ConfigReloadHandler(configuration: daemon.configuration, reloader: daemon.reloader)),
            MethodRegistration(
                DoctorHandler(
                    configuration: configCheck, status: status, budget: budget, directories: daemon.directories,
                    state: state, refresh: refresh,
                    feeds: FeedChecks(
                        keys: daemon.keys.keys, refresh: refresh, configuration: daemon.configuration,
                        directories: daemon.directories),
                    service: daemon.serviceCommands, corruptFiles: daemon.corruptFiles,
                    permission: daemon.ownerPermission)),
            MethodRegistration(
                longRunning: RefreshHandler(
                    refresh: refresh, feeds: feeds, controller: controller, network: daemon.network,
                    clock: daemon.clock, permission: daemon.ownerPermission)),
            MethodRegistration(FeedListHandler(status: feedStatus, refresh: refresh)),
            MethodRegistration(FeedVersionsHandler(controller: controller)),
            MethodRegistration(FeedDiffHandler(controller: controller)),
            MethodRegistration(FeedRollbackHandler(controller: controller, feeds: feeds)),
            MethodRegistration(
                FeedValidateHandler(
                    controller: controller, state: state,
                    realtime: RealtimeReport(realtimeFeeds: daemon.realtimeFeeds, arrivals: daemon.arrivals))),
            MethodRegistration(
                longRunning: FeedUpdateHandler(
                    controller: controller, feeds: feeds, refresh: refresh, clock: daemon.clock)),
            MethodRegistration(longRunning: KeySetHandler(keys: daemon.keys, changes: daemon.keyChanges)),
            MethodRegistration(longRunning: KeyCheckHandler(keys: daemon.keys)),
            MethodRegistration(KeyRemoveHandler(keys: daemon.keys, changes: daemon.keyChanges)),
            MethodRegistration(ProviderListHandler(configuration: daemon.configuration)),
            MethodRegistration(
                longRunning: ProviderCheckHandler(
                    responses: daemon.keys.responses, cacheDirectory: daemon.directories.cache)),
        ]
    }

    /// Registers a function of a type that handles several methods.
    private static func register<Parameters: ControlParameters>(
        _ type: Parameters.Type,
        _ reply: @escaping @Sendable (Parameters, RequestContext) throws -> Parameters.Reply
    ) -> any RegisteredMethod { MethodRegistration(FunctionHandler(function: reply)) }
}

/// A handler that is a function of a type that handles several methods.
private struct FunctionHandler<Parameters: ControlParameters>: MethodHandler {
    let function: @Sendable (Parameters, RequestContext) throws -> Parameters.Reply

    func reply(to parameters: Parameters, _ context: RequestContext) throws -> Parameters.Reply {
        try function(parameters, context)
    }
}
