internal import Glibc
internal import TransitControl

/// Recognizes a file path in an answer that may also be a URL.
enum SourceAnswer {
    /// Returns the path, or `nil` if the text must be a URL.
    static func file(_ text: String) -> String? {
        if text.lowercased().hasPrefix("file:") {
            let path = text.dropFirst("file:".count)
            return String(path.hasPrefix("//") ? path.dropFirst(2) : path)
        }
        let isRelative = !text.contains(":") && !text.contains("/")
        return ["/", "~/", "./", "../"].contains { text.hasPrefix($0) } || isRelative ? text : nil
    }

    /// Returns a sentence that explains why this process cannot use a file, or `nil` if it can. The daemon may run as
    /// another user.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - dataset: The dataset for which the file is the source.
    ///   - home: The replacement for `~`.
    static func problem(
        with path: String, dataset: DatasetName, home: String? = Environment.variable("HOME")
    ) -> String? {
        guard path.hasPrefix("/") || path.hasPrefix("~/") else {
            return "Enter a URL that begins with https://, or an absolute path of a file."
        }
        let whole = path.hasPrefix("~/") ? (home ?? "") + path.dropFirst(1) : path
        let file = open(whole, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return "Cannot read \(whole): \(String(cString: strerror(errno)))." }
        defer { close(file) }
        var start = [UInt8](repeating: 0, count: 4)
        let count = read(file, &start, start.count)
        guard count >= 0 else { return "Cannot read \(whole): \(String(cString: strerror(errno)))." }
        guard dataset == .static, Array(start.prefix(count)) != [0x50, 0x4B, 3, 4] else { return nil }
        return "\(whole) is not a zip archive."
    }
}
