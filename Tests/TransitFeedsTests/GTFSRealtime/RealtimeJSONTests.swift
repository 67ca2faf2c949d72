import Testing
import TransitFeeds
import TransitModel

/// The same message in all JSON dialects that occur in practice.
struct RealtimeJSONTests {
    private static let header = RealtimeHeader(version: "2.0", timestamp: Instant(secondsSince1970: 1_781_700_000))

    private static let entities: [RealtimeEntity] = [
        .tripUpdate(
            TripUpdate(
                id: "1",
                trip: TripDescriptor(
                    tripID: "134", routeID: "Local Weekday", direction: .one, startTime: ServiceTime(seconds: 29_100),
                    startDate: ServiceDate(daysSince1970: 20_621), relationship: .added),
                vehicle: VehicleDescriptor(id: "134"),
                updates: [
                    StopTimeUpdate(
                        sequence: 2, stopID: "70202",
                        departure: StopTimeEvent(time: Instant(secondsSince1970: 1_781_700_903), delay: -30)),
                    StopTimeUpdate(stopID: "70212", relationship: .noData),
                ],
                timestamp: Instant(secondsSince1970: 1_781_699_999))),
        .vehicle(
            VehiclePosition(
                id: "2", trip: TripDescriptor(tripID: "134"),
                coordinate: Coordinate(latitude: 37.5, longitude: -122.25), speed: 12.5, stopID: "70202",
                status: .incomingAt, timestamp: Instant(secondsSince1970: 1_781_699_999), occupancy: .full)),
        .alert(
            Alert(
                id: "3", activePeriods: [.init(start: Instant(secondsSince1970: 1_781_600_000))],
                informed: [InformedEntity(agencyID: "CT", stopID: "MIL-03-NB")], cause: .technicalProblem,
                effect: .additionalService, severity: .warning,
                header: TranslatedText([.init("Ascensor – “cerrado”", language: "es")]))),
    ]

