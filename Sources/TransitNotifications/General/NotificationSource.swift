/// A source of data that is not a feed and whose terms require that it is named where its data is shown.
package enum NotificationSource: Hashable, Sendable {
    case weather, events
}
