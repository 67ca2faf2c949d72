internal import TransitModel

/// Warsaw's clock.
enum WaBusTime {
    /// The rule of the European Union, which holds in Poland since 1996: the server tells times of today and tomorrow only, so
    /// that no other one is needed, and reading the system's zones is the daemon's affair.
    static let zone = ServiceZone(name: "Europe/Warsaw", posixRule: "CET-1CEST,M3.5.0,M10.5.0/3") ?? .utc
}
