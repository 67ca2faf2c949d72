/// The status line and headers of a response, parsed line by line.
struct ResponseHead {
    /// 0 before the status line has been parsed.
    private(set) var status = 0
    private(set) var headers: [HTTPHeader] = []

    /// Limits for the headers of one response; libcurl accepts up to 300 KB.
    private static let maximumHeaders = 64
    private static let maximumValueLength = 4096

    /// Parses a line. A status line starts a new response, for example after `100 Continue`.
    mutating func parse(_ line: String) {
        if line.hasPrefix("HTTP/") {
            status = line.split(separator: " ").dropFirst().first.flatMap { Int($0.prefix(3)) } ?? 0
            headers = []
        } else if let colon = line.firstIndex(of: ":"), headers.count < Self.maximumHeaders {
            let value = line[line.index(after: colon)...].trimmingWhitespace()
            guard value.utf8.count <= Self.maximumValueLength else { return }
            headers.append(HTTPHeader(name: line[..<colon].lowercased(), value: value))
        }
    }

    subscript(name: String) -> String? { headers.first { $0.name == name }?.value }

    /// Excludes 300 and 304, which do not redirect.
    var isRedirection: Bool { [301, 302, 303, 307, 308].contains(status) }

    /// The value of Content-Length; `nil` if it is absent or the body is compressed.
    var length: UInt64? { self["content-encoding"] == nil ? self["content-length"].flatMap { UInt64($0) } : nil }
}

extension Substring {
    fileprivate func trimmingWhitespace() -> String {
        let blank: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0.isNewline }
        let start = firstIndex { !blank($0) } ?? endIndex
        let end = lastIndex { !blank($0) }.map { index(after: $0) } ?? start
        return String(self[start..<end])
    }
}
