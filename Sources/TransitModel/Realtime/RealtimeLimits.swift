/// Limits on the content of one realtime message. Entities beyond a limit are dropped and counted.
///
/// The largest published messages have 60,000 trip updates and a few hundred alerts. A message within the byte limit of
/// ``RefreshPolicy`` could contain many millions of each, which take fifty times as much memory as their encoded bytes.
public enum RealtimeLimits {
    public static let tripUpdates = 200_000
    public static let vehicles = 200_000
    public static let alerts = 20_000
    /// The maximum total number of informed entities in all alerts of a message.
    public static let informedEntities = 200_000
    public static let activePeriods = 200_000
    public static let translations = 200_000
    /// The maximum number of stop time updates in one trip update. No real trip makes that many calls.
    public static let stopTimeUpdatesPerTrip = 10_000
    /// The maximum number of entities in a differential message.
    public static let changes = 500_000
    /// The approximate limit, in bytes, on the decoded content of one message.
    public static let memory = 48 << 20
}
