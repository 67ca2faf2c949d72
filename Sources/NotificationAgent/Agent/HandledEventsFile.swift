internal import Glibc
internal import TransitClient
internal import TransitModel

/// The file with the events that have been handled, so that a restart does not run their hooks again.
///
/// Each line is a letter and a word: "d" or "f" and the `id` of an event that is done or failed, "s" and a `key` with the
/// path of a hook that was started for it, "a" and an `id` with the path of a hook that is started for that event, or "w"
/// and a `key` that was withdrawn. Keys, paths, and the `id` before a path are percent-encoded, and a colon separates
/// them. Lines are appended; a line that a crash has cut off, or whose letter is not known, is ignored. The file is also
/// locked, so that a user has only one agent.
///
/// Every line is on disk when its function returns. A line that could not be written as a whole is removed again.
final class HandledEventsFile {
    private var descriptor: CInt
    private let path: String
    private let calls: FileCalls
    private var lineCount = 0
    /// The size of the file up to its last complete line.
    private var size: off_t = 0

    /// The number of bytes at the end of the file that are read.
    private static let maximumSize = 4 << 20

    enum Failure: Error, Equatable {
        /// Another agent of the user is running.
        case locked
        /// The reason is a phrase.
        case unusable(String)
    }

    /// Opens the file in a folder, which is created if it does not exist, and reads it.
    static func open(
        inFolder folder: String, calls: FileCalls = .system
    ) throws(Failure) -> (file: HandledEventsFile, events: HandledEvents) {
        try makeFolder(folder)
        let path = folder + "/handled"
        while true {
            let descriptor = calls.open(path, O_RDWR | O_CREAT | O_APPEND | openFlags)
            guard descriptor >= 0 else { throw .unusable("\(path): \(ErrnoText.text(errno))") }
            let file = HandledEventsFile(descriptor, path, calls)
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                throw .unusable("\(path) is not a regular file")
            }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                if errno == EWOULDBLOCK { throw .locked }
                throw .unusable("\(path): \(ErrnoText.text(errno))")
            }
            // Another agent may have replaced the file after it was opened here.
            var current = stat()
            guard lstat(path, &current) == 0, current.st_ino == status.st_ino, current.st_dev == status.st_dev else {
                continue
            }
            return (file, try file.load())
        }
    }

    private static let openFlags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY

    private init(_ descriptor: CInt, _ path: String, _ calls: FileCalls) {
        self.descriptor = descriptor
        self.path = path
        self.calls = calls
    }

    deinit {
        // A process that is being started may have the descriptor too, and would keep the lock.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Returns the state folder: `$XDG_STATE_HOME/transitd-notify` (XDG Base Directory Specification).
    static func folder(_ variable: (String) -> String?) -> String? {
        if let state = variable("XDG_STATE_HOME"), state.hasPrefix("/") { return state + "/transitd-notify" }
        guard let home = variable("HOME"), home.hasPrefix("/") else { return nil }
        return home + "/.local/state/transitd-notify"
    }

    private static func makeFolder(_ folder: String) throws(Failure) {
        var path = ""
        for part in folder.split(separator: "/") {
            path += "/\(part)"
            if mkdir(path, 0o700) != 0, errno != EEXIST, access(path, F_OK) != 0 {
                throw .unusable("\(path): \(ErrnoText.text(errno))")
            }
        }
    }

    /// - Throws: ``Failure/unusable(_:)`` if the file cannot be read. Without it, hooks would run again.
    private func load() throws(Failure) -> HandledEvents {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        size = lseek(descriptor, 0, SEEK_END)
        let start = max(0, size - off_t(Self.maximumSize))
        guard size >= 0, lseek(descriptor, start, SEEK_SET) == start else {
            throw .unusable("\(path): \(ErrnoText.text(errno))")
        }
        while true {
            let count = calls.read(descriptor, &buffer)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .unusable("\(path): \(ErrnoText.text(errno))") }
            if count == 0 { break }
            bytes += buffer.prefix(count)
        }
        size = start + off_t(bytes.count)
        if start > 0 { bytes.removeFirst((bytes.firstIndex(of: 0x0A) ?? bytes.count - 1) + 1) }
        var events = HandledEvents()
        for line in bytes.split(separator: 0x0A) {
            lineCount += 1
            guard line.count > 2, line[line.startIndex + 1] == UInt8(ascii: " ") else { continue }
            Self.take(
                Character(Unicode.Scalar(line[line.startIndex])),
                String(decoding: line.dropFirst(2), as: UTF8.self), &events)
        }
        // A line that was cut off must not become the beginning of the next one. Until that is certain, nothing is added.
        needsLineFeed = bytes.last.map { $0 != 0x0A } ?? false
        if start > 0 || lineCount > 2 * HandledEvents.capacity { replace(with: events) }
        return events
    }

    /// Whether the file ends with a line that was cut off.
    private var needsLineFeed = false

    private static func take(_ letter: Character, _ word: String, _ events: inout HandledEvents) {
        switch letter {
        case "s":
            let parts = word.split(separator: separator).map { decoded($0) }
            if parts.count == 2 { _ = events.insertStarted(key: parts[0], hook: parts[1]) }
        case "a":
            let parts = word.split(separator: separator).map { decoded($0) }
            if parts.count == 2 { events.insertAttempt(parts[0], hook: parts[1]) }
        case "w": _ = events.removeStarted(key: decoded(word[...]))
        default:
            guard let outcome = HandledEvents.Outcome(rawValue: letter), ReceivedEvent.isID(word) else { return }
            events.insert(word, outcome)
        }
    }

    private static let separator: Character = ":"

    /// Percent-encodes a word, so that it has neither spaces nor line feeds nor the separator.
    private static func encoded(_ word: String) -> String { PercentEncoding.of(word, keeping: "-._/@+") }

    private static func decoded(_ word: Substring) -> String {
        PercentEncoding.decoded(word) ?? String(word)
    }

    /// Appends a hook that was started for a notification. Returns `false` on failure, with the reason in `errno`.
    func addStarted(key: String, hook: String) -> Bool { add(Self.startedLine(key, hook)) }

    private static func startedLine(_ key: String, _ hook: String) -> String {
        "s \(encoded(key))\(separator)\(encoded(hook))\n"
    }

    /// Appends the start of a hook for an event, before the hook runs: if the hook ends this program, the attempt counts.
    /// Returns `false` on failure, with the reason in `errno`.
    func addAttempt(_ id: String, hook: String) -> Bool { add(Self.attemptLine(id, hook)) }

    private static func attemptLine(_ id: String, _ hook: String) -> String {
        "a \(encoded(id))\(separator)\(encoded(hook))\n"
    }

    /// Appends a notification that was withdrawn. Returns `false` on failure, with the reason in `errno`.
    func addWithdrawn(key: String) -> Bool { add("w \(Self.encoded(key))\n") }

    /// Appends an event. Returns `false` on failure, with the reason in `errno`.
    func add(_ id: String, _ outcome: HandledEvents.Outcome) -> Bool { add("\(outcome.rawValue) \(id)\n") }

    private func add(_ line: String) -> Bool {
        let bytes = Array(((needsLineFeed ? "\n" : "") + line).utf8)
        guard append(bytes, to: descriptor), calls.synchronize(descriptor) == 0 else {
            let reason = errno
            // What remains of the line would become the beginning of the next one.
            if ftruncate(descriptor, size) != 0 { needsLineFeed = true }
            errno = reason
            return false
        }
        needsLineFeed = false
        size += off_t(bytes.count)
        lineCount += 1
        return true
    }

    /// Removes old events: replaces the file by a new one. If that fails, the old one stays in use.
    private func replace(with events: HandledEvents) {
        let kept = events.ids.suffix(HandledEvents.capacity)
        var text = ""
        let keys = events.startedKeys.suffix(HandledEvents.capacity / 4)
        for key in keys { for hook in events.startedHooks[key] ?? [] { text += Self.startedLine(key, hook) } }
        for (id, hooks) in events.attempts {
            for (hook, count) in hooks { for _ in 0..<count { text += Self.attemptLine(id, hook) } }
        }
        for id in kept { text += "\((events.outcome(of: id) ?? .done).rawValue) \(id)\n" }
        let building = path + ".new"
        // An agent that was killed may have left the file behind.
        unlink(building)
        let replacement = calls.open(building, O_RDWR | O_CREAT | O_EXCL | O_APPEND | Self.openFlags)
        guard replacement >= 0 else { return }
        // Whoever opens the new file finds it locked.
        guard flock(replacement, LOCK_EX | LOCK_NB) == 0, append(Array(text.utf8), to: replacement),
            calls.synchronize(replacement) == 0, calls.rename(building, path) == 0
        else {
            unlink(building)
            close(replacement)
            return
        }
        close(descriptor)
        descriptor = replacement
        (lineCount, size, needsLineFeed) = (kept.count, off_t(text.utf8.count), false)
    }

    private func append(_ bytes: [UInt8], to descriptor: CInt) -> Bool {
        var written = 0
        while written < bytes.count {
            let count = calls.write(descriptor, bytes[written...])
            if count >= 0 { written += count } else if errno != EINTR { return false }
        }
        return true
    }
}

/// The system calls with which ``HandledEventsFile`` reads and writes. A test replaces them by calls that fail. Each returns a
/// negative number on failure, with the reason in `errno`.
struct FileCalls {
    /// Opens a file with mode 0600.
    var open: (_ path: String, _ flags: CInt) -> CInt
    var read: (_ descriptor: CInt, _ buffer: inout [UInt8]) -> Int
    var write: (_ descriptor: CInt, _ bytes: ArraySlice<UInt8>) -> Int
    var synchronize: (_ descriptor: CInt) -> CInt
    var rename: (_ source: String, _ target: String) -> CInt

    static var system: FileCalls {
        FileCalls(
            open: { Glibc.open($0, $1, 0o600) },
            read: { descriptor, buffer in
                buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            },
            write: { descriptor, bytes in
                bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            },
            synchronize: { fdatasync($0) }, rename: { Glibc.rename($0, $1) })
    }
}
