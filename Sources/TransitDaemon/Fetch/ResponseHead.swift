/// The head of a response, line by line as it comes.
struct ResponseHead {
    /// 0 before the first line.
    private(set) var status = 0
    private(set) var headers: [HTTPHeader] = []

    /// What is kept of one response; libcurl takes up to 300 KB of head.
    private static let maximumHeaders = 64
    private static let maximumValueLength = 4096

    /// A status line begins a new response: after `100 Continue`, for one.
    mutating func take(_ line: String) {
        if line.hasPrefix("HTTP/") {
            status = line.split(separator: " ").dropFirst().first.flatMap { Int($0.prefix(3)) } ?? 0
            headers = []
        } else if let colon = line.firstIndex(of: ":"), headers.count < Self.maximumHeaders {
            let value = line[line.index(after: colon)...].trimmingBlanks()
            guard value.utf8.count <= Self.maximumValueLength else { return }
            headers.append(HTTPHeader(name: line[..<colon].lowercased(), value: value))
        }
    }

    subscript(name: String) -> String? { headers.first { $0.name == name }?.value }

    /// Without 300 and 304, which name no other place.
    var isRedirection: Bool { [301, 302, 303, 307, 308].contains(status) }

    /// The body's length as the server says it; `nil` when it is compressed or not said.
    var length: UInt64? { self["content-encoding"] == nil ? self["content-length"].flatMap { UInt64($0) } : nil }
}

extension Substring {
    fileprivate func trimmingBlanks() -> String {
        let blank: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0.isNewline }
        let start = firstIndex { !blank($0) } ?? endIndex
        let end = lastIndex { !blank($0) }.map { index(after: $0) } ?? start
        return String(self[start..<end])
    }
}
