internal import Glibc

/// The folders that the daemon uses: systemd's directories if systemd started it, otherwise those of the XDG Base
/// Directory Specification (0.8).
public struct Directories: Hashable, Sendable {
    /// Data that must never be lost: commutes, places, ledgers.
    public var state: String
    /// Data that can be fetched or built again: timetables.
    public var cache: String
    /// The folder of the control socket.
    public var runtime: String
    /// The folders that are searched for `config.toml`, in order. The first match wins.
    public var configuration: [String]
    /// The folder that replaces `~` in the configuration.
    public var home: String?
    /// The folder in which systemd places the files that LoadCredential= names (systemd.exec(5)).
    public var credentials: String?
    /// A copy of the catalog of public feeds that was installed with the program, `share/transitd/catalog.csv` of its
    /// prefix; it need not exist. `nil` if the prefix is unknown.
    public var installedCatalog: String?
    /// The variables that are ignored because their paths are not absolute, in alphabetical order.
    public private(set) var ignoredVariables: [String] = []

    public init(state: String, cache: String, runtime: String, configuration: [String], home: String? = nil) {
        self.state = state
        self.cache = cache
        self.runtime = runtime
        self.configuration = configuration
        self.home = home
    }

    /// The variables that a service manager or a user sets to name a directory of the daemon.
    private static let ownVariables = [
        "STATE_DIRECTORY", "CACHE_DIRECTORY", "RUNTIME_DIRECTORY", "CONFIGURATION_DIRECTORY", "CREDENTIALS_DIRECTORY",
    ]
    /// The variables that name base directories, and the home directory.
    private static let baseVariables = [
        "HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME",
    ]

    /// - Parameter environment: The environment variables of the process. An empty variable counts as unset. So does a
    ///   base directory whose path is not absolute (XDG Base Directory Specification, "Basics"); it is listed in
    ///   ``ignoredVariables``.
    /// - Throws: ``StartError/relativeDirectory(variable:path:)`` if a variable of the daemon itself, such as
    ///   `STATE_DIRECTORY`, has a path that is not absolute. Other data than the user's would be used if it were ignored.
    public init(environment: [String: String]) throws(StartError) {
        func path(_ name: String) -> String? {
            // If there are several directories, systemd separates them with colons (systemd.exec(5),
            // RuntimeDirectory=).
            guard let value = environment[name]?.split(separator: ":").first, value.hasPrefix("/") else { return nil }
            return String(value)
        }
        for name in Self.ownVariables {
            guard let value = environment[name], !value.isEmpty, path(name) == nil else { continue }
            throw .relativeDirectory(variable: name, path: value)
        }
        ignoredVariables = Self.baseVariables.filter { !(environment[$0] ?? "").isEmpty && path($0) == nil }
        home = path("HOME")
        credentials = path("CREDENTIALS_DIRECTORY")
        let home = home ?? "/root"
        func base(_ name: String, _ fallback: String) -> String { (path(name) ?? home + fallback) + "/transitd" }
        state = path("STATE_DIRECTORY") ?? base("XDG_STATE_HOME", "/.local/state")
        cache = path("CACHE_DIRECTORY") ?? base("XDG_CACHE_HOME", "/.cache")
        runtime =
            path("RUNTIME_DIRECTORY") ?? path("XDG_RUNTIME_DIR").map { $0 + "/transitd" } ?? "/run/transitd"
        configuration =
            path("CONFIGURATION_DIRECTORY").map { [$0] } ?? [base("XDG_CONFIG_HOME", "/.config"), "/etc/transitd"]
    }

    /// Places all directories in one folder, for `--demo` and tests.
    public init(under folder: String) {
        self.init(
            state: folder + "/state", cache: folder + "/cache", runtime: folder + "/run",
            configuration: [folder + "/config"])
    }

    /// Sets the path of the copy of the catalog in the prefix of the running executable.
    public mutating func findInstalledCatalog() { installedCatalog = Self.installedCatalog(of: Self.executable()) }

    /// Returns the path of the copy of the catalog for an executable such as `/usr/bin/transitd`.
    static func installedCatalog(of executable: String?) -> String? {
        guard let parts = executable?.split(separator: "/"), parts.count >= 2 else { return nil }
        return (parts.dropLast(2).map { "/\($0)" } + ["/share/transitd/catalog.csv"]).joined()
    }

    /// The path of the running executable; `nil` if /proc is not available.
    private static func executable() -> String? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = bytes.withUnsafeMutableBytes { readlink("/proc/self/exe", $0.baseAddress!, $0.count) }
        return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
    }

    /// The folder for timetables.
    var timetables: String { cache + "/timetables" }
    /// The folder for networks that are being collected.
    var collections: String { cache + "/collections" }
    /// The folder for keys that users have set.
    var keys: String { state + "/keys" }
    /// The folder for the latest responses from realtime sources.
    var realtimeResponses: String { cache + "/live" }
}
