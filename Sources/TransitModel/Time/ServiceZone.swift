/// A time zone with every change of its offset: the only place where civil time meets instants.
///
/// Made from the bytes of a TZif file (RFC 8536) by ``init(name:tzif:)``; the footer's POSIX rule carries it past the
/// last listed transition. Foundation's `TimeZone` is not used: a statically linked program can answer `nil` for every identifier.
public struct ServiceZone: Sendable, Hashable {
    /// The IANA name it was asked for by.
    public let name: String
    /// `offsets[0]` holds before `transitions[0]`; `offsets[i + 1]` from `transitions[i]` on. Seconds.
    let transitions: [Int64]
    let offsets: [Int32]
    let rule: PosixZoneRule?

    init(name: String, transitions: [Int64], offsets: [Int32], rule: PosixZoneRule?) {
        self.name = name
        self.transitions = transitions
        self.offsets = offsets
        self.rule = rule
    }

    /// UTC under its IANA name.
    public static let utc = ServiceZone(name: "Etc/UTC", transitions: [], offsets: [0], rule: nil)
}
