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

    /// The name on the wire.
    public let rawValue: String
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
        _ rawValue: String, _ responseTime: ResponseTime, access: Access = .everyone, changes: StoredChange? = nil
    ) {
        self.rawValue = rawValue
        self.responseTime = responseTime
        self.access = access
        storedChange = changes
    }

    /// Whether a request can take longer than ``ResponseTime/quick`` allows. Such a request can be canceled, and later
    /// requests on the same connection can finish before it.
    public var isLongRunning: Bool { responseTime == .lengthy }
}

extension ControlMethod {
    public static let hello = ControlMethod("hello", .instant)
    public static let describe = ControlMethod("describe", .instant)
    public static let cancel = ControlMethod("cancel", .instant)
    public static let status = ControlMethod("status", .quick)
    public static let next = ControlMethod("next", .instant)
    public static let departures = ControlMethod("departures", .instant)
    public static let stopsSearch = ControlMethod("stops.search", .quick)
    public static let stopsNear = ControlMethod("stops.near", .quick)
    public static let stopsShow = ControlMethod("stops.show", .quick)
    public static let routesSearch = ControlMethod("routes.search", .quick)
    public static let routesShow = ControlMethod("routes.show", .quick)
    public static let routesStops = ControlMethod("routes.stops", .quick)
    public static let tripShow = ControlMethod("trip.show", .quick)
    public static let commuteList = ControlMethod("commute.list", .quick)
    public static let commuteAdd = ControlMethod("commute.add", .write, changes: .userData)
    public static let commuteRename = ControlMethod("commute.rename", .write, changes: .userData)
    public static let commuteRemove = ControlMethod("commute.remove", .write, changes: .userData)
    public static let commuteUse = ControlMethod("commute.use", .write, changes: .userData)
    public static let placeList = ControlMethod("place.list", .quick)
    public static let placeSet = ControlMethod("place.set", .write, changes: .userData)
    public static let placeRemove = ControlMethod("place.remove", .write, changes: .userData)
    public static let addressSearch = ControlMethod("address.search", .lengthy)
    public static let favoriteList = ControlMethod("favorite.list", .quick)
    // A user can have 200 favorites, each with its own board.
    public static let favoriteShow = ControlMethod("favorite.show", .lengthy)
    public static let favoriteAdd = ControlMethod("favorite.add", .write, changes: .userData)
    public static let favoriteRename = ControlMethod("favorite.rename", .write, changes: .userData)
    public static let favoriteCategory = ControlMethod("favorite.category", .write, changes: .userData)
    public static let favoriteOrder = ControlMethod("favorite.order", .write, changes: .userData)
    public static let favoriteRemove = ControlMethod("favorite.remove", .write, changes: .userData)
    public static let keySet = ControlMethod("key.set", .lengthy, access: .owner, changes: .keys)
    public static let keyCheck = ControlMethod("key.check", .lengthy, access: .owner)
    public static let keyRemove = ControlMethod("key.remove", .write, access: .owner, changes: .keys)
    public static let recentList = ControlMethod("recent.list", .quick)
    public static let recentClear = ControlMethod("recent.clear", .write, changes: .records)
    public static let providerList = ControlMethod("provider.list", .quick)
    public static let providerCheck = ControlMethod("provider.check", .lengthy, access: .owner)
    public static let feedList = ControlMethod("feed.list", .quick)
    // The first search waits for the download of the catalog.
    public static let feedFind = ControlMethod("feed.find", .lengthy)
    public static let feedUpdate = ControlMethod("feed.update", .lengthy, access: .owner)
    public static let feedValidate = ControlMethod("feed.validate", .lengthy)
    public static let feedVersions = ControlMethod("feed.versions", .lengthy)
    public static let feedRollback = ControlMethod("feed.rollback", .lengthy, access: .owner)
    public static let feedDiff = ControlMethod("feed.diff", .lengthy)
    public static let configCheck = ControlMethod("config.check", .quick, access: .owner)
    public static let configPropose = ControlMethod("config.propose", .quick, access: .owner)
    public static let configReload = ControlMethod("config.reload", .lengthy, access: .owner)
    public static let refresh = ControlMethod("refresh", .lengthy)
    public static let budget = ControlMethod("budget", .quick)
    public static let explain = ControlMethod("explain", .quick)
    public static let vehicles = ControlMethod("vehicles", .quick)
    public static let alerts = ControlMethod("alerts", .quick)
    public static let weather = ControlMethod("weather", .lengthy)
    public static let events = ControlMethod("events", .lengthy)
    public static let doctor = ControlMethod("doctor", .lengthy)
    public static let notifications = ControlMethod("notifications", .quick)
    public static let notifyAck = ControlMethod("notify.ack", .write, changes: .records)
    public static let takenAdd = ControlMethod("taken.add", .write, changes: .userData)
    public static let takenUndo = ControlMethod("taken.undo", .write, changes: .userData)
    public static let takenList = ControlMethod("taken.list", .lengthy)
    public static let takenImport = ControlMethod("taken.import", .write, changes: .userData)
    public static let usualList = ControlMethod("usual.list", .quick)
    public static let usualPin = ControlMethod("usual.pin", .write, changes: .userData)
    public static let usualUnpin = ControlMethod("usual.unpin", .write, changes: .userData)
    public static let usualForget = ControlMethod("usual.forget", .write, changes: .userData)
    public static let usualExplain = ControlMethod("usual.explain", .lengthy)
    public static let insights = ControlMethod("insights", .lengthy)
    public static let insightsForget = ControlMethod("insights.forget", .write, changes: .userData)
    public static let notifyList = ControlMethod("notify.list", .quick)
    public static let notifyEnable = ControlMethod("notify.enable", .write, changes: .userData)
    public static let notifySet = ControlMethod("notify.set", .write, changes: .userData)
    public static let notifyMute = ControlMethod("notify.mute", .write, changes: .userData)
    // A test is not stored.
    public static let notifyTest = ControlMethod("notify.test", .write)
    public static let notifyAct = ControlMethod("notify.act", .write, changes: .userData)
    // It simulates up to 60 days.
    public static let notifyRehearse = ControlMethod("notify.rehearse", .lengthy)
    public static let notifyDaysOff = ControlMethod("notify.days_off", .write, changes: .userData)
    public static let subscribe = ControlMethod("subscribe", .quick)
    public static let unsubscribe = ControlMethod("unsubscribe", .quick)
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
