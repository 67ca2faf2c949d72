/// Finds out how a user starts the daemon on this machine: as a unit of systemd, or as a program.
package struct DaemonStart {
    /// Returns the value of an environment variable.
    package var variable: (String) -> String?
    /// Returns whether a file exists.
    package var exists: (String) -> Bool

    package init(
        variable: @escaping (String) -> String? = Environment.variable, exists: @escaping (String) -> Bool
    ) {
        self.variable = variable
        self.exists = exists
    }

    /// A service manager that a unit file is meant for.
    package enum Manager: String, CaseIterable {
        /// `systemctl --user`.
        case user
        case system
    }

    /// Whether systemd manages this machine (sd_booted(3)).
    package var hasSystemd: Bool { exists("/run/systemd/system") }

    /// The service managers for which transitd.service is installed (systemd.unit(5)).
    package var managers: [Manager] {
        let folders = ["/etc/systemd", "/usr/local/lib/systemd", "/usr/lib/systemd", "/lib/systemd"]
        return Manager.allCases.filter { manager in
            folders.contains { exists("\($0)/\(manager.rawValue)/transitd.service") }
        }
    }

    /// The folder on the `PATH` that contains `transitd`; `nil` if it is in none of them.
    package var programFolder: String? {
        (variable("PATH") ?? "/usr/local/bin:/usr/bin").split(separator: ":").map(String.init)
            .first { exists("\($0)/transitd") }
    }

    /// Returns the command that starts a daemon which listens at the first candidate of a path; `nil` if neither a unit
    /// nor the program is installed.
    package func command(_ path: SocketPath) -> String? {
        if hasSystemd, path.isStandard {
            let managers = managers
            let isOfUser = path.candidates[0] != SocketPath.system
            if isOfUser, managers.contains(.user) { return "systemctl --user start transitd" }
            if managers.contains(.system) { return "sudo systemctl start transitd" }
        }
        guard programFolder != nil else { return nil }
        return path.source == .option ? "transitd --socket \(path.candidates[0])" : "transitd"
    }

    /// Returns what a user can do if no daemon listens at any candidate of a path, one sentence or command each, the
    /// most likely one first.
    package func remedies(_ path: SocketPath) -> [String] {
        var remedies: [String] = []
        if let command = command(path) {
            remedies.append("start it with: \(command)")
        } else {
            remedies.append("transitd is not installed; its README explains the installation")
        }
        guard let name = path.source.name else { return remedies }
        let usual = path.standard.first(where: exists)
        let change = path.source == .variable ? "run `unset TRANSITD_SOCKET`" : "omit --socket"
        if let usual {
            remedies.insert("\(name) names another path than the usual socket, \(usual): \(change)", at: 0)
        } else {
            remedies.append("\(name) names the path; to use the default path, \(change)")
        }
        return remedies
    }
}
