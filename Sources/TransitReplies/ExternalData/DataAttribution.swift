/// The texts that the terms of sources require wherever their data is shown.
package enum DataAttribution {
    /// The license is CC BY 4.0.
    package static let weather = "Weather data by Open-Meteo.com (CC BY 4.0)"
    package static let events = "Events by Ticketmaster"
}
