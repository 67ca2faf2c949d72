public import TransitWire

/// A method of the control protocol, with the properties that do not depend on its parameters.
///
/// A method consists of one line here, the types of its parameters and its result, which name each other, one line in
/// ``ControlProtocol/methods``, and the daemon's handler.
public struct ControlMethod: Sendable {
    /// The callers that may use a method.
    public enum Access: Hashable, Sendable {
        case everyone
        /// Root and the user that the daemon runs as, because the method changes shared data or reports errors in the
        /// configuration file.
        case owner
    }

    /// What a method is for. It determines which methods a restricted connection may use (``ConnectionRestriction``), and
    /// which ones `transitctl mcp` offers.
    public enum Purpose: Hashable, Sendable {
        /// Answers from public data, such as timetables, realtime data and the catalog of feeds. The caller's places,
        /// commutes and favorites only help to find what a request means, so that it also works without them.
        case query
        /// Answers from the caller's data, or about the caller's setup. Like ``query``, it changes nothing.
        case personalQuery
        /// Concerns the connection or the protocol.
        case session
        /// Changes the caller's data, or sends the caller something.
        case change
        /// Concerns the daemon: its feeds, keys, configuration and health.
        case administration
    }

    /// The name on the wire.
    public let rawValue: String
    public let purpose: Purpose
    /// The expected response time of a request, which determines the thread that handles it.
    ///
    /// A test with large timetables checks the response times that are declared here.
    public let responseTime: ResponseTime
    public let access: Access
    /// What a method changes on disk. The change is there before the response is sent; if it cannot be written, the
    /// response is an error of the kind ``ErrorKind/storageFull`` or ``ErrorKind/storageFailed``, and nothing is changed.
    /// After an error of `insights.forget`, only older copies may remain.
    ///
    /// A test calls every method that changes something, with and without a disk that fails.
    public enum StoredChange: Hashable, Sendable {
        /// The caller's commutes, places, favorites, trips, usual departures or settings. Subscribers are notified.
        case userData
        /// Records on which no topic depends: recent searches, and how far notifications were handled.
        case records
        /// The API keys of feeds.
        case keys
    }

    /// What the method changes on disk; `nil` if it changes nothing that belongs to a user.
    public let storedChange: StoredChange?

    init(
        _ rawValue: String, _ purpose: Purpose, _ responseTime: ResponseTime, access: Access = .everyone,
        changes: StoredChange? = nil
    ) {
        self.rawValue = rawValue
        self.purpose = purpose
        self.responseTime = responseTime
        self.access = access
        storedChange = changes
    }

    /// Whether a request can take longer than ``ResponseTime/quick`` allows. Such a request can be canceled, and later
    /// requests on the same connection can finish before it.
    public var isLongRunning: Bool { responseTime == .lengthy }
}

