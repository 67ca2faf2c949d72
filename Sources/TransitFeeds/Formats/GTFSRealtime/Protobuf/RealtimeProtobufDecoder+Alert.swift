internal import TransitModel

extension RealtimeProtobufDecoder {
    /// Reads an *Alert* (GTFS-Realtime reference). Text-to-speech texts, images, and details of cause and effect are
    /// ignored.
    mutating func merge(_ wire: inout ProtobufReader, into alert: inout Alert) throws(MalformedMessageError) {
        while let tag = try wire.nextTag() {
            switch tag {
            case ProtobufTag.bytes(1):
                var message = try wire.message()
                guard log.acceptsActivePeriod(at: message.offset) else { continue }
                alert.activePeriods.append(try period(&message))
            case ProtobufTag.bytes(5):
                var message = try wire.message()
                guard log.acceptsInformedEntity(at: message.offset) else { continue }
                alert.informed.append(try informedEntity(&message))
            case ProtobufTag.varint(6): try set(&alert.cause, &wire, "Alert.cause")
            case ProtobufTag.varint(7): try set(&alert.effect, &wire, "Alert.effect")
            case ProtobufTag.bytes(8): try merge(&wire, into: &alert.url)
            case ProtobufTag.bytes(10): try merge(&wire, into: &alert.header)
            case ProtobufTag.bytes(11): try merge(&wire, into: &alert.description)
            case ProtobufTag.varint(14): try set(&alert.severity, &wire, "Alert.severity_level")
            case ProtobufTag.bytes(12), ProtobufTag.bytes(13): try wire.skip(tag)
            default: try log.skip(&wire, tag, "Alert", known: 1...14)
            }
        }
    }

    /// Reads a *TimeRange* (GTFS-Realtime reference).
    private mutating func period(_ wire: inout ProtobufReader) throws(MalformedMessageError) -> Alert.ActivePeriod {
        var period = Alert.ActivePeriod()
        while let tag = try wire.nextTag() {
            let offset = wire.offset
            switch tag {
            case ProtobufTag.varint(1): period.start = log.rangeBound(try wire.varint(), "TimeRange.start", at: offset)
            case ProtobufTag.varint(2): period.end = log.rangeBound(try wire.varint(), "TimeRange.end", at: offset)
            default: try log.skip(&wire, tag, "TimeRange", known: 1...2)
            }
        }
        return period
    }

    /// Reads an *EntitySelector* (GTFS-Realtime reference).
    private mutating func informedEntity(_ wire: inout ProtobufReader) throws(MalformedMessageError) -> InformedEntity {
        var informed = InformedEntity()
        while let tag = try wire.nextTag() {
            let offset = wire.offset
            switch tag {
            case ProtobufTag.bytes(1):
                informed.agencyID = identifier(try wire.bytes(), "EntitySelector.agency_id", offset)
            case ProtobufTag.bytes(2):
                informed.routeID = identifier(try wire.bytes(), "EntitySelector.route_id", offset)
            case ProtobufTag.varint(3): informed.routeType = try wire.int32()
            case ProtobufTag.bytes(4):
                var message = try wire.message()
                var trip = informed.trip ?? TripDescriptor()
                try merge(&message, into: &trip)
                informed.trip = trip
            case ProtobufTag.bytes(5):
                informed.stopID = identifier(try wire.bytes(), "EntitySelector.stop_id", offset)
            case ProtobufTag.varint(6):
                informed.direction = log.direction(
                    Int64(try wire.uint32()), "EntitySelector.direction_id", at: offset)
            default: try log.skip(&wire, tag, "EntitySelector", known: 1...6)
            }
        }
        return informed
    }

    /// Reads a *TranslatedString* (GTFS-Realtime reference).
    private mutating func merge(_ wire: inout ProtobufReader, into text: inout TranslatedText?)
        throws(MalformedMessageError)
    {
        var message = try wire.message()
        // The array is moved out first. Otherwise, in a text with many parts, each part would copy the array.
        var translations = text.take()?.translations ?? []
        while let tag = try message.nextTag() {
            guard tag == ProtobufTag.bytes(1) else {
                try log.skip(&message, tag, "TranslatedString", known: 1...1)
                continue
            }
            var inner = try message.message()
            guard log.acceptsTranslation(at: inner.offset) else { continue }
            if let translation = try translation(&inner) { translations.append(translation) }
        }
        text = TranslatedText(translations)
    }

    /// Reads a *Translation*. Returns `nil` if it has no text.
    private mutating func translation(_ wire: inout ProtobufReader) throws(MalformedMessageError) -> TranslatedText
        .Translation?
    {
        var translation = TranslatedText.Translation("")
        while let tag = try wire.nextTag() {
            let offset = wire.offset
            switch tag {
            case ProtobufTag.bytes(1): translation.text = text(try wire.bytes(), "Translation.text", offset) ?? ""
            case ProtobufTag.bytes(2): translation.language = text(try wire.bytes(), "Translation.language", offset)
            default: try log.skip(&wire, tag, "Translation", known: 1...2)
            }
        }
        return translation.text.isEmpty ? nil : translation
    }
}
