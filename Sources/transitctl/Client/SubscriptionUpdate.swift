internal import TransitControl

/// What came of waiting for news.
enum SubscriptionUpdate {
    case event(EventNotification)
    /// The daemon closes the connection, and says why.
    case lagged(String)
    case nothing
    case interrupted
}