extension ControlMethod {
    public static let hello = ControlMethod("hello", .session, .instant)
    public static let describe = ControlMethod("describe", .session, .instant)
    public static let cancel = ControlMethod("cancel", .session, .instant)
    public static let status = ControlMethod("status", .personalQuery, .quick)
    public static let next = ControlMethod("next", .query, .instant)
    // A search can read the timetables of several feeds, and the first one prepares them.
    public static let journeys = ControlMethod("journeys", .query, .lengthy)
    public static let lastJourneys = ControlMethod("journeys.last", .query, .lengthy)
    // A journey that broke needs a search.
    public static let pinnedJourneys = ControlMethod("journeys.pinned", .personalQuery, .lengthy)
    public static let journeyPin = ControlMethod("journeys.pin", .change, .write, changes: .userData)
    public static let journeyUnpin = ControlMethod("journeys.unpin", .change, .write, changes: .userData)
    public static let departures = ControlMethod("departures", .query, .instant)
    public static let stopsSearch = ControlMethod("stops.search", .query, .quick)
    public static let stopsNear = ControlMethod("stops.near", .query, .quick)
    public static let stopsShow = ControlMethod("stops.show", .query, .quick)
    public static let routesSearch = ControlMethod("routes.search", .query, .quick)
    public static let routesShow = ControlMethod("routes.show", .query, .quick)
    public static let routesStops = ControlMethod("routes.stops", .query, .quick)
    public static let tripShow = ControlMethod("trip.show", .query, .quick)
    public static let commuteList = ControlMethod("commute.list", .personalQuery, .quick)
    public static let commuteAdd = ControlMethod("commute.add", .change, .write, changes: .userData)
    public static let commuteRename = ControlMethod("commute.rename", .change, .write, changes: .userData)
    public static let commuteRemove = ControlMethod("commute.remove", .change, .write, changes: .userData)
    public static let commuteUse = ControlMethod("commute.use", .change, .write, changes: .userData)
    public static let placeList = ControlMethod("place.list", .personalQuery, .quick)
    public static let placeSet = ControlMethod("place.set", .change, .write, changes: .userData)
    public static let placeRemove = ControlMethod("place.remove", .change, .write, changes: .userData)
    public static let addressSearch = ControlMethod("address.search", .query, .lengthy)
    public static let favoriteList = ControlMethod("favorite.list", .personalQuery, .quick)
    // A user can have 200 favorites, each with its own board.
    public static let favoriteShow = ControlMethod("favorite.show", .personalQuery, .lengthy)
    public static let favoriteAdd = ControlMethod("favorite.add", .change, .write, changes: .userData)
    public static let favoriteRename = ControlMethod("favorite.rename", .change, .write, changes: .userData)
    public static let favoriteCategory = ControlMethod("favorite.category", .change, .write, changes: .userData)
    public static let favoriteOrder = ControlMethod("favorite.order", .change, .write, changes: .userData)
    public static let favoriteRemove = ControlMethod("favorite.remove", .change, .write, changes: .userData)
    public static let keySet = ControlMethod("key.set", .administration, .lengthy, access: .owner, changes: .keys)
    public static let keyCheck = ControlMethod("key.check", .administration, .lengthy, access: .owner)
    public static let keyRemove = ControlMethod("key.remove", .administration, .write, access: .owner, changes: .keys)
    public static let recentList = ControlMethod("recent.list", .personalQuery, .quick)
    public static let recentClear = ControlMethod("recent.clear", .change, .write, changes: .records)
    public static let providerList = ControlMethod("provider.list", .query, .quick)
    public static let providerCheck = ControlMethod("provider.check", .administration, .lengthy, access: .owner)
    public static let feedList = ControlMethod("feed.list", .query, .quick)
    // The first search waits for the download of the catalog.
    public static let feedFind = ControlMethod("feed.find", .query, .lengthy)
    public static let feedUpdate = ControlMethod("feed.update", .administration, .lengthy, access: .owner)
    public static let feedValidate = ControlMethod("feed.validate", .query, .lengthy)
    public static let feedVersions = ControlMethod("feed.versions", .query, .lengthy)
    public static let feedRollback = ControlMethod("feed.rollback", .administration, .lengthy, access: .owner)
    public static let feedDiff = ControlMethod("feed.diff", .query, .lengthy)
    public static let feedHistory = ControlMethod("feed.history", .query, .quick)
    public static let feedHistoryClear = ControlMethod("feed.history.clear", .administration, .write, access: .owner)
    public static let configCheck = ControlMethod("config.check", .administration, .quick, access: .owner)
    public static let configPropose = ControlMethod("config.propose", .administration, .quick, access: .owner)
    public static let configReload = ControlMethod("config.reload", .administration, .lengthy, access: .owner)
    public static let refresh = ControlMethod("refresh", .administration, .lengthy)
    public static let budget = ControlMethod("budget", .query, .quick)
    public static let explain = ControlMethod("explain", .query, .quick)
    public static let vehicles = ControlMethod("vehicles", .query, .quick)
    public static let alerts = ControlMethod("alerts", .query, .quick)
    public static let weather = ControlMethod("weather", .query, .lengthy)
    public static let events = ControlMethod("events", .query, .lengthy)
    public static let doctor = ControlMethod("doctor", .administration, .lengthy)
    public static let notifications = ControlMethod("notifications", .personalQuery, .quick)
    public static let notifyAck = ControlMethod("notify.ack", .change, .write, changes: .records)
    public static let takenAdd = ControlMethod("taken.add", .change, .write, changes: .userData)
    public static let takenUndo = ControlMethod("taken.undo", .change, .write, changes: .userData)
    public static let takenList = ControlMethod("taken.list", .personalQuery, .lengthy)
    public static let takenImport = ControlMethod("taken.import", .change, .write, changes: .userData)
    public static let usualList = ControlMethod("usual.list", .personalQuery, .quick)
    public static let usualPin = ControlMethod("usual.pin", .change, .write, changes: .userData)
    public static let usualUnpin = ControlMethod("usual.unpin", .change, .write, changes: .userData)
    public static let usualForget = ControlMethod("usual.forget", .change, .write, changes: .userData)
    public static let usualExplain = ControlMethod("usual.explain", .personalQuery, .lengthy)
    public static let insights = ControlMethod("insights", .personalQuery, .lengthy)
    public static let insightsForget = ControlMethod("insights.forget", .change, .write, changes: .userData)
    public static let notifyList = ControlMethod("notify.list", .personalQuery, .quick)
    public static let notifyEnable = ControlMethod("notify.enable", .change, .write, changes: .userData)
    public static let notifySet = ControlMethod("notify.set", .change, .write, changes: .userData)
    public static let notifyMute = ControlMethod("notify.mute", .change, .write, changes: .userData)
    // A test is not stored.
    public static let notifyTest = ControlMethod("notify.test", .change, .write)
    public static let notifyAct = ControlMethod("notify.act", .change, .write, changes: .userData)
    // It simulates up to 60 days.
    public static let notifyRehearse = ControlMethod("notify.rehearse", .personalQuery, .lengthy)
    public static let notifyDaysOff = ControlMethod("notify.days_off", .change, .write, changes: .userData)
    public static let subscribe = ControlMethod("subscribe", .session, .quick)
    public static let unsubscribe = ControlMethod("unsubscribe", .session, .quick)
}

