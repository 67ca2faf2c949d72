import Testing
import TransitControl
import TransitFeeds
import TransitModel
import TransitNotifications
import TransitQueries
import TransitStore
import TransitTestSupport
import TransitWire

@testable import TransitDaemon

/// Names and alert texts in the user's language, with feeds in two languages.
@Suite struct NotificationLanguageTests {
    /// A feed in English with Chinese translations.
    private static let hongKong = FeedBuilder.small.file(
        "translations.txt",
        """
        table_name,field_name,language,translation,record_id,field_value
        stops,stop_name,zh-Hant,海港,harbor,
        stops,stop_name,zh-Hant,中央車站,,Central Station
        trips,trip_headsign,zh-Hant,中央車站,,Central Station
        routes,route_short_name,zh-Hant,24路,bus24,
        """)

    /// A feed in French with Dutch translations.
    private static let brussels = FeedBuilder.small.file(
        "agency.txt",
        """
        agency_id,agency_name,agency_url,agency_timezone,agency_lang
        city,Lignes,https://city.example,Europe/Berlin,fr
        """
    ).file(
        "translations.txt",
        """
        table_name,field_name,language,translation,record_id,field_value
        stops,stop_name,nl,Haven,harbor,
        stops,stop_name,nl,Centraal Station,,Central Station
        trips,trip_headsign,nl,Centraal Station,,Central Station
        """)

    private func setAgentLanguage(_ language: String, _ fixture: NotificationFixture) throws {
        try fixture.daemon.daemon.state.setAgentLanguage(language, of: 1000)
        fixture.service.topicChanged(.personal(uid: 1000))
        fixture.service.pass()
    }

    @Test func departureHasNamesInTheLanguageOfTheSession() async throws {
        let fixture = try await NotificationFixture(feed: Self.hongKong)
        try setAgentLanguage("zh-HK", fixture)
        fixture.receive("b1", .canceled)
        let event = try #require(try fixture.events("canceled").first)
        #expect(event.departure?.stop.name == "海港")
        #expect(event.departure?.headsign == "中央車站")
        #expect((event.title + event.body).contains("24路"), "\(event.title) \(event.body)")
        #expect(event.next.first?.stop.name == "海港")
        #expect(event.language == "en")
        #expect(event.feedLanguage == "zh-Hant")
        #expect(try fixture.daemon.ask(NotifyListParameters()).subjects.first?.stop == "海港")
    }

    @Test func settingTakesPrecedenceOverTheSession() async throws {
        let fixture = try await NotificationFixture(feed: Self.brussels)
        try setAgentLanguage("en-US", fixture)
        func stop() throws -> String? { try fixture.daemon.ask(NotifyListParameters()).subjects.first?.stop }
        #expect(try stop() == "Harbor")
        let set = try fixture.daemon.ask(NotifySetParameters(key: "language", value: "nl-BE"))
        #expect(set.setting.value == "nl-BE")
        fixture.service.topicChanged(.personal(uid: 1000))
        fixture.service.pass()
        // The names that were read before are not used.
        #expect(try stop() == "Haven")
        fixture.receive("b1", .canceled)
        let event = try #require(try fixture.events("canceled").first)
        #expect(event.departure?.stop.name == "Haven" && event.feedLanguage == "nl")
        _ = try fixture.daemon.ask(NotifySetParameters(key: "language", value: "auto"))
        fixture.service.topicChanged(.personal(uid: 1000))
        fixture.service.pass()
        #expect(try stop() == "Harbor")
        #expect(
            fixture.daemon.error(of: NotifySetParameters(key: "language", value: "no language"))?.kind
                == .notificationSettingInvalid)
        // Another language is no news.
        #expect(try fixture.events("canceled").map(\.id) == [event.id])
    }

    @Test func languageThatTheFeedLacksIsItsOwn() async throws {
        let fixture = try await NotificationFixture(feed: Self.brussels)
        try setAgentLanguage("de-DE", fixture)
        fixture.receive("b1", .canceled)
        let event = try #require(try fixture.events("canceled").first)
        #expect(event.departure?.stop.name == "Harbor" && event.feedLanguage == "fr")
    }

    @Test func alertIsShownInTheLanguageOfTheUserOnce() async throws {
        let fixture = try await NotificationFixture(feed: Self.brussels) {
            $0.feeds[0].realtime[.alerts] = .file(path: "")
        }
        try setAgentLanguage("nl-BE", fixture)
        receive([], fixture)
        receive([Self.alert("1", fr: "Ligne 24 déviée", nl: "Lijn 24 omgeleid")], fixture)
        let event = try #require(try fixture.events("alert").first)
        #expect(event.title == "Lijn 24 omgeleid")
        #expect(event.alert?.header == "Lijn 24 omgeleid")
        #expect(event.feedLanguage == "nl" && event.language == "en")
        // As `transitctl alerts` shows it.
        let shown = try fixture.daemon.ask(AlertsParameters(language: "nl-BE")).alerts.first?.header
        #expect(shown == event.title)
        try setAgentLanguage("fr-BE", fixture)
        fixture.daemon.clock.advance(by: 60)
        receive([Self.alert("1", fr: "Ligne 24 déviée", nl: "Lijn 24 omgeleid")], fixture)
        #expect(try fixture.events("alert").map(\.id) == [event.id])
        receive([Self.alert("1", fr: "Ligne 24 supprimée", nl: "Lijn 24 geschrapt")], fixture)
        let changed = try #require(try fixture.events("alert").first { $0.id != event.id })
        #expect(changed.title == "Ligne 24 supprimée" && changed.feedLanguage == "fr")
        #expect(changed.key == event.key)
    }

    @Test func crowdedStationIsNamedInTheLanguageOfTheUser() async throws {
        let fixture = try await NotificationFixture(feed: Self.brussels)
        let own = fixture.daemon.daemon.contexts.context(from: fixture.daemon.caller(1000)).query
        let commute = CommuteConfiguration(name: "x", from: "city:harbor", to: "city:central:1")
        #expect(StationsInUse(own.inLanguage("nl")).stations(of: commute).map(\.name) == ["Centraal Station", "Haven"])
    }

    private static func alert(_ id: String, fr: String, nl: String) -> Alert {
        Alert(
            id: EntityID(id), informed: [InformedEntity(routeID: "bus24")], effect: .noService,
            header: TranslatedText([.init(fr, language: "fr"), .init(nl, language: "nl")]))
    }

    private func receive(_ alerts: [Alert], _ fixture: NotificationFixture) {
        let now = fixture.daemon.clock.now()
        let taken = fixture.daemon.daemon.realtimeFeeds.receive(
            RealtimeWriter.bytes(RealtimeHeader(version: "2.0", timestamp: now), alerts.map { .alert($0) }),
            of: DatasetID("city", .alerts), received: now, now: now)
        #expect(taken.isUsed)
        fixture.service.feedChanged("city")
        fixture.service.pass()
    }
}
