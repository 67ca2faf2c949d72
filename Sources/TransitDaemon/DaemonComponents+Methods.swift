internal import Logging
internal import TransitControl
internal import TransitQueries
internal import TransitReplies
internal import TransitServer
internal import TransitStore
internal import TransitSystem

// A part of the composition root: each handler receives the components that it uses.
extension DaemonComponents {
    /// Creates what answers requests.
    ///
    /// - Parameter limits: The limits of the server, for `hello`.
    func requestHandlers(limits: ControlLimits) -> RequestHandlers {
        let registry = MethodRegistry(session(limits) + queries + personal + service)
        return RequestHandlers(
            registry,
            RequestHandlers.Dependencies(
                contexts: contexts, controller: controller, demand: demand, arrivals: arrivalsRequests,
                notifications: notifications, permission: ownerPermission, topics: topics,
                networks: controller.networks, readPool: readPool,
                searchPool: searchPool, writePool: writePool))
    }

    /// Creates the service that keeps arrivals fresh.
    func arrivalsPreloader(_ registry: MethodRegistry, logger: Logger) -> ArrivalsPreloader {
        ArrivalsPreloader(
            contexts: contexts, registry: registry, arrivals: arrivalsRequests, recentViews: recentViews,
            windows: windows, notifications: notifications, uid: uid, logger: logger)
    }

    private func session(_ limits: ControlLimits) -> [any RegisteredMethod] {
        [
            MethodRegistration(HelloHandler(socket: socket, permission: ownerPermission, limits: limits)),
            MethodRegistration(DescribeHandler()),
        ]
    }

    /// The methods that read timetables and realtime data.
    private var queries: [any RegisteredMethod] {
        [
            MethodRegistration(
                arrivals: NextHandler(
                    arrivals: arrivalsRequests, demand: demand, externalData: externalData,
                    recentViews: recentViews, travel: travel, state: state, clock: clock)),
            MethodRegistration(
                arrivals: DeparturesHandler(
                    arrivals: arrivalsRequests, demand: demand, travel: travel, stopsInUse: stopsInUse, clock: clock)),
            MethodRegistration(
                arrivals: FavoriteShowHandler(
                    arrivals: arrivalsRequests, demand: demand, recentViews: recentViews, travel: travel,
                    state: state, clock: clock)),
            MethodRegistration(query: JourneysHandler()),
            MethodRegistration(query: LastJourneysHandler()),
            MethodRegistration(query: StopsSearchHandler()) { [searches] parameters, result, context in
                if !result.stops.isEmpty, parameters.remember { searches.record(.stops, parameters.text, context) }
            },
            MethodRegistration(query: StopsNearHandler()),
            MethodRegistration(arrivals: StopsShowHandler(arrivals: arrivals)),
            MethodRegistration(query: RoutesSearchHandler()) { [searches] parameters, result, context in
                if !result.routes.isEmpty, !parameters.text.isEmpty, parameters.remember {
                    searches.record(.routes, parameters.text, context)
                }
            },
            MethodRegistration(query: RoutesShowHandler()),
            MethodRegistration(query: RoutesStopsHandler()),
            MethodRegistration(query: TripShowHandler()),
            MethodRegistration(ExplainHandler(refresh: refresh)),
            MethodRegistration(query: VehiclesHandler()) { [demand, clock] parameters, _, context in
                for feed in context.query.feedsWithRealtime(named: parameters.feed) {
                    demand.recordRequest(about: feed.id, at: clock.reading())
                }
            },
            MethodRegistration(query: AlertsHandler()),
            MethodRegistration(
                longRunning: WeatherHandler(data: externalData, refresh: refresh, clock: clock)),
            MethodRegistration(EventsHandler(data: externalData, refresh: refresh, clock: clock)),
        ]
    }

