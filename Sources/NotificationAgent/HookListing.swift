/// The output of `--check`: the files in the hooks folders, and why each is run or not.
struct HookListing {
    let folders: HookFolders

    /// The lines, and whether all files are as their names and places promise.
    func lines() -> (lines: [String], isFine: Bool) {
        let entries = folders.allEntries()
        var lines: [String] = []
        var isFine = true
        var heading: String?
        for entry in entries {
            let title = entry.rule.map { "For events of the rule \(PrintableText.clean($0)):" } ?? "For every event:"
            if title != heading { lines.append(title) }
            heading = title
            lines.append("  " + line(for: entry))
            switch entry.state {
            case .ready, .masked, .refused(.disabled), .ignored: break
            case .refused: isFine = false
            }
        }
        if !entries.contains(where: { $0.state == .ready }) {
            let places = folders.configurationFolders.map { PrintableText.clean($0) + "/hooks.d" }
            let first = places.dropLast().joined(separator: ", ")
            lines.append("No hook is installed in \([first, places.last ?? ""].joined(separator: " or ")).")
        }
        return (lines, isFine)
    }

    private func line(for entry: HookFolders.Entry) -> String {
        let path = PrintableText.clean(entry.path, maximumLength: 1000)
        switch entry.state {
        case .ready: return "runs     \(path)"
        case .masked(let other):
            return "masked   \(path): \(PrintableText.clean(other, maximumLength: 1000)) replaces it"
        case .refused(.disabled): return "disabled \(path)"
        case .refused(let reason):
            return "refused  \(path): \(PrintableText.clean(reason.reason, maximumLength: 1000))"
        case .ignored(let reason): return "ignored  \(path): \(reason)"
        }
    }
}
