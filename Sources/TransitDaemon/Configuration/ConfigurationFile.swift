internal import Glibc
internal import TransitFetch
internal import TransitSystem

/// Finds and reads the configuration file. Keeps only the path, because each reload reads the file again.
public struct ConfigurationFile: Sendable {
    /// The path from `--config`.
    private let explicitPath: String?
    /// The paths that are searched in order if there is no `--config`.
    private let candidates: [String]
    private let home: String?
    /// Used to check whether the keys that feeds need are available.
    private let keys: FeedKeys?
    /// The configuration that is used if there is no file.
    private let builtIn: Configuration

    /// Maximum size of a configuration file in bytes.
    private static let maximumSize = 1 << 20

    /// - Parameter path: The path from `--config`. If it is given, the file must exist.
    public init(path: String?, directories: Directories) {
        explicitPath = path
        candidates = directories.configuration.map { $0 + "/config.toml" }
        home = directories.home
        keys = FeedKeys(
            credentialsDirectory: directories.credentials, store: KeyStore(folder: directories.keys))
        builtIn = Configuration()
    }

    /// The path of the file to read; `nil` if there is none. The file is searched for again at each access, because
    /// the first configuration file is often written while the daemon is running.
    public var path: String? { explicitPath ?? candidates.first { access($0, F_OK) == 0 } }

    /// The path at which a file is expected; `nil` for a configuration that is not read from a file.
    public var expected: String? { path ?? candidates.first }

    /// Creates an instance for a configuration that is not read from a file, such as that of the demo.
    public init(builtIn: Configuration) {
        explicitPath = nil
        candidates = []
        home = nil
        keys = nil
        self.builtIn = builtIn
    }

    /// Returns the checked configuration, or the built-in one if there is no file.
    public func read() throws(ConfigurationError) -> Configuration {
        guard let path else { return builtIn }
        return try check(try text(of: path))
    }

    /// Returns the text of the file; `nil` if there is no file.
    func text() throws(ConfigurationError) -> String? {
        guard let path else { return nil }
        return try text(of: path)
    }

    /// Returns the configuration that the file would have with another text.
    func check(_ text: String) throws(ConfigurationError) -> Configuration {
        try Configuration(text: text, file: expected ?? "", home: home, keys: keys)
    }

    /// Returns the log line for a configuration warning: `FILE:LINE:COLUMN: message; remedy`.
    public func line(for warning: ConfigurationError.Problem) -> String {
        ConfigurationError(file: path ?? "", problems: []).line(for: warning)
    }

    private func text(of path: String) throws(ConfigurationError) -> String {
        switch FileContents.read(path, limit: Self.maximumSize) {
        case .failure(let error):
            throw problem(path, "this file cannot be read: \(error)", remedy: "check the path and its permissions")
        case .success(let bytes):
            if let text = String(validating: bytes, as: UTF8.self) { return text }
            let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
            let line = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0
            throw problem(
                path, "this line is not valid UTF-8", remedy: "save the file as UTF-8",
                position: TextPosition(line: line + 1, column: 1))
        }
    }

    private func problem(
        _ path: String, _ message: String, remedy: String, position: TextPosition? = nil
    ) -> ConfigurationError {
        ConfigurationError(
            file: path, problems: [.init(position: position, message: message, remedy: remedy)])
    }
}