    @Test(
        "The number of translations is limited in every form of a text", arguments: ["[%]", #"{"translation": [%]}"#])
    func translationsAreLimited(form: String) throws {
        let list = repeatElement(#"{"text": ""}"#, count: RealtimeLimits.translations + 3).joined(separator: ",")
        let parts = form.split(separator: "%")
        let reading = try RealtimeReading(
            json: #"{"header": {"gtfs_realtime_version": "2.0"}, "entity": [{"id": "1", "alert": {"header_text": "#
                + parts[0] + list + parts[1] + "}}]}")
        #expect(reading.problems.count(.tooManyMembers) == 3)
    }

    private func check(_ json: String) throws {
        let reading = try RealtimeReading(json: json)
        #expect(reading.header == Self.header)
        #expect(reading.entities == Self.entities)
        #expect(reading.problems.isEmpty, "\(reading.problems)")
    }

    @Test func snakeCaseWithEnumerationNumbersIsRead() throws {
        try check(
            #"""
            {"header": {"gtfs_realtime_version": "2.0", "incrementality": 0, "timestamp": 1781700000},
             "entity": [
              {"id": "1", "trip_update": {
                "trip": {"trip_id": "134", "route_id": "Local Weekday", "direction_id": 1, "start_time": "08:05:00",
                         "start_date": "20260617", "schedule_relationship": 1},
                "vehicle": {"id": "134"},
                "stop_time_update": [
                 {"stop_sequence": 2, "stop_id": "70202", "departure": {"time": 1781700903, "delay": -30}},
                 {"stop_id": "70212", "schedule_relationship": 2}],
                "timestamp": 1781699999}},
              {"id": "2", "vehicle": {
                "trip": {"trip_id": "134"}, "position": {"latitude": 37.5, "longitude": -122.25, "speed": 12.5},
                "stop_id": "70202", "current_status": 0, "timestamp": 1781699999, "occupancy_status": 5}},
              {"id": "3", "alert": {
                "active_period": [{"start": 1781600000, "end": 0}],
                "informed_entity": [{"agency_id": "CT", "stop_id": "MIL-03-NB"}], "cause": 3, "effect": 5,
                "severity_level": 3,
                "header_text": {"translation": [{"text": "Ascensor – “cerrado”", "language": "es"}]}}}
            ]}
            """#)
    }

    /// The JSON format of protobuf: camel case, enumeration names, 64-bit integers as strings. Members are sorted by
    /// name.
    @Test func camelCaseWithEnumerationNamesIsRead() throws {
        try check(
            #"""
            {"entity": [
              {"id": "1", "tripUpdate": {
                "stopTimeUpdate": [
                 {"departure": {"delay": -30, "time": "1781700903"}, "stopId": "70202", "stopSequence": 2},
                 {"scheduleRelationship": "NO_DATA", "stopId": "70212"}],
                "timestamp": "1781699999",
                "trip": {"directionId": 1, "routeId": "Local Weekday", "scheduleRelationship": "ADDED",
                         "startDate": "20260617", "startTime": "08:05:00", "tripId": "134"},
                "vehicle": {"id": "134"}}},
              {"id": "2", "vehicle": {
                "currentStatus": "INCOMING_AT", "occupancyStatus": "FULL",
                "position": {"latitude": 37.5, "longitude": -122.25, "speed": 12.5}, "stopId": "70202",
                "timestamp": "1781699999", "trip": {"tripId": "134"}}},
              {"alert": {
                "activePeriod": [{"start": "1781600000"}], "cause": "TECHNICAL_PROBLEM",
                "effect": "ADDITIONAL_SERVICE", "severityLevel": "WARNING",
                "headerText": {"translation": [{"language": "es", "text": "Ascensor \u2013 \u201Ccerrado\u201d"}]},
                "informedEntity": [{"agencyId": "CT", "stopId": "MIL-03-NB"}]}, "id": "3"}],
             "header": {"gtfsRealtimeVersion": "2.0", "incrementality": "FULL_DATASET", "timestamp": "1781700000"}}
            """#)
    }

    /// The dialect of 511.org: Pascal case except for some members, a byte order mark, and null for missing values.
    @Test func pascalCaseIsRead() throws {
        try check(
            "\u{FEFF}"
                + #"""
                {"Header":{"GtfsRealtimeVersion":"2.0","incrementality":0,"Timestamp":1781700000},"Entities":[
                {"Id":"1","TripUpdate":{"Trip":{"TripId":"134","RouteId":"Local Weekday","DirectionId":1,
                "StartTime":"8:05:00","StartDate":"20260617","schedule_relationship":1},
                "Vehicle":{"Id":"134","Label":"","LicensePlate":""},"StopTimeUpdates":[
                {"StopSequence":2,"StopId":"70202","Arrival":null,"Departure":{"Time":1781700903,"Delay":-30}},
                {"StopId":"70212","Arrival":null,"Departure":null,"schedule_relationship":2}],
                "Timestamp":1781699999},"Vehicle":null,"Alert":null},
                {"Id":"2","TripUpdate":null,"Vehicle":{"Trip":{"TripId":"134"},"Vehicle":null,"Position":{
                "Latitude":37.5,"Longitude":-122.25,"Speed":12.5},"StopId":"70202","current_status":0,
                "Timestamp":1781699999,"occupancy_status":5},"Alert":null},
                {"Id":"3","TripUpdate":null,"Vehicle":null,"Alert":{"ActivePeriods":[{"Start":1781600000}],
                "InformedEntities":[{"AgencyId":"CT","Trip":null,"StopId":"MIL-03-NB"}],"cause":3,"effect":5,
                "Url":null,"HeaderText":{"Translations":[{"Text":"Ascensor – “cerrado”","Language":"es"}]},
                "TtsHeaderText":null,"severity_level":3}}]}
                """#)
    }

    /// The dialect of JavaScript libraries: 64-bit integers as `{low, high}`, unknown members, and single values for
    /// lists.
    @Test func lowAndHighPartsAndUnknownMembersAreRead() throws {
        try check(
            #"""
            {"header": {"gtfsRealtimeVersion": "2.0", "timestamp": {"low": 1781700000, "high": 0, "unsigned": true}},
             "entity": [
              {"id": 1, "isDeleted": false, "tripUpdate": {
                "trip": {"tripId": 134, "routeId": "Local Weekday", "directionId": "1", "startTime": "08:05:00",
                         "startDate": 20260617, "scheduleRelationship": "1", "route_pattern_id": "CR-1", "revenue": true},
                "vehicle": {"id": "134", "consist": [{"label": "1"}, [], {}]},
                "stopTimeUpdate": [
                 {"stopSequence": 2e0, "stopId": "70202", "departure": {"time": {"low": 1781700903, "high": 0}, "delay": -30}},
                 {"stopId": "70212", "scheduleRelationship": "NoData", "boarding_status": "ALL_ABOARD"}],
                "timestamp": {"low": 1781699999, "high": 0}}},
              {"id": "2", "vehicle": {
                "trip": {"tripId": "134"}, "position": {"latitude": "37.5", "longitude": -122.25, "speed": 12.5},
                "stopId": "70202", "currentStatus": "INCOMING_AT", "timestamp": 1781699999, "occupancyStatus": "FULL"}},
              {"id": "3", "alert": {
                "activePeriod": {"start": 1781600000}, "informedEntity": {"agencyId": "CT", "stopId": "MIL-03-NB"},
                "cause": "technical_problem", "effect": "AdditionalService", "severityLevel": "WARNING",
                "headerText": {"translation": {"text": "Ascensor – “cerrado”", "language": "es"}}}}
            ]}
            """#)
    }

    /// Some publishers omit the message TranslatedString.
    @Test(arguments: [
        (#"[{"text": "Closed", "language": "en"}, {"text": "Cerrado", "language": "es"}]"#, "Closed", "Cerrado"),
        (
            #"{"translation": [{"text": "Closed", "language": "en"}, {"text": "Cerrado", "language": "es"}]}"#,
            "Closed", "Cerrado"
        ),
        (#"["Closed", null, {}, 7]"#, "Closed", "Closed"), (#""Closed""#, "Closed", "Closed"),
    ])
    func allFormsOfTextsAreRead(json: String, english: String, spanish: String) throws {
        let reading = try RealtimeReading(
            json: #"{"header":{},"entity":[{"id":"a","alert":{"header_text":\#(json),"description_text":\#(json)}}]}"#)
        let alert = try #require(reading.alerts.first)
        for text in [alert.header, alert.description] {
            #expect(text?.text(in: "en") == english)
            #expect(text?.text(in: "es") == spanish)
        }
    }

    @Test func invalidUTF8IsReplaced() throws {
        var bytes = Array(
            #"{"header":{},"entity":[{"id":"a","alert":{"header_text":{"translation":[{"text":"Z?rich"}]}}}]}"#.utf8)
        let mark = try #require(bytes.firstIndex(of: 0x3F))
        bytes[mark] = 0xFC
        let reading = try RealtimeReading(bytes)
        #expect(reading.alerts.first?.header?.text(in: nil) == "Z\u{FFFD}rich")
        #expect(reading.problems.count(.invalidText) == 1)
        #expect(reading.problems.findings.first?.example.entity == "a")
    }

    @Test func problemsAreCounted() throws {
        let reading = try RealtimeReading(
            json: #"""
                {"header": {"timestamp": "soon"}, "entity": [
                 {"id": "a", "trip_update": {
                  "trip": {"trip_id": ["x"], "start_date": "2026-06-17", "start_time": "8h", "direction_id": 2,
                           "schedule_relationship": "LOST"},
                  "delay": 3000000000, "timestamp": 1781700000000,
                  "stop_time_update": [{"stop_sequence": -1, "arrival": {"time": true}}]}},
                 17,
                 {"id": "b", "vehicle": {"position": {"latitude": 0, "longitude": 0, "bearing": 400}}}]}
                """#)
        let calls = [StopTimeUpdate(arrival: StopTimeEvent())]
        #expect(reading.updates == [TripUpdate(id: "a", trip: TripDescriptor(), updates: calls)])
        #expect(reading.vehicles == [VehiclePosition(id: "b")])
        let counts = Dictionary(uniqueKeysWithValues: reading.problems.findings.map { ($0.rule, $0.count) })
        #expect(
            counts == [
                .invalidNumber: 3, .unexpectedType: 3, .invalidDate: 1, .invalidTime: 1, .invalidDirection: 1,
                .unknownEnumValue: 1, .invalidTimestamp: 1, .invalidCoordinate: 1, .invalidBearing: 1,
            ])
        #expect(reading.problems.findings.first { $0.rule == .unknownEnumValue }?.example.value == "LOST")
    }

    @Test func allEnumerationNamesAreRead() throws {
        func relationships(_ names: [String]) throws -> [TripScheduleRelationship] {
            let entities = names.map { #"{"id":"a","trip_update":{"trip":{"schedule_relationship":"\#($0)"}}}"# }
            let json = #"{"header":{},"entity":[\#(entities.joined(separator: ","))]}"#
            return try RealtimeReading(json: json).updates.map(\.trip.relationship)
        }
        let names = [
            "SCHEDULED", "ADDED", "UNSCHEDULED", "CANCELED", "REPLACEMENT", "DUPLICATED", "DELETED", "NEW",
        ]
        #expect(try relationships(names) == TripScheduleRelationship.allCases)
        #expect(try relationships(names.map { $0.lowercased() }) == TripScheduleRelationship.allCases)
    }
}
