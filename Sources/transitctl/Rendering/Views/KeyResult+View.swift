internal import TransitControl
internal import TransitModel

extension View where Result == KeyResult {
    /// The state of a key, never the key itself.
    static let keyResult = View(
        page: { result in
            var page = Page()
            page.line(Line("\(result.feed): ", .strong) + Line(result.message, result.state.style))
            return page
        }, rows: { [[$0.feed.rawValue, $0.state.rawValue, $0.origin?.rawValue ?? "", $0.message]] })
}

extension KeyState {
    fileprivate var style: Style {
        switch self {
        case .accepted: .good
        case .rejected: .bad
        case .missing, .unverified: .caution
        case .removed, .other: .normal
        }
    }
}