    /// The methods that read and change the data of the caller.
    private var personal: [any RegisteredMethod] {
        let commutes = CommuteHandlers(
            state: state, configuration: configuration, windows: windows,
            recentViews: recentViews, clock: clock)
        let places = PlaceHandlers(state: state)
        let favorites = FavoriteHandlers(state: state, recentViews: recentViews, clock: clock)
        let taken = TakenHandlers(
            state: state, travel: travel, notifications: notifications)
        let usual = UsualHandlers(state: state, travel: travel)
        let journeys = JourneyPinHandlers(state: state, notifications: notifications)
        let notificationMethods = NotificationHandlers(service: notifications, state: state)
        let list = NotifyListHandler(service: notifications, state: state)
        let settings = NotifySettingHandlers(
            list: list, service: notifications, state: state, taken: taken)
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
            register(PinnedJourneysParameters.self, journeys.pinned),
            register(JourneyPinParameters.self, journeys.pin),
            register(JourneyUnpinParameters.self, journeys.unpin),
            MethodRegistration(InsightsHandler(state: state)),
            MethodRegistration(
                InsightsForgetHandler(
                    state: state, travel: travel, notifications: notifications)),
            MethodRegistration(list),
            register(NotificationsParameters.self) { notificationMethods.notifications($1) },
            register(NotifyAckParameters.self, notificationMethods.ack),
            register(NotifyTestParameters.self, notificationMethods.test),
            register(NotifyEnableParameters.self, settings.enable),
            register(NotifySetParameters.self, settings.set),
            register(NotifyMuteParameters.self, settings.mute),
            register(NotifyActParameters.self, settings.act),
            MethodRegistration(DaysOffHandler(state: state)),
            MethodRegistration(NotifyRehearseHandler(service: notifications, state: state)),
            MethodRegistration(query: RecentListHandler()),
            MethodRegistration(RecentClearHandler(state: state)),
            MethodRegistration(longRunning: AddressSearchHandler(geocoding: geocoding)),
        ]
    }

    /// The methods that read and change the state of the daemon and its feeds.
    private var service: [any RegisteredMethod] {
        let feedStatus = FeedStatusReader(
            controller: controller, refresh: refresh, arrivals: arrivals, clock: clock)
        let status = StatusHandler(
            daemon: DaemonStatusReader(
                started: started, uptime: uptime, connections: connections, socket: socket,
                configuration: configuration, isReplay: isReplay, directories: directories),
            feeds: feedStatus, refresh: refresh,
            externalData: ExternalDataStatusReader(data: externalData, refresh: refresh, clock: clock),
            corruptFiles: corruptFiles, state: state,
            notifications: NotificationNotices(service: notifications, state: state), names: names)
        let configCheck = ConfigCheckHandler(configuration: configuration)
        let budget = BudgetHandler(refresh: refresh)
        return [
            MethodRegistration(status), MethodRegistration(configCheck), MethodRegistration(budget),
            MethodRegistration(ConfigProposeHandler(configuration: configuration)),
            MethodRegistration(
                ConfigReloadHandler(configuration: configuration, reloader: reloader)),
            MethodRegistration(
                DoctorHandler(
                    configuration: configCheck, status: status, budget: budget, directories: directories,
                    state: state, refresh: refresh,
                    feeds: FeedChecks(
                        keys: keys.keys, refresh: refresh, configuration: configuration,
                        directories: directories),
                    service: serviceCommands, corruptFiles: corruptFiles,
                    permission: ownerPermission)),
            MethodRegistration(
                longRunning: RefreshHandler(
                    refresh: refresh, feeds: feeds, controller: controller, network: network,
                    clock: clock, permission: ownerPermission)),
            MethodRegistration(FeedListHandler(status: feedStatus, refresh: refresh)),
            MethodRegistration(
                longRunning: FeedFindHandler(
                    data: externalData, refresh: refresh, geocoding: geocoding, clock: clock)),
            MethodRegistration(FeedVersionsHandler(controller: controller)),
            MethodRegistration(FeedDiffHandler(controller: controller)),
            MethodRegistration(query: FeedHistoryHandler()),
            MethodRegistration(FeedHistoryClearHandler(realtimeFeeds: realtimeFeeds, permission: ownerPermission)),
            MethodRegistration(FeedRollbackHandler(controller: controller, feeds: feeds)),
            MethodRegistration(
                FeedValidateHandler(
                    controller: controller, state: state, realtimeFeeds: realtimeFeeds, arrivals: arrivals)),
            MethodRegistration(
                longRunning: FeedUpdateHandler(
                    controller: controller, feeds: feeds, refresh: refresh, clock: clock)),
            MethodRegistration(longRunning: KeySetHandler(keys: keys, changes: keyChanges)),
            MethodRegistration(longRunning: KeyCheckHandler(keys: keys)),
            MethodRegistration(KeyRemoveHandler(keys: keys, changes: keyChanges)),
            MethodRegistration(ProviderListHandler(configuration: configuration)),
            MethodRegistration(
                longRunning: ProviderCheckHandler(
                    responses: keys.responses, cacheDirectory: directories.cache)),
        ]
    }

    /// Registers a function of a type that handles several methods.
    private func register<Parameters: ControlParameters>(
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
