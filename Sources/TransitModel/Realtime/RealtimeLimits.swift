/// How much of one realtime message is used. The rest is left out and counted.
///
/// The largest published messages have 60,000 trip updates and a few hundred alerts. A message within the byte limit of
/// ``RefreshPolicy`` could hold many millions of each, which take fifty times as much memory as their bytes.
public enum RealtimeLimits {
    public static let tripUpdates = 200_000
    public static let vehicles = 200_000
    public static let alerts = 20_000
    /// The limit for all alerts of a message together.
    public static let informedEntities = 200_000
    public static let activePeriods = 200_000
    public static let translations = 200_000
    /// Stop time updates in one trip update. No vehicle makes that many calls.
    public static let stopTimeUpdatesPerTrip = 10_000
    /// Entities of a differential message.
    public static let changes = 500_000
    /// The approximate number of bytes that the used part of a message may take.
    public static let memory = 48 << 20
}
