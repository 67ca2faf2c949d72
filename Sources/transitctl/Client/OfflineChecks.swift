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
    /// Returns the number of free bytes on the disk of a folder; `nil` if it is not known.
    var freeBytes: (String) -> UInt64? = OfflineChecks.freeBytes
    /// Runs `transitd --check-config` of a folder and returns its output if the configuration is invalid.
    var invalidConfiguration: (String) -> String? = OfflineChecks.invalidConfiguration

    /// Returns the results of the checks, or `nil` for failures other than an unreachable daemon.
    func checks(after failure: ClientError) -> [DoctorCheck]? {
        // A daemon that denies the connection runs.
        let isRunning: Bool
        switch failure {
        case .unreachable, .notRunning: isRunning = false
        case .denied: isRunning = true
        default: return nil
        }
        let causes = disks + [configuration]
        let isPrevented = !isRunning && causes.contains { $0.outcome == .failed }
        return [daemon(failure, isPrevented: isPrevented), program, unit] + causes
    }

    private var start: DaemonStart { DaemonStart(variable: variable, exists: exists) }

    /// - Parameter isPrevented: Whether another check shows why the daemon cannot start.
    private func daemon(_ failure: ClientError, isPrevented: Bool) -> DoctorCheck {
        let lines = failure.message.split(separator: "\n").map(String.init)
        let remedy = lines.dropFirst().first
        return DoctorCheck(
            check: "daemon", outcome: .failed, message: Self.sentence(lines[0]),
            remedy: isPrevented
                ? remedy.map { "first fix the failed check below, then \($0)" } : remedy)
    }

    private var program: DoctorCheck {
        if let folder = start.programFolder {
            return DoctorCheck(check: "program", outcome: .ok, message: "transitd is in \(folder).")
        }
        return DoctorCheck(
            check: "program", outcome: .warning, message: "transitd is not on the PATH.", remedy: "make install")
    }

    private var unit: DoctorCheck {
        guard start.hasSystemd else {
            return DoctorCheck(
                check: "unit", outcome: .warning, message: "systemd does not run, so no unit starts transitd.",
                remedy: "transitd")
        }
        let managers = start.managers
        guard !managers.isEmpty else {
            return DoctorCheck(
                check: "unit", outcome: .warning, message: "transitd.service is not installed.",
                remedy: "make install, or run transitd in the foreground")
        }
        let states = managers.map { $0 == .user ? "systemctl --user status transitd" : "systemctl status transitd" }
        let owners = managers.map { $0 == .user ? "each user" : "the system" }
        return DoctorCheck(
            check: "unit", outcome: .ok,
            message: "transitd.service is installed for \(owners.joined(separator: " and ")). To see why it is not "
                + "running: \(states.joined(separator: ", or "))")
    }

    // MARK: Disks

    /// Below this number of free bytes, the daemon may be unable to write its state.
    private static let scarce: UInt64 = 16 << 20

    /// Checks the disks of the cache and of the state (transitd(8), "FILES"). The folders of a system daemon are checked
    /// if they exist.
    private var disks: [DoctorCheck] {
        let folders = [
            ("disk", folder("CACHE_DIRECTORY", "XDG_CACHE_HOME", ".cache"), "/var/cache/transitd"),
            ("disk.state", folder("STATE_DIRECTORY", "XDG_STATE_HOME", ".local/state"), "/var/lib/transitd"),
        ]
        return folders.compactMap { check, ofUser, ofSystem in
            [ofUser, exists(ofSystem) ? ofSystem : nil].compactMap(\.self).compactMap { disk(check, $0) }
                .max { ($0.outcome == .ok ? 0 : 1) < ($1.outcome == .ok ? 0 : 1) }
        }
    }

    private func folder(_ systemd: String, _ base: String, _ fallback: String) -> String? {
        if let path = variable(systemd), path.hasPrefix("/") {
            return path.split(separator: ":").first.map(String.init)
        }
        if let path = variable(base), path.hasPrefix("/") { return path + "/transitd" }
        return variable("HOME").map { "\($0)/\(fallback)/transitd" }
    }

    private func disk(_ check: String, _ folder: String) -> DoctorCheck? {
        var existing = folder
        while !exists(existing), let slash = existing.lastIndex(of: "/"), slash > existing.startIndex {
            existing = String(existing[..<slash])
        }
        guard let free = freeBytes(existing) else { return nil }
        let isFull = free < 4096
        return DoctorCheck(
            check: check, outcome: isFull ? .failed : free < Self.scarce ? .warning : .ok,
            message: isFull ? "The disk of \(folder) is full." : "\(free >> 20) MiB are free.",
            remedy: free < Self.scarce ? "Free disk space on this file system: `df -h \(existing)`" : nil)
    }

    private static func freeBytes(_ folder: String) -> UInt64? {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { return nil }
        return UInt64(status.f_bavail) * UInt64(status.f_frsize)
    }

    // MARK: Configuration

    /// Searches for the configuration file of the user's daemon, and then for that of the system daemon
    /// (transitd.toml(5)), and lets the daemon's program check it.
    private var configuration: DoctorCheck {
        if let folder = start.programFolder, let problem = invalidConfiguration(folder) {
            return DoctorCheck(
                check: "configuration", outcome: .failed, message: Self.sentence(problem),
                remedy: "Correct the file, and check it with: transitd --check-config")
        }
        let home =
            variable("CONFIGURATION_DIRECTORY").flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? (variable("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
                ?? (variable("HOME") ?? "") + "/.config") + "/transitd"
        let paths = [home + "/config.toml", "/etc/transitd/config.toml"]
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
                ? "\(path) has \(feeds) feed\(feeds == 1 ? "" : "s")."
                : "\(path) has no feeds.",
            remedy: feeds > 0 ? nil : "After starting the daemon, run: transitctl setup")
    }

    /// The exit status of `transitd --check-config` for an invalid configuration (EX_CONFIG of sysexits.h).
    private static let invalidStatus: Int32 = 78

    private static func invalidConfiguration(_ folder: String) -> String? {
        guard let process = try? ChildProcess("\(folder)/transitd", ["transitd", "--check-config"]) else { return nil }
        defer { close(process.output) }
        let deadline = Deadline(seconds: ControlClient.timeout)
        guard let bytes = Descriptors.read(process.output, limit: maximumFileSize, before: deadline) else {
            process.end()
            return nil
        }
        let status = process.waitForStatus()
        guard status & 0x7F == 0, status >> 8 & 0xFF == invalidStatus else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.split(separator: "\n").first.map(String.init) ?? "the configuration is invalid"
    }

    /// Returns the text with a capital first letter, unless it begins with a path, and a final period.
    private static func sentence(_ text: String) -> String {
        text.hasPrefix("/") ? text : text.prefix(1).uppercased() + text.dropFirst() + (text.hasSuffix(".") ? "" : ".")
    }

    private static let maximumFileSize = 1 << 20

    private static func read(_ path: String) -> String? {
        SmallFile.read(path, limit: maximumFileSize).map { String(decoding: $0, as: UTF8.self) }
    }
}
