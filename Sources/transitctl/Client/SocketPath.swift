/// The possible paths of the daemon's socket (transitctl(1)).
struct SocketPath: Equatable {
    /// The paths in search order; never empty.
    let candidates: [String]

    /// Determines the paths. An explicit path is the only candidate, so that a misspelled `--socket` does not connect to
    /// another daemon.
    init(option: String?, environment: (String) -> String?) {
        if let named = option ?? Self.nonEmpty(environment("TRANSITD_SOCKET")) {
            candidates = [named]
        } else if let runtime = Self.nonEmpty(environment("XDG_RUNTIME_DIR")) {
            candidates = [runtime + "/transitd/transitd.sock", Self.system]
        } else {
            candidates = [Self.system]
        }
    }

    /// The path of the system daemon's socket.
    static let system = "/run/transitd/transitd.sock"

    /// Returns the first path that exists.
    func chosen(exists: (String) -> Bool) -> String? { candidates.first(where: exists) }

    /// The command that starts the daemon of the first candidate.
    var startLine: String {
        candidates[0].hasPrefix("/run/transitd/") ? "sudo systemctl start transitd" : "systemctl --user start transitd"
    }

    private static func nonEmpty(_ text: String?) -> String? { text.flatMap { $0.isEmpty ? nil : $0 } }
}
