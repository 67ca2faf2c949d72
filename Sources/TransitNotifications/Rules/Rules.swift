/// All rules. A new rule is one line here.
package enum Rules {
    /// If several rules about departures decide at the same moment, the first of them is shown, because the text of a
    /// notification contains everything that is known.
    static let all: [any Rule.Type] = [
        // About one departure.
        ContradictionRule.self,
        CancellationRule.self,
        ChangeRule.self,
        ReinstatementRule.self,
        AdviceRule.self,
        LeaveRule.self,
        EarlyRule.self,
        NotReportedRule.self,
        ReportedRule.self,
        DelayRule.self,
        PlatformRule.self,
        BackToNormalRule.self,
        LastDepartureRule.self,
        GetoffRule.self,
        // About everything else, in the order of their decisions.
        AlertRule.self,
        TimetableRule.self,
        UnusualServiceRule.self,
        HealthRule.self,
        EventCrowdingRule.self,
        BadgeRule.self,
        StreakRule.self,
        BriefRule.self,
        WeatherRule.self,
        DigestRule.self,
    ]

    static let departures = all.compactMap { $0 as? any DepartureRule.Type }
    static let general = all.compactMap { $0 as? any GeneralRule.Type }
}
