internal import TransitControl

extension View where Result == StopsShowResult {
    /// A stop with its details.
    static let stopsShow = View(page: page, rows: { ([$0.stop] + $0.children).map(\.row) })

    private static func page(_ result: StopsShowResult) -> Page {
        var page = Page()
        page.line(Line(result.stop.words, .strong) + Line("  \(result.stop.reference)", .faint))
        page.pieces(facts(result), indent: 2)
        if !result.routes.isEmpty {
            page.blank()
            page.pieces(result.routes.map { Line($0.words) }, indent: 2)
        }
        if !result.children.isEmpty { page.blank() }
        page.table(children(result))
        if !result.transfers.isEmpty { page.blank() }
        for transfer in result.transfers { page.line(transfer.words, indent: 2) }
        return page
    }

    private static func facts(_ result: StopsShowResult) -> [Line] {
        let stop = result.stop
        var facts: [String] = []
        if !stop.kindWord.isEmpty { facts.append(stop.kindWord) }
        if let parent = stop.parent { facts.append("part of \(parent.name)") }
        if let code = stop.code { facts.append("code \(code)") }
        if let twin = result.sameAs { facts.append("also \(twin.reference)") }
        if let position = stop.position { facts.append(position.words) }
        switch stop.wheelchair {
        case .possible: facts.append("wheelchairs can board")
        case .notPossible: facts.append("wheelchairs cannot board")
        case .unknown, .other: break
        }
        return (facts + [result.timezone]).map { Line($0) }
    }

    private static func children(_ result: StopsShowResult) -> Table {
        var table = Table(
            [
                .init(title: "name", shrinks: true), .init(title: "kind"), .init(title: "code"),
                .init(title: "reference"),
            ],
            indent: 2, showsTitles: false)
        for child in result.children {
            let kind = child.kind == .platform ? "" : child.kindWord
            table.add([Line(child.words), Line(kind), Line(child.code ?? ""), Line(child.reference, .faint)])
        }
        return table
    }
}

extension TransferSummary {
    /// The transfer as a phrase, such as "change to Main Street, at least 3 minutes".
    fileprivate var words: String {
        let time = minTransferTime.map { ", at least " + DurationText.of(seconds: $0) } ?? ""
        switch kind {
        case .recommended, .other: return "change to \(to.name)\(time)"
        case .timed: return "change to \(to.name): the vehicle waits\(time)"
        case .minimumTime: return "change to \(to.name)\(time)"
        case .notPossible: return "no change to \(to.name)"
        case .inSeat: return "to \(to.name) without leaving the vehicle"
        case .noInSeat: return "to \(to.name): leave the vehicle and board again\(time)"
        }
    }
}
