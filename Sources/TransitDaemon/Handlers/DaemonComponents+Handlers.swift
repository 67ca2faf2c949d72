internal import TransitControl
internal import TransitModel
internal import TransitSystem

// The handlers, each with the services that it uses.
extension DaemonComponents {
    var feedList: FeedListHandler { FeedListHandler(status: feedStatus, refresh: refresh) }
    var feedVersions: FeedVersionsHandler { FeedVersionsHandler(controller: controller) }
    var feedRollback: FeedRollbackHandler { FeedRollbackHandler(controller: controller, feeds: feeds) }
    var feedUpdate: FeedUpdateHandler {
        FeedUpdateHandler(controller: controller, feeds: feeds, refresh: refresh, clock: clock)
    }

    var keySet: KeySetHandler { KeySetHandler(keys: keys, changes: keyChanges) }
    var keyCheck: KeyCheckHandler { KeyCheckHandler(keys: keys) }
    var keyRemove: KeyRemoveHandler { KeyRemoveHandler(keys: keys, changes: keyChanges) }

    var providerList: ProviderListHandler { ProviderListHandler(configuration: configuration) }
    var providerCheck: ProviderCheckHandler {
        ProviderCheckHandler(transport: keys.transport, cacheDirectory: directories.cache)
    }

    var status: StatusHandler {
        StatusHandler(
            daemon: DaemonStatusReader(
                started: started, uptime: uptime, connections: connections, socket: socket,
                configuration: configuration, isReplay: isReplay, directories: directories),
            feeds: feedStatus, refresh: refresh, corruptFiles: corruptFiles, state: state)
    }
    var doctor: DoctorHandler {
        DoctorHandler(
            configuration: configCheck, status: status, budget: budget, directories: directories, state: state,
            refresh: refresh, corruptFiles: corruptFiles, permission: ownerPermission)
    }
    var configCheck: ConfigCheckHandler { ConfigCheckHandler(configuration: configuration) }
    var configReload: ConfigReloadHandler { ConfigReloadHandler(configuration: configuration, reloader: reloader) }

    var refreshNow: RefreshHandler {
        RefreshHandler(
            refresh: refresh, feeds: feeds, controller: controller, network: network, clock: clock,
            permission: ownerPermission)
    }
    var budget: BudgetHandler { BudgetHandler(refresh: refresh) }

    var recentList: RecentListHandler { RecentListHandler() }
    var recentClear: RecentClearHandler { RecentClearHandler(state: state) }
    var addressSearch: AddressSearchHandler { AddressSearchHandler(geocoding: geocoding) }

    var ownerPermission: OwnerPermission { OwnerPermission(uid: uid) }
    private var feedStatus: FeedStatusRenderer {
        FeedStatusRenderer(feeds: feeds, controller: controller, refresh: refresh, arrivals: arrivals, clock: clock)
    }
}
