internal import TransitControl
internal import TransitModel
internal import TransitWire

/// The values of a template's fields.
struct BarValues {
    private let departure: Departure
    private let json: JSONValue
    private let content: BarContent
    private let state: BarState
    private let now: BarTime

    init(departure: Departure, content: BarContent, state: BarState, now: BarTime) {
        (self.departure, self.content, self.state, self.now) = (departure, content, state, now)
        // The daemon sent it as JSON.
        json = (try? JSONValue(parsing: departure.encoded)) ?? .null
    }

    /// Returns the text of a field; empty for null.
    ///
    /// - Parameter clock: Set to the daemon's time. Collects when the text changes.
    func text(_ field: BarField, _ modifier: BarTemplate.Modifier?, _ clock: inout BarClock) -> String {
        switch field.kind {
        case .text:
            let text = plain(field)
            switch modifier {
            case .maximum(let columns): return DisplayWidth.cut(text, to: columns)
            case .json: return String(decoding: text.encoded.dropFirst().dropLast(), as: UTF8.self)
            default: return text
            }
        case .number, .group: return plain(field)
        case .time: return time(field, modifier, &clock)
        case .seconds: return seconds(field, modifier, &clock)
        }
    }

    private func value(_ path: String) -> JSONValue? {
        path.split(separator: ".").reduce(Optional(json)) { value, name in value?[String(name)] }
    }

    private func plain(_ field: BarField) -> String {
        switch field {
        case .note: return content.note
        case .classes: return content.classes.map(\.rawValue).joined(separator: " ")
        default: break
        }
        switch value(field.path) {
        case nil, .null: return ""
        case .bool(let flag): return String(flag)
        case .int(let number): return String(number)
        case .double(let number): return String(number)
        case .string(let text): return text
        case .array(let elements): return String(elements.count)
        case .object: return name(field.path)
        }
    }

    /// The name of a route or stop.
    private func name(_ path: String) -> String {
        path == "route" ? departure.route.displayName : value(path + ".name")?.text ?? ""
    }

    private func time(_ field: BarField, _ modifier: BarTemplate.Modifier?, _ clock: inout BarClock) -> String {
        guard let text = value(field.path)?.text, let time = Timestamp(rfc3339: text) else { return "" }
        switch modifier {
        case .clock: return time.clock
        case .minutes: return String(clock.minutes(until: time.instant.secondsSince1970 * 1000))
        case .duration:
            return BarDuration.words(minutes: clock.minutes(until: time.instant.secondsSince1970 * 1000))
        default: return text
        }
    }

    private func seconds(_ field: BarField, _ modifier: BarTemplate.Modifier?, _ clock: inout BarClock) -> String {
        // A duration that passes, as the time at which it is zero.
        var zero: Int64?
        if field == .leaveIn {
            zero = state.leaveIn(departure, now).map { clock.now + $0 }
        } else if field.path == "age" || field.path.hasSuffix(".age"), case .int(let age)? = value(field.path) {
            zero = clock.now - Int64(age) * 1000 - state.elapsed(now)
        }
        let isAge = field != .leaveIn
        var minutes: Int
        if let zero {
            if modifier == nil { return String(isAge ? -clock.seconds(until: zero) : clock.seconds(until: zero)) }
            minutes = isAge ? -clock.minutes(until: zero) : clock.minutes(until: zero)
        } else {
            guard case .int(let seconds)? = value(field.path) else { return "" }
            if modifier == nil { return String(seconds) }
            minutes = Int(seconds) / 60
        }
        switch modifier {
        case .duration: return BarDuration.words(minutes: minutes)
        case .signed: return minutes == 0 ? "" : minutes > 0 ? "+\(minutes)" : "\(minutes)"
        default: return String(minutes)
        }
    }
}
