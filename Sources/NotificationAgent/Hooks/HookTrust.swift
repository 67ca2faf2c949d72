internal import Glibc
internal import TransitClient

/// Why a file or folder is not used.
enum Distrust: Error, Hashable {
    case missing(String)
    /// A link that leads nowhere. The target is the path that does not exist.
    case danglingLink(target: String)
    case tooManyLinks
    /// A link to /dev/null, which disables a hook.
    case disabled
    case notRegular
    case notFolder(String)
    case notExecutable(String)
    /// Another user owns the file or folder.
    case foreignOwner(String, uid: uid_t)
    case writableByGroup(String)
    case writableByOthers(String)
    case unreadable(String, number: Int32)
    /// The interpreter of a script, or the program that it finds, cannot be used for this reason.
    indirect case interpreter(Distrust)
    /// The first line of a script names its interpreter without a leading slash.
    case relativeInterpreter(String)
    /// `env` finds no program of this name.
    case notInPath(String)
    /// More interpreters are scripts themselves than the system allows.
    case tooManyInterpreters

    /// The reason as a phrase.
    var reason: String {
        switch self {
        case .missing(let path): "\(path) does not exist"
        case .danglingLink(let target): "it is a link to \(target), which does not exist"
        case .tooManyLinks: "it is a link with more than \(HookTrust.maximumLinks) steps"
        case .disabled: "it is disabled by a link to /dev/null"
        case .notRegular: "it is not a regular file"
        case .notFolder(let path): "\(path) is not a folder"
        case .notExecutable(let path): "\(path) is not executable; run: chmod +x \(path)"
        case .foreignOwner(let path, let uid): "\(path) is owned by the user \(uid), not by you or root"
        case .writableByGroup(let path): "its group can write to \(path); run: chmod g-w \(path)"
        case .writableByOthers(let path): "other users can write to \(path); run: chmod o-w \(path)"
        case .unreadable(let path, let number): "\(path): \(ErrnoText.text(number))"
        case .interpreter(.notExecutable(let path)): "its interpreter \(path) is not executable"
        case .interpreter(.missing(let path)): "its interpreter \(PrintableText.clean(path)) does not exist"
        case .interpreter(let reason): "its interpreter cannot be used: \(reason.reason)"
        case .relativeInterpreter(let path):
            "its interpreter \(PrintableText.clean(path)) must begin with / in the first line"
        case .notInPath(let name): "\(PrintableText.clean(name)) is in none of the folders of PATH"
        case .tooManyInterpreters: "more than \(HookTrust.maximumInterpreters) interpreters in a row are scripts"
        }
    }
}

/// Decides whether a file may be run: only the user and root can change it, or exchange it for another file.
///
/// The file, its folder, and each folder above them belong to the user or root, and neither their groups nor other
/// users can write to them. The same holds for each link on the way and for its target. A folder above may be writable
/// if it has the sticky bit, such as /tmp, because users then cannot rename each other's files in it. All this also
/// holds for the interpreter of a script, and, if that is env(1), for the program that it finds and for each folder in
/// which it looks before.
///
/// Therefore no other user can change what a path leads to after it was checked, so a checked path can be executed.
enum HookTrust {
    static let maximumLinks = 16
    /// The number of scripts that can interpret each other (execve(2)).
    static let maximumInterpreters = 4

    /// The facts about a file that matter.
    struct Facts: Hashable {
        var owner: uid_t
        var mode: mode_t

        init(owner: uid_t, mode: mode_t) {
            self.owner = owner
            self.mode = mode
        }

        init(_ status: stat) { self.init(owner: status.st_uid, mode: status.st_mode) }

        var isLink: Bool { mode & S_IFMT == S_IFLNK }
        var isFolder: Bool { mode & S_IFMT == S_IFDIR }
        var isRegular: Bool { mode & S_IFMT == S_IFREG }
    }

    /// Checks a hook, and returns the path of its file without links.
    ///
    /// - Parameters:
    ///   - path: An absolute path.
    ///   - user: The user who runs hooks.
    ///   - searchPath: The folders in which programs are searched, separated by colons.
    static func file(
        _ path: String, user: uid_t, searchPath: String = HookEnvironment.path
    ) throws(Distrust) -> String {
        let file = try program(path, user: user)
        var script = file
        for _ in 0..<maximumInterpreters {
            guard let interpreter = ScriptInterpreter(ofFile: script) else { return file }
            do throws(Distrust) {
                script = try program(of: interpreter, user: user, searchPath: searchPath)
            } catch { throw .interpreter(error) }
        }
        throw .interpreter(.tooManyInterpreters)
    }

