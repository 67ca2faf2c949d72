internal import Glibc
internal import TransitClient

/// The file with the events that have been handled, so that a restart does not run their hooks again.
///
/// Each line is a letter and a word: "d" or "f" and the `id` of an event that is done or failed, "s" and a `key` with the
/// path of a hook that was started for it, "a" and an `id` with the path of a hook that is started for that event, or "w"
/// and a `key` that was withdrawn. Keys, paths, and the `id` before a path are percent-encoded, and a colon separates them. Lines are appended; a line that a crash has cut off, or whose letter is not known, is ignored.
/// The file is also locked, so that a user has only one agent.
final class HandledFile {
    private var descriptor: CInt
    private var lineCount = 0

    /// The maximum size of the file that is read, in bytes.
    private static let maximumSize = 4 << 20

    enum Failure: Error, Equatable {
        /// Another agent of the user is running.
        case locked
        /// The reason is a phrase.
        case unusable(String)
    }

    /// Opens the file in a folder, which is created if it does not exist, and reads it.
    static func open(inFolder folder: String) throws(Failure) -> (file: HandledFile, events: HandledEvents) {
        try makeFolder(folder)
        let path = folder + "/handled"
        let descriptor = Glibc.open(
            path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0o600)
        guard descriptor >= 0 else { throw .unusable("\(path): \(ErrnoText.text(errno))") }
        let file = HandledFile(descriptor)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .unusable("\(path) is not a regular file")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            if errno == EWOULDBLOCK { throw .locked }
            throw .unusable("\(path): \(ErrnoText.text(errno))")
        }
        return (file, file.load())
    }

    private init(_ descriptor: CInt) { self.descriptor = descriptor }

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

    private func load() -> HandledEvents {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < Self.maximumSize {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += buffer.prefix(count)
        }
        var events = HandledEvents()
        for line in bytes.split(separator: 0x0A) {
            lineCount += 1
            guard line.count > 2, line[line.startIndex + 1] == UInt8(ascii: " ") else { continue }
            Self.take(
                Character(Unicode.Scalar(line[line.startIndex])),
                String(decoding: line.dropFirst(2), as: UTF8.self), &events)
        }
        // A line that was cut off must not become the beginning of the next one.
        if let last = bytes.last, last != 0x0A { _ = append([0x0A]) }
        if lineCount > 2 * HandledEvents.capacity { rewrite(events) }
        return events
    }

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
            guard let outcome = HandledEvents.Outcome(rawValue: letter), Delivery.isID(word) else { return }
            events.insert(word, outcome)
        }
    }

    private static let separator: Character = ":"

    /// Percent-encodes a word, so that it has neither spaces nor line feeds nor the separator.
    private static func encoded(_ word: String) -> String {
        HookEnvironment.encoded(word).split(separator: separator, omittingEmptySubsequences: false)
            .joined(separator: "%3A")
    }

    private static func decoded(_ word: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(word.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            else {
                bytes.append(byte)
                continue
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(decoding: bytes, as: UTF8.self)
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
        lineCount += 1
        return append(Array(line.utf8)) && fdatasync(descriptor) == 0
    }

    /// Removes old events. The file is shortened in place, because its descriptor holds the lock. A crash in the middle
    /// loses at most the record of events that are hours old.
    private func rewrite(_ events: HandledEvents) {
        let kept = events.ids.suffix(HandledEvents.capacity)
        var text = ""
        let keys = events.startedKeys.suffix(HandledEvents.capacity / 4)
        for key in keys { for hook in events.startedHooks[key] ?? [] { text += Self.startedLine(key, hook) } }
        for (id, hooks) in events.attempts {
            for (hook, count) in hooks { for _ in 0..<count { text += Self.attemptLine(id, hook) } }
        }
        for id in kept { text += "\((events.outcome(of: id) ?? .done).rawValue) \(id)\n" }
        guard ftruncate(descriptor, 0) == 0 else { return }
        _ = append(Array(text.utf8))
        lineCount = kept.count
    }

    private func append(_ bytes: [UInt8]) -> Bool {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress! + written, $0.count - written) }
            if count >= 0 { written += count } else if errno != EINTR { return false }
        }
        return true
    }
}
