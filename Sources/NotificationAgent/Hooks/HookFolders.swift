internal import Glibc
internal import TransitClient

/// The hooks for one event.
struct HookPlan: Equatable {
    var hooks: [Hook]
    /// For a withdrawal, the hooks of all rules. Those that were started for an earlier event of the notification, which
    /// may have had another rule, run too.
    var otherHooks: [Hook] = []
    /// The hooks that are not run because they are not trusted.
    var refusals: [Refusal] = []

    struct Refusal: Hashable {
        var hook: Hook
        var reason: Distrust
    }
}

/// Finds the hooks in the folders of the user, of the machine, and of the installation.
///
/// A hook in `hooks.d` runs for every event, and one in `hooks.d/RULE` for the events of a rule. The user's hook replaces
/// one of the machine with the same name in the folder of the same name, and both replace one of the installation.
struct HookFolders {
    /// The folders with `hooks.d`: those of the user, of the machine, and of the installation.
    let configurationFolders: [String]
    /// The user who runs hooks.
    let user: uid_t

    /// The configuration folder of the machine.
    static let machineFolder = "/etc/transitd"
    /// The maximum number of files that are read in one folder.
    static let maximumCount = 64
    /// The endings of the names of files that editors and package managers leave.
    private static let ignoredEndings = [
        "~", ".bak", ".old", ".orig", ".swp", ".tmp", ".dpkg-old", ".dpkg-dist", ".dpkg-new", ".dpkg-tmp", ".rpmnew",
        ".rpmsave", ".rpmorig", ".pacnew", ".pacsave",
    ]

    /// What a file in a hooks folder is.
    enum State: Hashable {
        case ready
        /// The hook with the same name in an earlier folder replaces it.
        case masked(by: String)
        /// It is not run, because it may not be a file that the user wants to run.
        case refused(Distrust)
        /// The name says that it is not a hook, or there are too many files. The reason is a phrase.
        case ignored(String)
    }

    /// A file in a hooks folder, or a hooks folder that is not used.
    struct Entry: Hashable {
        var path: String
        /// The rule, or `nil` for a hook that runs for every event.
        var rule: String?
        var state: State
    }

    init(configurationFolders: [String], user: uid_t) {
        self.configurationFolders = configurationFolders
        self.user = user
    }

    /// Determines the folders from the environment (XDG Base Directory Specification).
    ///
    /// - Parameter executable: The path of this program without links, `PREFIX/bin/transitctl`. The folder of the
    ///   installation is `PREFIX/lib/transitd`, which no package manager takes for configuration.
    init(_ variable: (String) -> String?, user: uid_t, executable: String? = nil) {
        var folders: [String] = []
        if let configuration = variable("XDG_CONFIG_HOME"), configuration.hasPrefix("/") {
            folders.append(configuration + "/transitd")
        } else if let home = variable("HOME"), home.hasPrefix("/") {
            folders.append(home + "/.config/transitd")
        }
        folders.append(Self.machineFolder)
        if let executable {
            let prefix = executable.split(separator: "/").dropLast(2)
            folders.append("/" + (prefix + ["lib", "transitd"]).joined(separator: "/"))
        }
        self.init(configurationFolders: folders, user: user)
    }

    /// Returns the files for the events of a rule: those for every event, and then those for the rule, by name.
    func entries(for rule: String) -> [Entry] { entries(inRule: nil) + entries(inRule: rule) }

    /// Returns the hooks for the events of a rule.
    func plan(for rule: String) -> HookPlan {
        var plan = HookPlan(hooks: [])
        for entry in entries(for: rule) {
            switch entry.state {
            case .ready: plan.hooks.append(Hook(path: entry.path))
            case .refused(.disabled), .masked, .ignored: break
            case .refused(let reason):
                plan.refusals.append(HookPlan.Refusal(hook: Hook(path: entry.path), reason: reason))
            }
        }
        return plan
    }

    /// Returns all files, for `--check`.
    func allEntries() -> [Entry] {
        var rules: Set<String> = []
        for folder in configurationFolders {
            let hooks = folder + "/hooks.d"
            for name in Self.names(hooks) ?? [] where Self.isFolder(hooks + "/" + name) { rules.insert(name) }
        }
        return entries(inRule: nil) + rules.sorted().flatMap { entries(inRule: $0) }
    }

    private func entries(inRule rule: String?) -> [Entry] {
        var entries: [Entry] = []
        var owners: [String: String] = [:]
        for configuration in configurationFolders {
            let folder = configuration + "/hooks.d" + (rule.map { "/" + $0 } ?? "")
            guard access(folder, F_OK) == 0 || errno != ENOENT else { continue }
            do throws(Distrust) { _ = try HookTrust.folder(folder, user: user) } catch {
                // A folder that is not trusted replaces nothing either.
                entries.append(Entry(path: folder, rule: rule, state: .refused(error)))
                continue
            }
            guard let names = Self.names(folder) else {
                entries.append(Entry(path: folder, rule: rule, state: .refused(.unreadable(folder, number: errno))))
                continue
            }
            for (number, name) in names.filter({ !Self.isFolder(folder + "/" + $0) }).enumerated() {
                let path = folder + "/" + name
                let state = state(path, name, number, replacedBy: owners[name])
                if case .ignored = state {} else if owners[name] == nil { owners[name] = path }
                entries.append(Entry(path: path, rule: rule, state: state))
            }
        }
        return entries.sorted { Self.order($0) < Self.order($1) }
    }

    private static func order(_ entry: Entry) -> String { Hook(path: entry.path).name }

    private func state(_ path: String, _ name: String, _ number: Int, replacedBy other: String?) -> State {
        if let reason = Self.reasonToIgnore(name) { return .ignored(reason) }
        if number >= Self.maximumCount { return .ignored("the folder has more than \(Self.maximumCount) files") }
        if let other { return .masked(by: other) }
        do throws(Distrust) { _ = try HookTrust.file(path, user: user) } catch { return .refused(error) }
        return .ready
    }

    /// Returns why a name is not that of a hook, or `nil`.
    static func reasonToIgnore(_ name: String) -> String? {
        if name.hasPrefix(".") { return "its name begins with a dot" }
        if let ending = ignoredEndings.first(where: name.hasSuffix) { return "its name ends in \"\(ending)\"" }
        let isPlain = name.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                || "-_.+@".utf8.contains($0)
        }
        return isPlain ? nil : "its name has characters other than letters, digits and -_.+@"
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Returns the sorted names in a folder; `nil` if it cannot be read, with the reason in `errno`.
    private static func names(_ folder: String) -> [String]? {
        guard let stream = opendir(folder) else { return nil }
        defer { closedir(stream) }
        var names: [String] = []
        // The limit ends the reading of a folder that is used for something else.
        while names.count < 4096, let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}
