internal import Glibc
internal import TransitClient
internal import TransitControl

/// The checks of `doctor` that work without the daemon.
struct OfflineChecks {
    /// Returns the value of an environment variable.
    var variable: (String) -> String? = Environment.variable
    var exists: (String) -> Bool = { access($0, F_OK) == 0 }
    /// Returns the text of a small file; `nil` if it cannot be read.
    var contents: (String) -> String? = OfflineChecks.read

    /// Returns the results of the checks, or `nil` for failures other than an unreachable daemon.
    func checks(after failure: ClientError) -> [DoctorCheck]? {
        switch failure {
        case .unreachable, .notRunning, .denied: [daemon(failure), program, unit, configuration].compactMap(\.self)
        default: nil
        }
    }

    private func daemon(_ failure: ClientError) -> DoctorCheck {
        let lines = failure.message.split(separator: "\n").map(String.init)
        return DoctorCheck(
            check: "daemon", outcome: .failed, message: Self.sentence(lines[0]), remedy: lines.dropFirst().first)
    }

    private var program: DoctorCheck {
        let folders = (variable("PATH") ?? "/usr/local/bin:/usr/bin").split(separator: ":")
        if let folder = folders.first(where: { exists("\($0)/transitd") }) {
            return DoctorCheck(check: "program", outcome: .ok, message: "transitd is in \(folder).")
        }
        return DoctorCheck(
            check: "program", outcome: .warning, message: "transitd is not on the PATH.", remedy: "make install")
    }

    /// Searches for the unit in systemd's folders (systemd.unit(5)).
    private var unit: DoctorCheck {
        let folders = ["/etc/systemd", "/usr/local/lib/systemd", "/usr/lib/systemd", "/lib/systemd"]
        let found = ["user", "system"].filter { kind in folders.contains { exists("\($0)/\(kind)/transitd.service") } }
        guard !found.isEmpty else {
            return DoctorCheck(
                check: "unit", outcome: .warning, message: "transitd.service is not installed.",
                remedy: "make install, or run transitd in the foreground")
        }
        let starts = found.map { $0 == "user" ? "systemctl --user status transitd" : "systemctl status transitd" }
        return DoctorCheck(
            check: "unit", outcome: .ok,
            message:
                "transitd.service is installed for \(found.map { $0 == "user" ? "each user" : "the system" }.joined(separator: " and ")).",
            remedy: "To see why it is not running: \(starts.joined(separator: ", or "))")
    }

    /// Searches for the configuration file of the user's daemon, and then for that of the system daemon
    /// (transitd.toml(5)).
    private var configuration: DoctorCheck {
        let home =
            variable("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? (variable("HOME") ?? "") + "/.config"
        let paths = [home + "/transitd/config.toml", "/etc/transitd/config.toml"]
        guard let path = paths.first(where: exists) else {
            return DoctorCheck(
                check: "configuration", outcome: .warning,
                message: "Neither \(paths.joined(separator: " nor ")) exists.",
                remedy: "After starting the daemon, run: transitctl setup")
        }
        guard let text = contents(path) else {
            return DoctorCheck(check: "configuration", outcome: .skipped, message: "\(path) is not readable.")
        }
        let feeds = text.split(separator: "\n").count { $0.drop { $0 == " " || $0 == "\t" }.hasPrefix("[[feed]]") }
        return DoctorCheck(
            check: "configuration", outcome: feeds > 0 ? .ok : .warning,
            message: feeds > 0
                ? "\(path) has \(feeds) feed\(feeds == 1 ? "" : "s"). To check it: transitd --check-config"
                : "\(path) has no feeds.",
            remedy: feeds > 0 ? nil : "After starting the daemon, run: transitctl setup")
    }

    private static func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() + "." }

    private static let maximumFileSize = 1 << 20

    private static func read(_ path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= maximumFileSize {
            let count = Glibc.read(file, &buffer, buffer.count)
            guard count > 0 else { return count == 0 ? String(decoding: bytes, as: UTF8.self) : nil }
            bytes += buffer.prefix(count)
        }
        return nil
    }
}
