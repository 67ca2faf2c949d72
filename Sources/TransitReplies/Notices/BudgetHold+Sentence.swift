package import TransitModel

extension BudgetHold {
    /// What a request waits for, with the numbers, as one or two sentences.
    package var sentence: String {
        switch cause {
        case .exhausted: "All \(Self.count(limit.fetches, "request")) of the key in \(window) have been sent."
        case .reserved:
            "\(used) of \(Self.count(limit.fetches, "request")) of the key in \(window) have been sent. "
                + "The rest is reserved for more important requests."
        case .spread:
            "The requests of the key are spread over \(window): \(used) of \(limit.fetches) have been sent, \(rate)."
                + (last.map { " The last one was for \($0.feed) \(Self.words($0.kind))." } ?? "")
        }
    }

    /// What a request waits for, as a part of a sentence.
    package var clause: String {
        let (requests, used) = (Self.count(limit.fetches, "request"), "\(used) of \(limit.fetches)")
        return switch cause {
        case .exhausted: "all \(requests) of the key in \(window) have been sent"
        case .reserved: "\(used) requests of the key in \(window) have been sent, and the rest is reserved"
        case .spread: "the requests of the key are spread over \(window), and \(used) have been sent"
        }
    }

    private var rate: String {
        guard let spacing else { return "and background requests may use at most \(allowed)" }
        return spacing < 120
            ? "one every \(spacing) s" : "one every \((spacing + 30) / 60) min"
    }

    private var window: String {
        switch limit.window {
        case .calendarDay: return "a day"
        case .rolling(let seconds):
            if seconds % 86_400 == 0 { return seconds == 86_400 ? "24 hours" : "\(seconds / 86_400) days" }
            if seconds % 3600 == 0 { return Self.count(seconds / 3600, "hour") }
            return seconds % 60 == 0 ? Self.count(seconds / 60, "minute") : Self.count(seconds, "second")
        }
    }

    private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    private static func words(_ kind: DatasetKind) -> String {
        kind.rawValue.split(separator: "_").joined(separator: " ")
    }
}
