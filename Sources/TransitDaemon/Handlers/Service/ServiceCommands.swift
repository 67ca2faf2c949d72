internal import Glibc
internal import TransitSystem

/// The commands with which a user restarts the daemon, and starts or replaces the program that shows notifications. They
/// depend on whether systemd manages the processes.
struct ServiceCommands: Sendable {
    /// The contents of `/proc/self/cgroup` (cgroups(7)), which names the unit of the daemon.
    var controlGroup: String
    /// Whether systemd manages this machine (sd_booted(3)).
    var hasSystemd: Bool
    /// The number of the daemon's process.
    var process: Int32
    /// Whether transitd-notify.service is installed for all users.
    var hasAgentUnit = true

    static func ofThisProcess() -> ServiceCommands {
        let group: String =
            switch FileContents.read("/proc/self/cgroup", limit: 65_536) {
            case .success(let bytes): String(decoding: bytes, as: UTF8.self)
            case .failure: ""
            }
        return ServiceCommands(
            controlGroup: group, hasSystemd: access("/run/systemd/system", F_OK) == 0, process: getpid(),
            hasAgentUnit: userUnitFolders.contains { access("\($0)/transitd-notify.service", F_OK) == 0 })
    }

    /// The folders of units that are installed for all users (systemd.unit(5)).
    private static let userUnitFolders = [
        "/etc/systemd/user", "/usr/local/lib/systemd/user", "/usr/lib/systemd/user", "/lib/systemd/user",
    ]

    private var isUnit: Bool { hasSystemd && controlGroup.contains("/transitd.service") }
    private var isUserUnit: Bool { controlGroup.contains("/user@") }

    /// A sentence with the command that restarts the daemon.
    var restart: String {
        guard isUnit else { return "Run `kill \(process)`, then start `transitd` again." }
        return "Run `\(isUserUnit ? "systemctl --user" : "sudo systemctl") restart transitd`."
    }

    /// The command that starts the program that shows notifications.
    var startAgent: String {
        hasSystemd && hasAgentUnit ? "systemctl --user enable --now transitd-notify" : "transitd-notify"
    }

    /// Returns a sentence with the command that ends a program of another version, which is started again by systemd or by
    /// the user.
    ///
    /// - Parameter agent: The number of the program's process; `nil` if it is not known.
    func replaceAgent(_ agent: Int32?) -> String {
        let install = "Install the same version of transitd and transitd-notify. Then "
        guard hasSystemd else {
            return install + "run " + (agent.map { "`kill \($0)`, and " } ?? "") + "`transitd-notify`."
        }
        return install + "run `\(isUserUnit || !isUnit ? "systemctl --user" : "sudo systemctl") restart transitd; "
            + "systemctl --user restart transitd-notify`."
    }
}
