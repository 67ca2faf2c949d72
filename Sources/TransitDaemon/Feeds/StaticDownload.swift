internal import CCurl
internal import Glibc

/// Fetches one archive over HTTP into a file, asking only for what has changed.
///
/// Blocking: it runs on a thread of its own. Redirections are followed here, so that each target is held to the rule of
/// the configuration (https, or http on this machine) and none leads from https to http.
struct StaticDownload {
    var url: String
    /// What the server said with the version that is there: the request then is conditional (RFC 9110 section 13).
    var etag: String?
    var lastModified: String?
    /// Written from its beginning; what it holds after a failure means nothing.
    var destination: String
    /// In bytes.
    var sizeLimit: UInt64
    /// Real seconds for all of it, redirections and body included.
    var deadline: Double = 900

    enum Outcome: Hashable {
        case fetched(etag: String?, lastModified: String?)
        /// 304.
        case unchanged
    }

    private static let mostRedirections = 5

    /// Why libcurl cannot be used; the first access loads it.
    private static let refusal: String? = ccurl_load().map { String(cString: $0) }

    /// - Parameter progress: Bytes so far and in all, 0 when the server does not say.
    func run(
        progress: @escaping (UInt64, UInt64) -> Void, isCancelled: @escaping () -> Bool
    ) throws(DownloadError) -> Outcome {
        if let refusal = Self.refusal { throw .failed("libcurl cannot be loaded: \(refusal)") }
        guard let handle = ccurl_create() else { throw .failed("there is no memory") }
        defer { ccurl_destroy(handle) }
        let file = open(destination, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .file(errno) }
        defer { close(file) }
        let watch = Stopwatch()
        var target = url
        for _ in 0...Self.mostRedirections {
            let transfer = Transfer(file: file, sizeLimit: sizeLimit, progress: progress, isCancelled: isCancelled)
            let status = try perform(handle, target, transfer, remaining: deadline - watch.elapsed)
            switch status {
            case 200: return .fetched(etag: transfer.etag, lastModified: transfer.lastModified)
            case 304 where etag != nil || lastModified != nil: return .unchanged
            case 301, 302, 303, 307, 308: target = try redirection(handle, from: target)
            default: throw .status(status)
            }
        }
        throw .refusedRedirection("it redirects more than \(Self.mostRedirections) times")
    }

    private func perform(
        _ handle: UnsafeMutableRawPointer, _ target: String, _ transfer: Transfer, remaining: Double
    ) throws(DownloadError) -> Int {
        guard remaining > 0 else { throw .timedOut(seconds: Int(deadline)) }
        guard let headers = conditionalHeaders() else { throw .failed("there is no memory") }
        defer { ccurl_free_list(headers) }
        transfer.attach(to: handle)
        let milliseconds = Int((remaining * 1000).rounded(.up))
        let codes = [
            ccurl_set_text(handle, CCURL_URL, target),
            ccurl_set_text(handle, CCURL_PROTOCOLS, "http,https"),
            ccurl_set_text(handle, CCURL_USER_AGENT, "transitd"),
            ccurl_set_list(handle, CCURL_HEADERS, headers),
            ccurl_set_long(handle, CCURL_NO_SIGNAL, 1),
            ccurl_set_long(handle, CCURL_TIMEOUT_MS, milliseconds),
            ccurl_set_long(handle, CCURL_CONNECT_TIMEOUT_MS, min(milliseconds, 30_000)),
            ccurl_set_offset(handle, CCURL_MAXIMUM_SIZE, Int64(clamping: sizeLimit)),
        ]
        if let failed = codes.first(where: { $0 != 0 }) { throw .failed(Self.describe(failed)) }
        let code = withExtendedLifetime(transfer) { ccurl_perform(handle) }
        if let stopped = transfer.stopped { throw stopped }
        switch code {
        case 0: return ccurl_status(handle)
        case CCURL_CODE_TIMED_OUT: throw .timedOut(seconds: Int(deadline))
        case CCURL_CODE_TOO_LARGE: throw .tooLarge(limit: sizeLimit)
        default: throw .failed(Self.describe(code))
        }
    }

    private func redirection(
        _ handle: UnsafeMutableRawPointer, from target: String
    ) throws(DownloadError) -> String {
        guard let next = ccurl_redirection(handle).map({ String(cString: $0) }) else {
            throw .refusedRedirection("it redirects to nowhere")
        }
        if target.lowercased().hasPrefix("https:") && !next.lowercased().hasPrefix("https:") {
            throw .refusedRedirection("it redirects from https to an unprotected address")
        }
        guard case .success(.remote(let checked)) = StaticSource.parse(next, folder: "/", home: nil) else {
            throw .refusedRedirection("it redirects to an address that is not https")
        }
        return checked
    }

