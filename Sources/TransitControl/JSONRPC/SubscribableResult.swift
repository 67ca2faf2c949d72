internal import TransitModel
public import TransitWire

/// The result of a method to which a client can subscribe.
public protocol SubscribableResult: WireObject {
    /// The result without what changes with time alone: its time, the ages of the data, the time left until each
    /// departure, and the daemon's resource usage. Subscribers get an event when the content differs from that of the previous result.
    var content: Self { get }
}

extension SubscribableResult {
    /// Whether another value has the same type and content. Both values are contents of results.
    public func isSameContent(as other: any SubscribableResult) -> Bool { (other as? Self) == self }
}

extension Timestamp {
    /// The time of a result in its content.
    fileprivate static let none = Timestamp(Instant(secondsSince1970: 0))
}

extension Departure {
    /// The departure without what changes with time alone.
    fileprivate var content: Departure {
        var content = self
        content.age = nil
        content.leaveIn = nil
        content.vehicle?.age = nil
        return content
    }
}

extension Journey {
    /// The journey without what changes with time alone.
    fileprivate var content: Journey {
        var content = self
        content.leaveIn = 0
        for leg in legs.indices { content.legs[leg].departure = legs[leg].departure.content }
        return content
    }
}

extension PinnedJourneysResult: SubscribableResult {
    public var content: PinnedJourneysResult {
        var content = self
        content.at = .none
        for position in journeys.indices {
            content.journeys[position].journey = journeys[position].journey?.content
            if let replacement = journeys[position].replacement {
                content.journeys[position].replacement?.journey = replacement.journey.content
            }
        }
        return content
    }
}

extension NextResult: SubscribableResult {
    public var content: NextResult {
        var content = self
        content.at = .none
        content.departures = departures.map(\.content)
        content.journeys = journeys.map(\.content)
        content.weather?.age = nil
        return content
    }
}

extension DeparturesResult: SubscribableResult {
    public var content: DeparturesResult {
        var content = self
        content.at = .none
        content.departures = departures.map(\.content)
        return content
    }
}

extension FavoriteShowResult: SubscribableResult {
    public var content: FavoriteShowResult {
        var content = self
        content.at = .none
        for position in boards.indices {
            content.boards[position].at = .none
            content.boards[position].departures = boards[position].departures.map(\.content)
        }
        return content
    }
}

extension VehiclesResult: SubscribableResult {
    public var content: VehiclesResult {
        var content = self
        content.at = .none
        for position in vehicles.indices { content.vehicles[position].age = nil }
        return content
    }
}

extension AlertsResult: SubscribableResult {
    public var content: AlertsResult {
        var content = self
        content.at = .none
        for position in alerts.indices { content.alerts[position].age = nil }
        return content
    }
}

extension StatusResult: SubscribableResult {
    public var content: StatusResult {
        var content = self
        content.at = .none
        content.daemon.uptime = 0
        content.daemon.memory = 0
        content.daemon.connections = 0
        content.storage.free = nil
        for feed in feeds.indices {
            content.feeds[feed].age = nil
            for dataset in feeds[feed].datasets.indices { content.feeds[feed].datasets[dataset].age = nil }
        }
        for dataset in context.indices { content.context[dataset].age = nil }
        return content
    }
}

extension NotificationsResult: SubscribableResult {
    public var content: NotificationsResult {
        var content = self
        content.at = .none
        for position in events.indices {
            content.events[position].expiresIn = 0
            content.events[position].departure = events[position].departure?.content
            content.events[position].next = events[position].next.map(\.content)
        }
        return content
    }
}
