/// The hooks that failed for an event.
struct HookFailures: Equatable {
    private var failures: [(name: String, reason: String)] = []

    static func == (left: Self, right: Self) -> Bool { left.message == right.message }

    mutating func add(_ hook: Hook, _ reason: String) { failures.append((hook.name, reason)) }

    /// A phrase that names every hook; `nil` if none failed. If the reasons are too long for the daemon, it says where they
    /// are.
    var message: String? {
        if failures.isEmpty { return nil }
        let whole = failures.map { "hook \($0.name): \($0.reason)" }.joined(separator: "; ")
        if whole.count <= Agent.maximumMessageLength { return whole }
        let end = " failed; transitd-notify --check and the journal have the reasons"
        var names = failures.map(\.name)
        var message = "the hooks \(Self.list(names))\(end)"
        while message.count > Agent.maximumMessageLength, names.count > 1 {
            names.removeLast()
            message = "the hooks \(names.joined(separator: ", ")) and \(failures.count - names.count) more\(end)"
        }
        return message
    }

    private static func list(_ names: [String]) -> String {
        guard names.count > 1, let last = names.last else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " and " + last
    }
}
