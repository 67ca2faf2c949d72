/// How much of one realtime message is used. What comes after it is left out and counted.
///
/// The largest messages that are published have 60,000 trip updates and some hundred alerts. A message within the limit of
/// its bytes (``RefreshPolicy``) could hold many millions of each, which take fifty times as much memory as bytes.
public enum RealtimeLimits {
    public static let tripUpdates = 200_000
    public static let vehicles = 200_000
    public static let alerts = 20_000
    /// Of all alerts of a message together.
    public static let informedEntities = 200_000
    public static let activePeriods = 200_000
    public static let translations = 200_000
    /// Updates of calls in one trip update: no vehicle calls that often.
    public static let callsOfTrip = 10_000
    /// Entities of a differential message.
    public static let changes = 500_000
    /// About how many bytes all that is kept of a message may take.
    public static let memory = 48 << 20
}
