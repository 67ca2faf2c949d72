package import TransitControl
package import TransitModel
package import TransitQueries

// What all replies take from the data of their query.

extension QueryContext {
    /// `now` as a wire timestamp.
    package var at: Timestamp { Timestamp(now, in: zone) }

    /// Writes the notices of a query.
    package func worded(_ notices: [FeedNotice]) -> [Notice] { notices.map { Notice($0, at: now) } }

    // MARK: Units

    /// The caller's setting `units`: the caller's choice, otherwise that of the configuration.
    package var unitSetting: UnitSetting { personal.units ?? settings.units }

    /// The units of results.
    package var units: MeasurementUnits {
        switch unitSetting {
        case .imperial: .imperial
        case .metric: .metric
        case .automatic: .automatic
        }
    }

    /// The units of texts; `nil` if they depend on the caller's locale, which is not known.
    package var fixedUnits: DisplayUnits? { unitSetting.fixedUnits }
}

extension UnitSetting {
    /// The units; `nil` if they depend on a locale.
    package var fixedUnits: DisplayUnits? { self == .automatic ? nil : DisplayUnits(self, locale: nil) }
}

extension Timestamp {
    /// Creates a timestamp with the zone's UTC offset at that instant.
    package init(_ instant: Instant, in zone: ServiceZone) {
        self.init(instant, offset: zone.offset(at: instant))
    }
}

extension DefinitionOrigin {
    package init(_ definition: DefinitionSource) {
        switch definition {
        case .user: self = .user
        case .configuration: self = .configuration
        case .implied: self = .implied
        case .request: self = .request
        }
    }
}