    /// Checks the interpreter of a script, and returns the path of the program that finally runs it, without links.
    private static func program(
        of interpreter: ScriptInterpreter, user: uid_t, searchPath: String
    ) throws(Distrust) -> String {
        guard interpreter.path.hasPrefix("/") else { throw .relativeInterpreter(interpreter.path) }
        let file: String
        do throws(Distrust) { file = try program(interpreter.path, user: user) } catch {
            // Names the whole path rather than the folder that is missing.
            if case .missing = error { throw .missing(interpreter.path) }
            throw error
        }
        guard let found = interpreter.programOfEnv else { return file }
        // Hooks run in /.
        if found.name.contains("/") { return try program("/" + found.name, user: user) }
        for folder in (found.searchPath ?? searchPath).split(separator: ":") {
            let folder = "/" + folder
            var status = stat()
            guard stat(folder, &status) == 0 else { continue }
            let trusted = try self.folder(folder, user: user)
            // env skips what it cannot execute.
            let candidate = trusted + "/" + found.name
            if access(candidate, X_OK) == 0 { return try program(candidate, user: user) }
        }
        throw .notInPath(found.name)
    }

    /// Checks an executable file, without its interpreter, and returns its path without links.
    private static func program(_ path: String, user: uid_t) throws(Distrust) -> String {
        let found = try walk(path, user: user)
        guard found.facts.isRegular else { throw .notRegular }
        try check(found.facts, found.path, user: user)
        guard found.facts.mode & 0o111 != 0, access(found.path, X_OK) == 0 else { throw .notExecutable(found.path) }
        return found.path
    }

    /// Checks a folder of hooks, and returns its path without links.
    static func folder(_ path: String, user: uid_t) throws(Distrust) -> String {
        let found = try walk(path, user: user)
        guard found.facts.isFolder else { throw .notFolder(path) }
        try check(found.facts, found.path, user: user)
        return found.path
    }

    /// Checks the owner and the permissions of one file or folder.
    ///
    /// - Parameter isSticky: Whether a folder with the sticky bit may be writable.
    static func check(
        _ facts: Facts, _ path: String, user: uid_t, isSticky: Bool = false
    ) throws(Distrust) {
        guard facts.owner == user || facts.owner == 0 else { throw .foreignOwner(path, uid: facts.owner) }
        // The permissions of a link have no meaning.
        if facts.isLink || (isSticky && facts.isFolder && facts.mode & S_ISVTX != 0) { return }
        // With an access control list, the bits of the group are the most that an entry of the list grants (acl(5)).
        if facts.mode & S_IWOTH != 0 { throw .writableByOthers(path) }
        if facts.mode & S_IWGRP != 0 { throw .writableByGroup(path) }
    }

    /// Follows a path one name at a time, and checks each folder and link on the way.
    private static func walk(_ path: String, user: uid_t) throws(Distrust) -> (path: String, facts: Facts) {
        var current = ""
        var pending = Array(path.split(separator: "/").map(String.init).reversed())
        var links = 0
        var target: String?
        var facts = try look("/")
        try check(facts, "/", user: user, isSticky: true)
        while let name = pending.popLast() {
            if name == "." { continue }
            if name == ".." {
                current = String(current[..<(current.lastIndex(of: "/") ?? current.startIndex)])
                facts = try look(current.isEmpty ? "/" : current)
                continue
            }
            let next = current + "/" + name
            do throws(Distrust) { facts = try look(next) } catch {
                if case .missing = error, let target { throw .danglingLink(target: target) }
                throw error
            }
            if facts.isLink {
                try check(facts, next, user: user)
                links += 1
                guard links <= maximumLinks else { throw .tooManyLinks }
                let text = try linkTarget(next)
                if text == "/dev/null", pending.isEmpty { throw .disabled }
                target = text
                if text.hasPrefix("/") {
                    current = ""
                    facts = try look("/")
                }
                pending += text.split(separator: "/").map(String.init).reversed()
                continue
            }
            if !pending.isEmpty || facts.isFolder {
                guard facts.isFolder else { throw .notFolder(next) }
                // The caller checks the last folder without the exception for the sticky bit.
                try check(facts, next, user: user, isSticky: true)
            } else {
                try checkFolder(of: next, user: user)
            }
            current = next
        }
        return (current.isEmpty ? "/" : current, facts)
    }

    /// Checks the folder of a file without the exception for the sticky bit.
    private static func checkFolder(of path: String, user: uid_t) throws(Distrust) {
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        let name = folder.isEmpty ? "/" : folder
        try check(try look(name), name, user: user)
    }

    private static func look(_ path: String) throws(Distrust) -> Facts {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            throw errno == ENOENT ? .missing(path) : .unreadable(path, number: errno)
        }
        return Facts(status)
    }

    private static func linkTarget(_ path: String) throws(Distrust) -> String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = buffer.withUnsafeMutableBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { readlink(path, $0.baseAddress!, $0.count) }
        }
        guard count >= 0 else { throw errno == ENOENT ? .missing(path) : .unreadable(path, number: errno) }
        return String(decoding: buffer.prefix(count), as: UTF8.self)
    }
}