/// Two methods with the same name are equal.
extension ControlMethod: WireEnum {
    /// The method with a name; `nil` if there is none.
    public init?(rawValue: String) {
        guard let call = ControlProtocol.parameters[rawValue] else { return nil }
        self = call.method
    }

    public static var allCases: [ControlMethod] { ControlProtocol.methods.map { $0.method } }

    public static func == (left: ControlMethod, right: ControlMethod) -> Bool { left.rawValue == right.rawValue }
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

/// The parameters of a method.
public protocol ControlParameters: WireObject {
    associatedtype Reply: WireObject
    static var method: ControlMethod { get }
    /// The members that refer to data of the caller, which a caller without personal data cannot use.
    static var personalMembers: PersonalMembers { get }
    /// The expected response time of a request with these parameters.
    var responseTime: ResponseTime { get }
}

extension ControlParameters {
    public static var personalMembers: PersonalMembers { PersonalMembers([]) }
    public var responseTime: ResponseTime { Self.method.responseTime }
}

/// The members of a method's parameters that refer to data of the caller, such as the name of a commute.
public struct PersonalMembers: Sendable {
    public let names: Set<String>
    /// The optional members that are required without personal data, because their defaults come from it.
    public let requiredOtherwise: Set<String>

    public init(_ names: Set<String>, requiredOtherwise: Set<String> = []) {
        self.names = names
        self.requiredOtherwise = requiredOtherwise
    }
}

extension ControlParameters {
    /// Parses the `result` of a response.
    public static func reply(from result: JSONValue) throws(ReplyError) -> Reply {
        do { return try Reply(reading: result, as: .result) } catch {
            throw ReplyError(
                reason: "Cannot parse the daemon's response to \(method.rawValue): \(error.place) \(error.problem).")
        }
    }
}

extension OutgoingLine {
    /// Appends a client's request and a line feed. Without an `id`, the request is a notification.
    public static func write(_ call: some ControlParameters, id: RequestID?, to writer: inout JSONWriter) {
        write(method: type(of: call).method.rawValue, call, id: id, to: &writer)
    }
}
