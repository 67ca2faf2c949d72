/// What the global options say: the same for every command.
struct Settings: Equatable {
    var socket: String?
    var json = false
    var plain = false
    var noColor = false
    var quiet = false
    /// As typed; the daemon reads it.
    var at: String?
    var count: Int?
}
