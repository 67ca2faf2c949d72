internal import Glibc
internal import TransitClient
internal import TransitWire

/// The entries of an iCalendar file (RFC 5545): when they take place, for the daemon, and their titles, which are private
/// and stay here.
struct CalendarFile {
    /// Why a file cannot be used, as a sentence.
    struct Failure: Error, Equatable {
        var message: String
    }

    /// An entry of the file.
    struct Entry {
        /// The title, or the place of the entry in the file.
        var title: String
        /// Identifies the entry and its changes.
        fileprivate var group: String
        /// The properties that the daemon needs.
        fileprivate var properties: [ICalendarProperty]
        /// Why the entry is not sent to the daemon.
        var problem: String?
    }

    /// A part of the file that fits into a request.
    struct Part: Equatable {
        /// The text for the daemon.
        var text: String
        /// The positions of its entries in ``CalendarFile/entries``.
        var entries: [Int]
    }

    private(set) var entries: [Entry] = []
    private var zones: [String: ICalendarComponent] = [:]

    /// The maximum size of a file in bytes, and of its entries.
    static let maximumSize = 16 << 20
    static let maximumEntries = 10_000
    /// The limits of a request.
    private static let maximumText = 60_000
    private static let maximumPartEntries = 2000
    /// The maximum number of bytes of a definition of a time zone.
    private static let maximumZone = 16_000

    /// The properties of entries that are sent. They contain no text that a person wrote, except ``UID``, which is replaced.
    private static let sent: Set<String> = [
        "DTSTART", "DTEND", "DURATION", "RRULE", "EXRULE", "RDATE", "EXDATE", "RECURRENCE-ID", "TRANSP", "STATUS",
    ]
    private static let zoneProperties: Set<String> = ["TZID", "DTSTART", "RRULE", "TZOFFSETFROM", "TZOFFSETTO"]

    // MARK: Reading

    static func read(_ path: String) throws(Failure) -> CalendarFile {
        if let bytes = SmallFile.read(path, limit: maximumSize) { return try CalendarFile(bytes) }
        guard errno == EFBIG else { throw Failure(message: "\(path): \(ErrnoText.text(errno))") }
        throw Failure(message: "\(path) is larger than 16 MiB. Export only the events that are days off.")
    }

    init(_ bytes: [UInt8]) throws(Failure) {
        let calendars: [ICalendarComponent]
        do throws(ICalendarError) {
            calendars = try ICalendarReader.calendars(
                in: bytes, properties: Self.sent.union(Self.zoneProperties).union(["UID", "SUMMARY"]))
        } catch {
            throw Failure(message: error.description)
        }
        for component in calendars.flatMap(\.components) {
            switch component.name {
            case "VTIMEZONE":
                if let name = component.property("TZID")?.value, zones[name] == nil { zones[name] = component }
            case "VEVENT":
                guard entries.count < Self.maximumEntries else {
                    throw Failure(
                        message:
                            "The file has more than \(Self.maximumEntries) events. Export only those that are days off."
                    )
                }
                entries.append(Self.entry(component, number: entries.count))
            default: break
            }
        }
    }

    private static func entry(_ component: ICalendarComponent, number: Int) -> Entry {
        let title = component.property("SUMMARY").map { ICalendarText.plain($0.value) } ?? ""
        return Entry(
            title: title.isEmpty ? "Event in line \(component.line)" : title,
            // Entries without an identifier are alone.
            group: component.property("UID").map { "uid \($0.value)" } ?? "number \(number)",
            properties: component.properties.filter { sent.contains($0.name) },
            problem: component.malformedLine.map { "Line \($0) is not a property: it has no colon after the name." })
    }

    // MARK: Sending

    /// Returns the entries as texts for the daemon. An entry and its changes are in the same part.
    ///
    /// Entries that do not fit get a problem.
    mutating func parts() -> [Part] {
        var order: [String] = []
        var groups: [String: [Int]] = [:]
        for (position, entry) in entries.enumerated() where entry.problem == nil {
            if groups[entry.group] == nil { order.append(entry.group) }
            groups[entry.group, default: []].append(position)
        }
        var parts: [Part] = []
        var (body, positions, used) = ("", [Int](), Set<String>())
        var zoneText = ""
        func finish() {
            guard !positions.isEmpty else { return }
            parts.append(Part(text: "BEGIN:VCALENDAR\n\(zoneText)\(body)END:VCALENDAR\n", entries: positions))
            (body, positions, used, zoneText) = ("", [], [], "")
        }
        for (number, group) in order.enumerated() {
            let members = groups[group] ?? []
            let text = members.map { event(entries[$0], uid: number) }.joined()
            let names = Set(members.flatMap { entries[$0].properties.compactMap { $0.parameters["TZID"] } })
            func zones(besides known: Set<String>) -> String {
                names.subtracting(known).sorted().compactMap { self.zones[$0] }.map(Self.zone).joined()
            }
            let isAlone = text.utf8.count + zones(besides: []).utf8.count + 64
            guard isAlone <= Self.maximumText, members.count <= Self.maximumPartEntries else {
                for position in members { entries[position].problem = "It has too many dates or changes to be read." }
                continue
            }
            let size = body.utf8.count + zoneText.utf8.count + text.utf8.count + zones(besides: used).utf8.count + 64
            if size > Self.maximumText || positions.count + members.count > Self.maximumPartEntries { finish() }
            zoneText += zones(besides: used)
            used.formUnion(names)
            body += text
            positions += members
        }
        finish()
        return parts
    }

    private func event(_ entry: Entry, uid: Int) -> String {
        "BEGIN:VEVENT\nUID:\(uid)\n" + entry.properties.map(Self.line).joined() + "END:VEVENT\n"
    }

    private static func zone(_ component: ICalendarComponent) -> String {
        func text(_ component: ICalendarComponent) -> String {
            "BEGIN:\(component.name)\n"
                + component.properties.filter { zoneProperties.contains($0.name) }.map(line).joined()
                + component.components.filter { ["STANDARD", "DAYLIGHT"].contains($0.name) }.map(text).joined()
                + "END:\(component.name)\n"
        }
        let text = text(component)
        return text.utf8.count <= maximumZone ? text : ""
    }

    /// Returns a property with the parameters that determine its meaning. Others can contain text.
    private static func line(_ property: ICalendarProperty) -> String {
        let parameters = ["TZID", "VALUE", "RANGE"].compactMap { name in
            property.parameters[name].map { ";\(name)=\"\($0)\"" }
        }
        return property.name + parameters.joined() + ":" + property.value + "\n"
    }
}

/// Text values of iCalendar files.
enum ICalendarText {
    /// Returns a text without its escapes (RFC 5545 section 3.3.11), as one line.
    static func plain(_ text: String) -> String {
        var plain = ""
        var isEscaped = false
        for character in text {
            if isEscaped {
                plain.append(character == "n" || character == "N" ? " " : character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                plain.append(character)
            }
        }
        return plain.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
