internal import TransitModel

extension RealtimeJSONDecoder {
    /// Reads an *Alert* (GTFS-Realtime reference). Text-to-speech texts, images, and details of cause and effect are
    /// ignored.
    mutating func merge(_ json: inout JSONReader, into alert: inout Alert) throws(MalformedMessageError) {
        guard try begin(&json, "FeedEntity.alert") else { return }
        while let name = try json.nextMember() {
            switch name.folded {
            case "activeperiod", "activeperiods":
                var list = try json.list()
                while try json.next(&list) {
                    guard log.acceptsActivePeriod(at: json.offset) else { continue }
                    if let period = try period(&json) { alert.activePeriods.append(period) }
                }
            case "informedentity", "informedentities":
                var list = try json.list()
                while try json.next(&list) {
                    guard log.acceptsInformedEntity(at: json.offset) else { continue }
                    if let informed = try informedEntity(&json) { alert.informed.append(informed) }
                }
            case "cause": alert.cause = try value(&json, "Alert.cause") ?? alert.cause
            case "effect": alert.effect = try value(&json, "Alert.effect") ?? alert.effect
            case "severitylevel": alert.severity = try value(&json, "Alert.severity_level") ?? alert.severity
            case "url": alert.url = try translatedText(&json, "Alert.url")
            case "headertext": alert.header = try translatedText(&json, "Alert.header_text")
            case "descriptiontext": alert.description = try translatedText(&json, "Alert.description_text")
            default: break
            }
        }
    }

    /// Reads a *TimeRange* (GTFS-Realtime reference).
    private mutating func period(_ json: inout JSONReader) throws(MalformedMessageError) -> Alert.ActivePeriod? {
        guard try begin(&json, "Alert.active_period") else { return nil }
        var period = Alert.ActivePeriod()
        while let name = try json.nextMember() {
            switch name.folded {
            case "start": period.start = try rangeBound(&json, "TimeRange.start")
            case "end": period.end = try rangeBound(&json, "TimeRange.end")
            default: break
            }
        }
        return period
    }

    /// Reads an *EntitySelector* (GTFS-Realtime reference).
    private mutating func informedEntity(_ json: inout JSONReader) throws(MalformedMessageError) -> InformedEntity? {
        guard try begin(&json, "Alert.informed_entity") else { return nil }
        var informed = InformedEntity()
        while let name = try json.nextMember() {
            switch name.folded {
            case "agencyid": informed.agencyID = try identifier(&json, "EntitySelector.agency_id")
            case "routeid": informed.routeID = try identifier(&json, "EntitySelector.route_id")
            case "routetype": informed.routeType = try number(&json, "EntitySelector.route_type")
            case "trip": informed.trip = try trip(&json)
            case "stopid": informed.stopID = try identifier(&json, "EntitySelector.stop_id")
            case "directionid": informed.direction = try direction(&json, "EntitySelector.direction_id")
            default: break
            }
        }
        return informed
    }

    /// Reads a *TranslatedString* (GTFS-Realtime reference). A plain string counts as a translation without a language.
    /// Some publishers omit the enclosing message and send only the list: `"header_text": [{"text": "…", "language":
    /// "en"}]`.
    private mutating func translatedText(
        _ json: inout JSONReader, _ field: StaticString
    ) throws(MalformedMessageError) -> TranslatedText? {
        if try json.kind() == .string {
            return try text(&json, field).flatMap { TranslatedText([.init($0)]) }
        }
        var translations: [TranslatedText.Translation] = []
        if try json.kind() == .array {
            var list = try json.list()
            while try json.next(&list) {
                guard log.acceptsTranslation(at: json.offset) else { continue }
                if try json.kind() == .string {
                    if let text = try text(&json, field) { translations.append(.init(text)) }
                } else if let translation = try translation(&json) {
                    translations.append(translation)
                }
            }
            return TranslatedText(translations)
        }
        guard try begin(&json, field) else { return nil }
        while let name = try json.nextMember() {
            guard ["translation", "translations"].contains(name.folded) else { continue }
            var list = try json.list()
            while try json.next(&list) {
                guard log.acceptsTranslation(at: json.offset) else { continue }
                if let translation = try translation(&json) { translations.append(translation) }
            }
        }
        return TranslatedText(translations)
    }

    /// Reads a *Translation*. Returns `nil` if it has no text.
    private mutating func translation(
        _ json: inout JSONReader
    ) throws(MalformedMessageError) -> TranslatedText.Translation? {
        guard try begin(&json, "TranslatedString.translation") else { return nil }
        var translation = TranslatedText.Translation("")
        while let name = try json.nextMember() {
            switch name.folded {
            case "text": translation.text = try text(&json, "Translation.text") ?? ""
            case "language": translation.language = try text(&json, "Translation.language")
            default: break
            }
        }
        return translation.text.isEmpty ? nil : translation
    }
}
