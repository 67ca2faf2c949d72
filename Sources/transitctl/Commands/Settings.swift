/// The values of the global options.
struct Settings: Equatable {
    var socket: String?
    var json = false
    var plain = false
    var noColor = false
    var quiet = false
    /// The time as entered. The daemon parses it.
    var at: String?
    var count: Int?
}
