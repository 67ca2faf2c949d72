import TransitFeeds
import TransitModel

/// Converts a message to JSON values. Members without a value are omitted, and times are RFC 3339 strings.
struct GoldenMessage {
    private typealias Object = [String: Any]

    var reading: RealtimeReading

    var json: Any {
        compact([
            "header": compact([
                "version": reading.header.version, "timestamp": time(reading.header.timestamp),
                "feed_version": reading.header.feedVersion,
                "incrementality": reading.header.incrementality == .differential ? "differential" : nil,
            ]),
            "entities": reading.entities.map(entity),
            "problems": reading.problems.isEmpty
                ? nil
                : reading.problems.findings.map { finding in
                    compact([
                        "rule": finding.rule.rawValue, "count": finding.count, "field": finding.example.field,
                        "value": finding.example.value, "entity": finding.example.entity?.rawValue,
                    ])
                },
        ])
    }

    private func compact(_ members: [String: Any?]) -> Object { members.compactMapValues { $0 } }
    private func time(_ instant: Instant?) -> String? { instant?.rfc3339() }

    private func entity(_ entity: RealtimeEntity) -> Object {
        switch entity {
        case .tripUpdate(let update): ["trip_update": self.update(update)]
        case .vehicle(let position): ["vehicle": self.position(position)]
        case .alert(let alert): ["alert": self.alert(alert)]
        case .deleted(let id): ["deleted": id.rawValue]
        }
    }

    // MARK: Trips

    private func trip(_ trip: TripDescriptor?) -> Object? {
        trip.map { trip in
            compact([
                "trip": trip.tripID?.rawValue, "route": trip.routeID?.rawValue,
                "direction": trip.direction.map { Int($0.rawValue) }, "date": trip.startDate.map { "\($0)" },
                "start": trip.startTime.map { "\($0)" },
                "relationship": trip.relationship == .scheduled ? nil : "\(trip.relationship)",
            ])
        }
    }

    private func update(_ update: TripUpdate) -> Object {
        compact([
            "id": update.id.rawValue, "trip": trip(update.trip), "vehicle": update.vehicle?.id?.rawValue,
            "measured": time(update.timestamp), "delay": update.delay.map { Int($0) },
            "headsign": update.properties?.headsign, "basis": update.basis == .predicted ? nil : "\(update.basis)",
            "calls": update.updates.map { call in
                compact([
                    "stop": call.stopID?.rawValue, "sequence": call.sequence.map { Int($0) },
                    "arrival": event(call.arrival), "departure": event(call.departure),
                    "relationship": call.relationship == .scheduled ? nil : "\(call.relationship)",
                ])
            },
        ])
    }

    private func event(_ event: StopTimeEvent?) -> Object? {
        event.map { event in
            compact([
                "time": time(event.time), "scheduled": time(event.scheduledTime), "delay": event.delay.map { Int($0) },
                "uncertainty": event.uncertainty.map { Int($0) },
            ])
        }
    }

    private func position(_ position: VehiclePosition) -> Object {
        compact([
            "id": position.id.rawValue, "trip": trip(position.trip), "vehicle": position.vehicle?.id?.rawValue,
            "latitude": position.coordinate?.latitude, "longitude": position.coordinate?.longitude,
            "bearing": position.bearing.map { Double($0) }, "speed": position.speed.map { Double($0) },
            "stop": position.stopID?.rawValue, "measured": time(position.timestamp),
        ])
    }

    // MARK: Alerts

    private func alert(_ alert: Alert) -> Object {
        compact([
            "id": alert.id.rawValue, "cause": "\(alert.cause)", "effect": "\(alert.effect)",
            "severity": "\(alert.severity)", "url": texts(alert.url), "header": texts(alert.header),
            "description": texts(alert.description),
            "periods": alert.activePeriods.map { compact(["start": time($0.start), "end": time($0.end)]) },
            "informed": alert.informed.map { informed in
                compact([
                    "agency": informed.agencyID?.rawValue, "route": informed.routeID?.rawValue,
                    "stop": informed.stopID?.rawValue, "trip": trip(informed.trip),
                    "route_type": informed.routeType.map { Int($0) },
                    "direction": informed.direction.map { Int($0.rawValue) },
                ])
            },
        ])
    }

    private func texts(_ text: TranslatedText?) -> [Object]? {
        text?.translations.map { compact(["text": $0.text, "language": $0.language]) }
    }
}
