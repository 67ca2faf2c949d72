public import TransitWire

// The kinds of errors of the methods for travelers.
extension ErrorKind {
    public static let stopNotFound = ErrorKind(
        "stop.not_found", code: -32020,
        "No stop matches; `details.candidates` lists those that may be meant, if there are any.")
    public static let stopAmbiguous = ErrorKind(
        "stop.ambiguous", code: -32021, "Several stops match; `details.candidates` lists them.")
    public static let stopOutside = ErrorKind(
        "stop.outside", code: -32029,
        "The stop is outside of the part of its feed that the configuration keeps, so it has no board.")
    public static let routeNotFound = ErrorKind(
        "route.not_found", code: -32022,
        "No route matches; `details.candidates` lists those that may be meant, if there are any.")
    public static let routeAmbiguous = ErrorKind(
        "route.ambiguous", code: -32023, "Several routes match; `details.candidates` lists them.")
    public static let tripNotFound = ErrorKind(
        "trip.not_found", code: -32024, "The trip does not exist.")
    public static let tripAmbiguous = ErrorKind(
        "trip.ambiguous", code: -32025,
        "Several feeds have a trip with this identifier; `details.candidates` lists them.")
    public static let departureNotFound = ErrorKind(
        "departure.not_found", code: -32027, "The departure does not exist, or is in the past.")
    public static let departureAmbiguous = ErrorKind(
        "departure.ambiguous", code: -32028, "Several departures fit the text; `details.candidates` lists them.")
    public static let timeInvalid = ErrorKind(
        "time.invalid", code: -32026, "The time is not in a supported format.")
    public static let commuteNotFound = ErrorKind(
        "commute.not_found", code: -32030,
        "The caller has no commute with this name; `details.candidates` lists similar names, if there are any.")
    public static let commuteNotSet = ErrorKind(
        "commute.not_set", code: -32031, "The caller has no commutes.")
    public static let commuteExists = ErrorKind(
        "commute.exists", code: -32032, "The caller already has a commute with this name.")
    public static let commuteReadOnly = ErrorKind(
        "commute.read_only", code: -32033,
        "The commute is defined in the configuration file and cannot be changed over the socket.")
    public static let commuteInvalid = ErrorKind(
        "commute.invalid", code: -32034,
        "The commute's endpoints cannot be used, for example because they are identical.")
    public static let placeNotFound = ErrorKind(
        "place.not_found", code: -32035,
        "The caller has no place with this name; `details.candidates` lists similar names, if there are any.")
    public static let placeNotSet = ErrorKind(
        "place.not_set", code: -32036, "The commute refers to a place that is not set.")
    public static let placeReadOnly = ErrorKind(
        "place.read_only", code: -32037,
        "The place is defined in the configuration file and cannot be changed over the socket.")
    public static let favoriteNotFound = ErrorKind(
        "favorite.not_found", code: -32038,
        "The caller has no favorite with this name or number; `details.candidates` lists similar names, if there are any."
    )
    public static let favoriteExists = ErrorKind(
        "favorite.exists", code: -32039, "The caller already has this favorite, or another favorite with this name.")
    public static let feedNotFound = ErrorKind(
        "feed.not_found", code: -32040, "The configuration has no feed with this identifier.")
    public static let feedRefused = ErrorKind(
        "feed.refused", code: -32041, "The feed's new version is unusable; the current version stays in use.")
    public static let feedUnreachable = ErrorKind(
        "feed.unreachable", code: -32042, isRetryable: true, "The feed's source could not be reached.")
    public static let feedNoData = ErrorKind(
        "feed.no_data", code: -32043, isRetryable: true, "The feed has no timetable yet.")
    public static let feedBusy = ErrorKind(
        "feed.busy", code: -32044, isRetryable: true, "The feed is being updated.")
    public static let feedVersionNotFound = ErrorKind(
        "feed.version_not_found", code: -32045, "The version is not stored.")
    public static let datasetNotFound = ErrorKind(
        "dataset.not_found", code: -32046, "The feed does not have this dataset.")
    public static let catalogUnavailable = ErrorKind(
        "catalog.unavailable", code: -32047, isRetryable: true,
        "The catalog of public feeds has not been downloaded yet, and could not be downloaded now.")
    public static let keyNotNeeded = ErrorKind(
        "key.not_needed", code: -32060, "The feed's source does not use an API key.")
    public static let keyNotFound = ErrorKind(
        "key.not_found", code: -32061, "The daemon stores no API key for the feed.")
    public static let keyReadOnly = ErrorKind(
        "key.read_only", code: -32062,
        "The API key comes from a file or credential and cannot be changed over the socket.")
    public static let keyRejected = ErrorKind(
        "key.rejected", code: -32063, "The source rejected the API key.")
    public static let keyUnverified = ErrorKind(
        "key.unverified", code: -32064, isRetryable: true,
        "The API key could not be validated because the source could not be reached.")
    public static let addressNotConfigured = ErrorKind(
        "address.not_configured", code: -32065, "The configuration has no geocoder.")
    public static let addressNoSuggestions = ErrorKind(
        "address.no_suggestions", code: -32066, "The geocoder does not permit search-as-you-type.")
    public static let addressUnreachable = ErrorKind(
        "address.unreachable", code: -32067, isRetryable: true, "The geocoder could not be reached.")
    public static let addressBusy = ErrorKind(
        "address.busy", code: -32068, isRetryable: true,
        "Too many address searches are in progress, or the geocoder limits the rate of requests.")
    public static let externalDataNotConfigured = ErrorKind(
        "context.not_configured", code: -32069, "The configuration has no source of weather or events.")
    public static let takenNotFound = ErrorKind(
        "taken.not_found", code: -32080, "No departure is known that the caller may have just caught.")
    public static let takenAmbiguous = ErrorKind(
        "taken.ambiguous", code: -32081,
        "The caller may have just caught one of several departures; `details.candidates` lists them.")
    public static let usualNotFound = ErrorKind(
        "usual.not_found", code: -32082, "The caller has no such usual departure.")
    public static let journeyNotFound = ErrorKind(
        "journey.not_found", code: -32086, "The caller has no pinned journey with this number.")
    public static let notificationNotFound = ErrorKind(
        "notification.not_found", code: -32083, "The caller has no current notification with this identifier.")
    public static let notificationSettingInvalid = ErrorKind(
        "notification.setting_invalid", code: -32084, "There is no such setting or rule, or the value is out of range.")
    public static let notificationsOff = ErrorKind(
        "notification.off", code: -32085, "The caller has not turned notifications on.")
    public static let storageFull = ErrorKind(
        "storage.full", code: -32050, isRetryable: true, "The disk is full.")
    public static let storageFailed = ErrorKind(
        "storage.failed", code: -32051, isRetryable: true, "The disk could not be read or written.")
    public static let configurationInvalid = ErrorKind(
        "config.invalid", code: -32052, "The configuration is invalid; the current configuration stays in effect.")
    public static let configurationNotChangeable = ErrorKind(
        "config.not_changeable", code: -32053, "The change of the configuration cannot be made by a program.")

    /// All known kinds.
    public static let all: [ErrorKind] =
        general + [
            .stopNotFound, .stopAmbiguous, .stopOutside, .routeNotFound, .routeAmbiguous, .tripNotFound, .tripAmbiguous,
            .departureNotFound, .departureAmbiguous, .timeInvalid, .commuteNotFound, .commuteNotSet, .commuteExists,
            .commuteReadOnly,
            .commuteInvalid, .placeNotFound, .placeNotSet, .placeReadOnly, .favoriteNotFound, .favoriteExists,
            .feedNotFound, .feedRefused, .feedUnreachable, .feedNoData, .feedBusy, .feedVersionNotFound,
            .datasetNotFound, .catalogUnavailable, .keyNotNeeded, .keyNotFound, .keyReadOnly, .keyRejected,
            .keyUnverified,
            .addressNotConfigured, .addressNoSuggestions, .addressUnreachable, .addressBusy,
            .externalDataNotConfigured, .takenNotFound, .takenAmbiguous, .usualNotFound, .notificationNotFound,
            .notificationSettingInvalid, .notificationsOff, .storageFull, .storageFailed,
            .configurationInvalid, .configurationNotChangeable,
        ]
}