    /// `nil` when there is no memory.
    private func conditionalHeaders() -> OpaquePointer? {
        var list = ccurl_append(nil, "Accept: application/zip, */*;q=0.5")
        for (name, value) in [("If-None-Match", etag), ("If-Modified-Since", lastModified)] {
            // A line break in what a server once said would begin another header.
            guard let value, !value.unicodeScalars.contains(where: { $0.value < 0x20 }) else { continue }
            guard list != nil, let longer = ccurl_append(list, "\(name): \(value)") else { break }
            list = longer
        }
        return list
    }

    private static func describe(_ code: Int32) -> String { String(cString: ccurl_describe(code)) }
}

/// Why an archive was not fetched.
enum DownloadError: Error, Hashable, CustomStringConvertible {
    case status(Int)
    case timedOut(seconds: Int)
    case tooLarge(limit: UInt64)
    case refusedRedirection(String)
    /// The system's error number for the file that was written.
    case file(Int32)
    case cancelled
    /// What libcurl says.
    case failed(String)

    var description: String {
        switch self {
        case .status(let status): "the server answered with status \(status)"
        case .timedOut(let seconds): "the server did not finish within \(seconds) s"
        case .tooLarge(let limit): "the archive has more than \(limit >> 20) MiB (download_mib)"
        case .refusedRedirection(let reason): "the server's redirection is not followed: \(reason)"
        case .file(let number): "the download could not be written: \(SystemError.text(number))"
        case .cancelled: "it was cancelled"
        case .failed(let reason): "the server could not be asked: \(reason)"
        }
    }
}

/// What libcurl calls back while one response comes.
private final class Transfer {
    private(set) var etag: String?
    private(set) var lastModified: String?
    /// Why the transfer was ended from here.
    private(set) var stopped: DownloadError?

    private let file: Int32
    private let sizeLimit: UInt64
    private let progress: (UInt64, UInt64) -> Void
    private let isCancelled: () -> Bool
    private var received: UInt64 = 0
    private var status = 0

    init(
        file: Int32, sizeLimit: UInt64, progress: @escaping (UInt64, UInt64) -> Void,
        isCancelled: @escaping () -> Bool
    ) {
        self.file = file
        self.sizeLimit = sizeLimit
        self.progress = progress
        self.isCancelled = isCancelled
    }

    /// The handle keeps an unowned pointer: the transfer must outlive ``ccurl_perform``.
    func attach(to handle: UnsafeMutableRawPointer) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        _ = ccurl_set_body(
            handle, { bytes, _, count, context in Transfer.of(context)?.body(bytes, count) ?? 0 }, context)
        _ = ccurl_set_header(
            handle, { bytes, _, count, context in Transfer.of(context)?.header(bytes, count) ?? 0 }, context)
        _ = ccurl_set_progress(
            handle, { context, total, now, _, _ in Transfer.of(context)?.tick(now, of: total) ?? 1 }, context)
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> Transfer? {
        context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }

    private func body(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        received += UInt64(count)
        guard received <= sizeLimit else {
            stopped = .tooLarge(limit: sizeLimit)
            return 0
        }
        // The page of an error or a redirection is read and dropped.
        guard status == 200, var rest = bytes else { return count }
        var left = count
        while left > 0 {
            let written = write(file, rest, left)
            if written < 0 && errno == EINTR { continue }
            guard written > 0 else {
                stopped = .file(errno)
                return 0
            }
            rest += written
            left -= written
        }
        return count
    }

    private func header(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        let line = String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
        if line.hasPrefix("HTTP/") {
            // A new response, after "100 Continue" for one.
            (etag, lastModified) = (nil, nil)
            status = line.split(separator: " ").dropFirst().first.flatMap { Int($0.prefix(3)) } ?? 0
        } else if let colon = line.firstIndex(of: ":") {
            let value = line[line.index(after: colon)...].trimmingBlanks()
            switch line[..<colon].lowercased() {
            case "etag": etag = value
            case "last-modified": lastModified = value
            default: break
            }
        }
        return count
    }

    private func tick(_ now: Int64, of total: Int64) -> Int32 {
        if isCancelled() {
            stopped = .cancelled
            return 1
        }
        if status == 200 { progress(UInt64(clamping: now), UInt64(clamping: total)) }
        return 0
    }
}

extension Substring {
    fileprivate func trimmingBlanks() -> String {
        let blank: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0.isNewline }
        let start = firstIndex { !blank($0) } ?? endIndex
        let end = lastIndex { !blank($0) }.map { index(after: $0) } ?? start
        return String(self[start..<end])
    }
}
