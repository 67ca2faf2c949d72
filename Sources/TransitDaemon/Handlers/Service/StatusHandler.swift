internal import Glibc
internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitQueries
internal import TransitRefresh
internal import TransitReplies
internal import TransitServer
internal import TransitStore
internal import TransitSystem

/// Handles `status`.
struct StatusHandler: MethodHandler {
    let daemon: DaemonStatusReader
    let feeds: FeedStatusReader
    let refresh: RefreshService
    let externalData: ExternalDataStatusReader
    let corruptFiles: CorruptFileLog
    let state: StateStore
    let notifications: NotificationNotices
    let names: NameResolutionMonitor

    func reply(to parameters: StatusParameters, _ context: RequestContext) throws -> StatusResult {
        let plans = refresh.plans()
        return StatusResult(
            at: context.at, daemon: daemon.status(now: context.now, zone: context.zone),
            feeds: try context.feeds(named: parameters.feed).map {
                feeds.status(of: $0, plans: plans, now: context.now, listsUpdates: parameters.updates)
            },
            context: parameters.feed == nil
                ? externalData.statuses(plans, listsUpdates: parameters.updates, zone: context.zone) : [],
            storage: daemon.storage(),
            commute: context.personal.commuteInUse,
            network: connectivity(context),
            caches: corruptFiles.entries.map { CacheStatus($0, zone: context.zone) },
            notifications: notifications.summary(context), notices: notices(context))
    }

    /// Returns whether the machine has a network route, and whether its name servers answer.
    private func connectivity(_ context: RequestContext) -> ConnectivityStatus {
        let (isOnline, resolution) = (NetworkConnectivity.read().isOnline, names.current)
        guard isOnline, let since = resolution.failingSince else { return ConnectivityStatus(isOnline: isOnline) }
        return ConnectivityStatus(
            isOnline: true, since: Timestamp(since, in: context.zone), resolvesNames: false)
    }

    /// Returns the notice of a connection without name resolution.
    private func nameNotice(_ context: RequestContext) -> Notice? {
        let resolution = names.current
        guard let since = resolution.failingSince, NetworkConnectivity.read().isOnline else { return nil }
        return Notice(
            kind: .failed, message: "\(resolution.sentence) \(NameServers.remedy())",
            since: Timestamp(since, in: context.zone))
    }

    /// Returns the notices of the status. The first notice tells the user what to set up next.
    private func notices(_ context: RequestContext) -> [Notice] {
        var notices: [Notice] = []
        if context.feeds.isEmpty {
            notices.append(.noFeed(file: daemon.configuration.file.expected))
        } else if context.query.commuteList.entries.isEmpty {
            notices.append(
                Notice(
                    kind: .missing,
                    message: "You have no commute yet. Run transitctl place set home LAT,LON and "
                        + "transitctl place set work LAT,LON, then transitctl next."))
        }
        if let notice = nameNotice(context) { notices.append(notice) }
        return notices + state.personalNotices(context) + externalData.notices(zone: context.zone)
            + notifications.notices(context)
            + refresh.notices.entries.compactMap { Notice($0, zone: context.zone) }
    }
}

extension Notice {
    /// Reports that no feed is configured and how to add one.
    ///
    /// - Parameter file: The configuration file to which a feed would be added; `nil` if there is none.
    static func noFeed(file: String?) -> Notice {
        Notice(
            kind: .missing,
            message:
                "No feed is configured, so no departures are available. Add one with: transitctl setup. It writes to "
                + "\(file ?? "the configuration") (see transitd.toml(5)). To try transitd with a demo city, run: transitd --demo."
        )
    }

    /// Creates the status notice for a notice of the refresh engine; `nil` if another notice covers it.
    fileprivate init?(_ entry: RefreshNotices.Entry, zone: ServiceZone) {
        let kind: NoticeKind
        let feed: FeedID?
        switch entry.notice {
        case .expiring: return nil
        case .unchanging(let dataset, _): (kind, feed) = (.stale, dataset.feed)
        case .ignoresConditionalRequests(let dataset), .falseNotModified(let dataset):
            (kind, feed) = (.malformed, dataset.feed)
        case .circuitOpened, .circuitClosed, .budgetExhausted, .budgetAvailable, .ledgerUnsaved, .ledgerSaved,
            .clockJumped:
            (kind, feed) = (.failed, nil)
        }
        self.init(
            kind: kind, feed: feed, message: RefreshNoticeLine(entry.notice).text,
            since: Timestamp(entry.since, in: zone))
    }
}

extension CacheStatus {
    fileprivate init(_ entry: CorruptFileLog.Entry, zone: ServiceZone) {
        let health: CacheHealth =
            switch entry.remedy {
            case .rebuilt: .rebuilt
            case .restored: .restored
            case .lost: .lost
            }
        self.init(name: entry.name, health: health, message: entry.message, since: Timestamp(entry.found, in: zone))
    }
}

/// Reads the state of the process for `status`.
struct DaemonStatusReader: Sendable {
    let started: Instant
    let uptime: Stopwatch
    let connections: ConnectionCount
    let socket: String
    let configuration: ConfigurationHolder
    let isReplay: Bool
    let directories: Directories

    func status(now: Instant, zone: ServiceZone) -> DaemonStatus {
        DaemonStatus(
            version: DaemonVersion.text, pid: Int(getpid()), started: Timestamp(started, in: zone),
            uptime: Int(uptime.elapsed), memory: ProcessMemory.resident(), connections: connections.value,
            socket: socket, configuration: configuration.file.path, isReplay: isReplay)
    }

    func storage() -> StorageStatus {
        StorageStatus(
            state: DiskUsage.bytes(under: directories.state),
            timetables: DiskUsage.bytes(under: directories.timetables),
            free: DiskUsage.free(at: directories.cache))
    }
}
