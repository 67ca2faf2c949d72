internal import TransitControl

extension View where Result == DoctorResult {
    /// The checks, with remedies for problems.
    static let doctor = View(
        page: { result in
            var page = Page()
            for check in result.checks {
                page.line(check.outcome.line + Line(" \(check.check)", .strong) + Line(": \(check.message)"))
                if let remedy = check.remedy, check.outcome != .ok { page.line("-> \(remedy)", indent: 2) }
            }
            return page
        }, rows: { $0.checks.map { [$0.check, $0.outcome.rawValue, $0.message, $0.remedy ?? ""] } })
}

extension CheckOutcome {
    fileprivate var line: Line {
        switch self {
        case .ok: Line("ok", .good)
        case .warning: Line("warning", .caution)
        case .failed: Line("failed", .bad)
        case .skipped, .other: Line(rawValue, .faint)
        }
    }
}
