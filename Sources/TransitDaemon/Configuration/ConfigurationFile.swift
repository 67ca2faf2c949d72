internal import Glibc

/// Finds and reads the configuration file. It is read again at each reload, so the path is kept, not the text.
public struct ConfigurationFile: Sendable {
    /// What `--config` says.
    private let given: String?
    /// Where it is looked for otherwise.
    private let candidates: [String]
    private let home: String?
    /// Used to check whether the keys that feeds need are available.
    private let keys: FeedKeys?
    /// What is in force without a file.
    private let builtIn: Configuration

    /// A file larger than this is not a configuration.
    private static let largest = 1 << 20

    /// - Parameter path: What `--config` says; it must then be there.
    public init(path: String?, directories: Directories) {
        given = path
        candidates = directories.configuration.map { $0 + "/config.toml" }
        home = directories.home
        keys = FeedKeys(
            credentialsDirectory: directories.credentials, store: KeyStore(folder: directories.keys))
        builtIn = Configuration()
    }

    /// The file that is read; `nil` while there is none. Looked for anew each time: the first one is often written while the
    /// daemon runs.
    public var path: String? { given ?? candidates.first { access($0, F_OK) == 0 } }

    /// Where a file would be read from; `nil` for a configuration that stands in none.
    public var expected: String? { path ?? candidates.first }

    /// A configuration that stands in no file: the demo's.
    public init(builtIn: Configuration) {
        given = nil
        candidates = []
        home = nil
        keys = nil
        self.builtIn = builtIn
    }

    /// The configuration, checked; the empty one when there is no file.
    public func read() throws(ConfigurationError) -> Configuration {
        guard let path else { return builtIn }
        return try Configuration(text: try text(of: path), file: path, home: home, keys: keys)
    }

    /// The log line for a configuration warning: `FILE:LINE:COLUMN: message; remedy`.
    public func line(for warning: ConfigurationError.Problem) -> String {
        ConfigurationError(file: path ?? "", problems: []).line(for: warning)
    }

    private func text(of path: String) throws(ConfigurationError) -> String {
        switch FileContents.read(path, limit: Self.largest) {
        case .failure(let error):
            throw problem(path, "this file cannot be read: \(error)", remedy: "check the path and its permissions")
        case .success(let bytes):
            if let text = String(validating: bytes, as: UTF8.self) { return text }
            let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
            let line = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0
            throw problem(
                path, "this line is not UTF-8", remedy: "save the file as UTF-8",
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
