internal import TransitControl
internal import TransitModel

extension View where Result == CommuteListResult {
    /// The user's commutes.
    static let commuteList = View(page: page, rows: { $0.commutes.map(\.row) })

    private static func page(_ page: inout Page, _ result: CommuteListResult) {
        page.table(["commute", .shrinking("from"), .shrinking("to"), ""], of: result.commutes) { commute in
            [
                Line(commute.name, commute.isInUse ? .strong : .normal), Line(commute.from.words),
                Line(commute.to.words), commute.remark,
            ]
        }
        if result.commutes.isEmpty {
            page.line("No commutes yet. To add one: transitctl commute add NAME FROM TO")
        }
    }
}

extension CommuteSummary {
    fileprivate var remark: Line {
        var words: [Line] = []
        if isInUse { words.append(Line("in use", .good)) }
        if !windows.isEmpty { words.append(Line(windows.joined(separator: ", "), .faint)) }
        if origin == .configuration { words.append(Line("from the configuration", .faint)) }
        if let problem { words.append(Line(problem, .caution)) }
        return words.enumerated().reduce(into: Line()) { line, word in
            if word.offset > 0 { line.append("; ") }
            line.append(word.element)
        }
    }

    /// The row for scripts: name, from, to, whether it is in use, origin, problem, windows.
    fileprivate var row: [String] {
        [
            name, from.reference, to.reference, isInUse ? "in use" : "", origin.rawValue, problem ?? "",
            windows.joined(separator: "; "),
        ]
    }

    /// The commute with its endpoints, such as "home-to-work, from home to Mill Lane".
    var words: String { "\(name), from \(from.words) to \(to.words)" }
}
