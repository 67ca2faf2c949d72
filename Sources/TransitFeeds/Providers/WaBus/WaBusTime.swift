internal import TransitModel

/// The time zone of Warsaw.
enum WaBusTime {
    /// The daylight-saving rule of the European Union, in force in Poland since 1996. The server sends only times of
    /// today and tomorrow, so no older rule is needed. The rule is a constant because only the daemon reads the
    /// system's time zones.
    static let zone = ServiceZone(name: "Europe/Warsaw", posixRule: "CET-1CEST,M3.5.0,M10.5.0/3") ?? .utc
}
