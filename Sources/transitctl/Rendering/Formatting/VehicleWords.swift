internal import TransitControl

extension DepartureVehicle {
    /// Phrases such as "2 stops away" and "many seats"; empty when nothing is known.
    var words: [String] {
        var words: [String] = []
        if let stopsAway, stopsAway > 0 {
            words.append(CountText.of(stopsAway, "stop") + " away")
        } else if let status, stopsAway == 0 {
            words.append(status.words)
        }
        if let occupancy { words.append(occupancy.words) }
        return words.filter { !$0.isEmpty }
    }
}

extension VehicleStatus {
    /// The status relative to the requested stop.
    var words: String {
        switch self {
        case .atStop: "at the stop"
        case .approaching: "arriving"
        case .inTransit: "next stop"
        case .other: ""
        }
    }
}

extension OccupancyLevel {
    /// The occupancy as a phrase, such as "many seats".
    var words: String {
        switch self {
        case .empty: "empty"
        case .manySeats: "many seats"
        case .fewSeats: "few seats"
        case .standingRoom: "standing room"
        case .crushed: "crowded"
        case .full: "full"
        case .notAccepting: "not accepting passengers"
        case .notBoardable: "not boardable"
        case .other: ""
        }
    }
}
