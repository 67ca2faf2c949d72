internal import Glibc
internal import TransitClient

/// The user's settings of the hook: `notify-send.conf` in the configuration folder of the user, else of the machine.
package struct DesktopNotificationSettings: Equatable {
    package enum Urgency: String {
        case normal
        /// Breaks through "Do Not Disturb", and does not expire on some desktops.
        case critical
    }

    /// The urgency of notifications whose event has the urgency `high`.
    package var highUrgency = Urgency.normal
    package var showsActions = true
    package var playsSounds = true

    private static let maximumLength = 16_384

    package init() {}

    /// Reads settings: lines of `name = value`, empty lines, and comments that begin with `#`.
    ///
    /// - Parameters:
    ///   - text: The contents of the file.
    ///   - problems: Receives a phrase for each line that is ignored.
    package init(_ text: String, problems: inout [String]) {
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = line.filter { $0 != " " && $0 != "\t" && $0 != "\r" }
            if line.isEmpty || line.hasPrefix("#") { continue }
            let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
            if parts.count != 2 || !set(parts[0], parts[1]) {
                problems.append(
                    "line \(number + 1): unknown setting \"\(DesktopNotificationText.line(line, maximumLength: 60))\"")
            }
        }
    }

    private mutating func set(_ name: String, _ value: String) -> Bool {
        let flag: Bool? = ["yes": true, "no": false][value]
        switch (name, flag, Urgency(rawValue: value)) {
        case ("high_urgency", _, let urgency?): highUrgency = urgency
        case ("actions", let flag?, _): showsActions = flag
        case ("sound", let flag?, _): playsSounds = flag
        default: return false
        }
        return true
    }

    /// Reads the file of the user, else that of the machine. Without a file, all settings have their default values.
    ///
    /// - Parameter problems: Receives a phrase for each problem. It does not prevent the notification.
    package static func load(_ variable: (String) -> String?, problems: inout [String]) -> DesktopNotificationSettings {
        var folders: [String] = []
        if let folder = variable("XDG_CONFIG_HOME"), folder.hasPrefix("/") {
            folders.append(folder + "/transitd")
        } else if let home = variable("HOME"), home.hasPrefix("/") {
            folders.append(home + "/.config/transitd")
        }
        for folder in folders + ["/etc/transitd"] {
            let path = folder + "/notify-send.conf"
            var exists = false
            let bytes = SmallFile.read(path, limit: maximumLength) { status in
                exists = true
                return status.st_mode & S_IFMT == S_IFREG
            }
            guard let bytes else {
                if !exists { continue }
                problems.append("\(path) is ignored: it is not a regular file of at most \(maximumLength >> 10) KiB")
                continue
            }
            var found: [String] = []
            let settings = DesktopNotificationSettings(String(decoding: bytes, as: UTF8.self), problems: &found)
            problems += found.map { "\(path), \($0)" }
            return settings
        }
        return DesktopNotificationSettings()
    }
}
