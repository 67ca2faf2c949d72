internal import Glibc
internal import TransitModel

/// The environment of hooks: a few variables of the session, and what identifies the event.
enum HookEnvironment {
    /// The variables that hooks inherit.
    static let inherited = [
        "HOME", "USER", "LANG", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY",
        "XAUTHORITY", "XDG_CONFIG_HOME", "XDG_STATE_HOME",
    ]
    /// The folders in which hooks find programs, without those to which others can write: on some systems, a group can
    /// write to /usr/local/bin.
    static let path = ["/usr/local/bin", "/usr/bin", "/bin"]
        .filter { (try? HookTrust.folder($0, user: geteuid())) != nil }.joined(separator: ":")

    /// Returns the environment as `NAME=value`.
    ///
    /// Names and texts of sources are not part of it. The `key` can contain identifiers of a timetable, so all characters
    /// except letters, digits and `-._:/@+` are percent-encoded.
    ///
    /// - Parameters:
    ///   - delivery: The event.
    ///   - socket: The path of the daemon's socket.
    ///   - programFolder: The folder of this program, in which transitctl is too. It is the last folder of PATH.
    ///   - variable: Returns a variable of the agent's environment.
    static func variables(
        for delivery: Delivery, socket: String, programFolder: String?, _ variable: (String) -> String?
    ) -> [String] {
        var variables = inherited.compactMap { name in variable(name).map { "\(name)=\($0)" } }
        let isMissing = programFolder.map { !path.split(separator: ":").contains(Substring($0)) } ?? false
        variables.append("PATH=" + path + (isMissing ? ":" + (programFolder ?? "") : ""))
        variables += [
            "TRANSITD_EVENT=notification", "TRANSITD_ID=\(delivery.id)", "TRANSITD_KEY=\(encoded(delivery.key))",
            "TRANSITD_RULE=\(delivery.rule)", "TRANSITD_OP=\(encoded(delivery.operation))",
            "TRANSITD_URGENCY=\(encoded(delivery.urgency))", "TRANSITD_SOCKET=\(socket)",
        ]
        return variables
    }

    /// Percent-encodes a value.
    static func encoded(_ value: String) -> String { PercentEncoding.of(value, keeping: "-._:/@+") }
}
