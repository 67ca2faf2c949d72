internal import Glibc
internal import TransitClient
internal import TransitControl
internal import TransitWire

/// The numbered rows of the last list on a terminal, to which the next commands on that terminal can refer.
struct TerminalRows: Equatable {
    /// What a row stands for.
    enum Kind: String { case departure, usual, notification }

    struct Row: Equatable {
        /// The identifier that the daemon knows.
        var id: String
        /// The description that commands repeat, such as "Tram 1 to Airport at 08:22 from Mill Lane".
        var words: String
        /// The texts by which the row can be named, such as "Tram 1" and "08:22".
        var names: [String] = []
        /// The ride before the departure in a journey; `nil` for the first one and outside of journeys.
        var after: PreviousRide?
    }

    /// The time of the list in seconds, of a clock that also counts while the machine sleeps.
    var time: Int64
    /// The socket of the daemon that the rows come from.
    var socket: String
    /// The command that shows such a list, for messages.
    var command: String
    var kind: Kind
    /// Numbered from 1.
    var rows: [Row]
    /// Departures without a number that a person can name.
    var mentioned: [Row] = []

    /// How long the numbers are valid, in seconds.
    static let validity: Int64 = 30 * 60
    static let maximumRows = 1000

    /// Why the numbers of a list are not valid.
    enum Problem: Equatable {
        case old(command: String)
        case otherDaemon(socket: String)
    }

    /// Returns the reason why the numbers are no longer valid; `nil` if they are.
    func problem(now: Int64, socket: String) -> Problem? {
        // The clock begins again when the machine starts.
        guard (0...Self.validity).contains(now - time) else { return .old(command: command) }
        return self.socket == socket ? nil : .otherDaemon(socket: self.socket)
    }

    /// Returns the row with a number; `nil` if there is none.
    func row(_ number: Int) -> Row? { rows.indices.contains(number - 1) ? rows[number - 1] : nil }
}

// MARK: - JSON

extension TerminalRows {
    var json: JSONValue {
        [
            "time": .int(time), "socket": .string(socket), "command": .string(command), "kind": .string(kind.rawValue),
            "rows": .array(rows.prefix(Self.maximumRows).map(\.json)),
            "mentioned": .array(mentioned.prefix(Self.maximumRows).map(\.json)),
        ]
    }

    /// Returns `nil` if the file is from another version of the program.
    init?(_ json: JSONValue) {
        guard case .int(let time)? = json["time"], let socket = json["socket"]?.text,
            let command = json["command"]?.text, let kind = json["kind"]?.text.flatMap({ Kind(rawValue: $0) }),
            let rows = json["rows"].flatMap(Row.rows), let mentioned = json["mentioned"].flatMap(Row.rows)
        else { return nil }
        self.init(time: time, socket: socket, command: command, kind: kind, rows: rows, mentioned: mentioned)
    }
}

extension TerminalRows.Row {
    fileprivate var json: JSONValue {
        var object = JSONObject()
        object["id"] = .string(id)
        object["words"] = .string(words)
        object["names"] = .array(names.map { .string($0) })
        if let after { object["after"] = try? JSONValue(parsing: after.encoded) }
        return .object(object)
    }

    fileprivate static func rows(_ json: JSONValue) -> [TerminalRows.Row]? {
        guard case .array(let elements) = json else { return nil }
        let rows = elements.compactMap { TerminalRows.Row($0) }
        return rows.count == elements.count ? rows : nil
    }

    private init?(_ json: JSONValue) {
        guard let id = json["id"]?.text, let words = json["words"]?.text, case .array(let names)? = json["names"]
        else { return nil }
        self.init(id: id, words: words, names: names.compactMap(\.text))
        guard let after = json["after"] else { return }
        guard let ride = try? PreviousRide(reading: after, as: .parameters) else { return nil }
        self.after = ride
    }
}

// MARK: - The file

/// The file with the rows of one terminal, which only the user can read.
struct TerminalRowsFile {
    let path: String

    /// The maximum size of the file in bytes.
    private static let maximumSize = 1 << 20

    /// Returns `nil` without a terminal or without a directory for the file.
    ///
    /// - Parameter process: The text of `/proc/self/stat`, which contains the session and the controlling terminal.
    init?(process: String, user: uid_t, environment: (String) -> String?) {
        guard let terminal = Self.terminal(process), let folder = Self.folder(user, environment) else { return nil }
        path = "\(folder)/rows-\(terminal).json"
    }

    /// The file of this process.
    static var ofThisProcess: TerminalRowsFile? {
        guard let stat = SmallFile.read("/proc/self/stat", limit: maximumSize) else { return nil }
        return TerminalRowsFile(process: String(decoding: stat, as: UTF8.self), user: geteuid()) { name in
            getenv(name).map { String(cString: $0) }
        }
    }

    /// Returns the session and the number of the controlling terminal, which together are not reused while the shell of
    /// the terminal runs (proc_pid_stat(5), fields 6 and 7).
    static func terminal(_ process: String) -> String? {
        // The name of the program, in parentheses, may contain anything.
        guard let end = process.lastIndex(of: ")") else { return nil }
        let fields = process[process.index(after: end)...].split(separator: " ")
        guard fields.count > 4, let session = Int(fields[3]), let terminal = Int(fields[4]), session > 0, terminal != 0
        else { return nil }
        return "\(session)-\(terminal)"
    }

    /// Returns the folder of the user's runtime files or, without one, of the cache.
    private static func folder(_ user: uid_t, _ environment: (String) -> String?) -> String? {
        if let folder = environment("XDG_RUNTIME_DIR"), folder.hasPrefix("/") { return folder + "/transitctl" }
        if isOwned("/run/user/\(user)", by: user) { return "/run/user/\(user)/transitctl" }
        if let folder = environment("XDG_CACHE_HOME"), folder.hasPrefix("/") { return folder + "/transitctl" }
        return environment("HOME").flatMap { $0.hasPrefix("/") ? $0 + "/.cache/transitctl" : nil }
    }

    private static func isOwned(_ path: String, by user: uid_t) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == user
    }

    /// Returns the rows; `nil` if there is no list, or none that this version can read.
    func read() -> TerminalRows? {
        let user = geteuid()
        let bytes = SmallFile.read(path, limit: Self.maximumSize, flags: O_NOFOLLOW) {
            $0.st_mode & S_IFMT == S_IFREG && $0.st_uid == user
        }
        guard let bytes, let json = try? JSONValue(parsing: bytes) else { return nil }
        return TerminalRows(json)
    }

    /// Replaces the file atomically.
    ///
    /// - Returns: `nil` on success, and the `errno` on failure.
    func write(_ rows: TerminalRows) -> Int32? {
        let failure = SmallFile.replace(path, with: rows.json.encoded)
        guard failure == 0 else { return failure }
        Self.removeOld(in: String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
        return nil
    }

    /// Removes the files of terminals whose numbers are no longer valid.
    private static func removeOld(in folder: String) {
        guard let directory = opendir(folder) else { return }
        defer { closedir(directory) }
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            var status = stat()
            guard name.hasPrefix("rows-"), lstat("\(folder)/\(name)", &status) == 0,
                now.tv_sec - status.st_mtim.tv_sec > 2 * Int(TerminalRows.validity)
            else { continue }
            unlink("\(folder)/\(name)")
        }
    }
}
