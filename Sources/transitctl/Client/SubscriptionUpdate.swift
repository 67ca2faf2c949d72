internal import TransitControl

/// The outcome of waiting for a notification of a subscription.
enum SubscriptionUpdate {
    case event(EventNotification)
    /// The daemon is closing the connection for the given reason.
    case lagged(String)
    case nothing
    case interrupted
}
