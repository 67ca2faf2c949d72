/// Where the daemon's socket may be: the rule of transitd-protocol(7), "Socket".
struct SocketPath: Equatable {
    /// The paths in the order in which they are looked for; never empty.
    let candidates: [String]

    /// A path that somebody named is the only one: a misspelt `--socket` must not be answered by another daemon.
    init(option: String?, environment: (String) -> String?) {
        if let named = option ?? Self.nonEmpty(environment("TRANSITD_SOCKET")) {
            candidates = [named]
        } else if let runtime = Self.nonEmpty(environment("XDG_RUNTIME_DIR")) {
            candidates = [runtime + "/transitd/transitd.sock", Self.system]
        } else {
            candidates = [Self.system]
        }
    }

    /// The socket of the system's daemon.
    static let system = "/run/transitd/transitd.sock"

    /// The first path at which something exists.
    func chosen(exists: (String) -> Bool) -> String? { candidates.first(where: exists) }

    /// What starts the daemon whose socket was expected first.
    var startLine: String {
        candidates[0].hasPrefix("/run/transitd/") ? "sudo systemctl start transitd" : "systemctl --user start transitd"
    }

    private static func nonEmpty(_ text: String?) -> String? { text.flatMap { $0.isEmpty ? nil : $0 } }
}
