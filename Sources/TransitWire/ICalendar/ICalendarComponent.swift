/// A component of an iCalendar file, such as an event (RFC 5545 section 3.6), with its properties and the components in it.
public struct ICalendarComponent: Sendable {
    /// The name in capital letters, such as "VEVENT".
    public var name: String
    /// The line of its `BEGIN`, counted from 1.
    public var line: Int
    /// The properties whose names were requested, in the order of the file.
    public var properties: [ICalendarProperty] = []
    /// The components in this one, in the order of the file.
    public var components: [ICalendarComponent] = []
    /// The line of text that is not a property and follows a requested property, of which it may be a part.
    public var malformedLine: Int?

    /// Returns the first property with a name in capital letters.
    public func property(_ name: String) -> ICalendarProperty? { properties.first { $0.name == name } }
}

/// A property of a component (RFC 5545 section 3.1).
public struct ICalendarProperty: Sendable, Hashable {
    /// The name in capital letters, such as "DTSTART".
    public var name: String
    /// The parameters, such as "TZID", by their names in capital letters.
    public var parameters: [String: String] = [:]
    /// The value as it is in the file. Text is not unescaped.
    public var value: String
    /// The first line of the property, counted from 1.
    public var line = 0
}

/// A text that is not a complete iCalendar file.
public struct ICalendarError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, with its line and the remedy, as sentences.
    public var description: String

    public init(_ description: String) { self.description = description }
}

/// Reads the components of an iCalendar file (RFC 5545 section 3.4).
///
/// Lines are unfolded before anything else is read (section 3.1). They may end with CRLF, LF or CR. Time and memory are
/// proportional to the size of the text.
public struct ICalendarReader {
    /// The maximum depth of components in components.
    private static let maximumDepth = 16
    /// The maximum number of parameters of a property; more are ignored.
    private static let maximumParameters = 64

    private let properties: Set<String>
    private var open: [ICalendarComponent] = []
    private var calendars: [ICalendarComponent] = []
    /// Whether the last line belongs to a requested property.
    private var isAfterRequestedProperty = false

    private init(properties: Set<String>) { self.properties = properties }

    /// Returns the calendars of a file, of which there is usually one.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - properties: The names, in capital letters, of the properties to read. Others are skipped.
    public static func calendars(
        in bytes: [UInt8], properties: Set<String>
    ) throws(ICalendarError) -> [ICalendarComponent] {
        var reader = ICalendarReader(properties: properties)
        try reader.read(bytes)
        return reader.calendars
    }

    private mutating func read(_ bytes: [UInt8]) throws(ICalendarError) {
        var position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        var number = 0
        var line: [UInt8] = []
        while position < bytes.count {
            let first = number + 1
            line.removeAll(keepingCapacity: true)
            repeat {
                number += 1
                let end = bytes[position...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
                line += bytes[position..<end]
                position = end + (bytes[end...].starts(with: [0x0D, 0x0A]) ? 2 : 1)
                guard position < bytes.count, bytes[position] == 0x20 || bytes[position] == 0x09 else { break }
                position += 1
            } while position < bytes.count
            if line.contains(where: { $0 != 0x20 && $0 != 0x09 }) { try read(line, number: first) }
        }
        if let component = open.last {
            throw ICalendarError(
                "Line \(component.line): BEGIN:\(component.name) has no END:\(component.name). The file is incomplete.")
        }
        guard !calendars.isEmpty else { throw Self.noCalendar }
    }

    private static let noCalendar = ICalendarError(
        "The file is not an iCalendar file: its first line is not BEGIN:VCALENDAR. Export the calendar as .ics.")

    private mutating func read(_ line: [UInt8], number: Int) throws(ICalendarError) {
        let name = Self.name(line)
        guard let name, let separator = line.dropFirst(name.utf8.count).first, separator == 0x3A || separator == 0x3B
        else {
            guard !open.isEmpty else { throw calendars.isEmpty ? Self.noCalendar : Self.outside(number) }
            if isAfterRequestedProperty, open[open.count - 1].malformedLine == nil {
                open[open.count - 1].malformedLine = number
            }
            return
        }
        isAfterRequestedProperty = false
        switch name {
        case "BEGIN": try begin(Self.value(line, name), number)
        case "END": try end(Self.value(line, name), number)
        default:
            guard !open.isEmpty else { throw calendars.isEmpty ? Self.noCalendar : Self.outside(number) }
            guard properties.contains(name) else { return }
            isAfterRequestedProperty = true
            if let property = Self.property(line, name, number) {
                open[open.count - 1].properties.append(property)
            } else {
                open[open.count - 1].malformedLine = open[open.count - 1].malformedLine ?? number
            }
        }
    }

    private static func outside(_ line: Int) -> ICalendarError {
        ICalendarError("Line \(line): a property after END:VCALENDAR.")
    }

    private mutating func begin(_ name: String, _ line: Int) throws(ICalendarError) {
        guard !open.isEmpty || name == "VCALENDAR" else {
            throw calendars.isEmpty ? Self.noCalendar : Self.outside(line)
        }
        guard open.count < Self.maximumDepth else {
            throw ICalendarError("Line \(line): more than \(Self.maximumDepth) components in each other.")
        }
        guard name != "VEVENT" || open.last?.name == "VCALENDAR" else {
            throw ICalendarError("Line \(line): an event inside another component.")
        }
        open.append(ICalendarComponent(name: name, line: line))
    }

    private mutating func end(_ name: String, _ line: Int) throws(ICalendarError) {
        guard let component = open.last, component.name == name else {
            guard !open.isEmpty || !calendars.isEmpty else { throw Self.noCalendar }
            throw ICalendarError("Line \(line): END:\(name.prefix(40)) without BEGIN:\(name.prefix(40)).")
        }
        open.removeLast()
        if open.isEmpty {
            calendars.append(component)
        } else {
            open[open.count - 1].components.append(component)
        }
    }

    /// Returns the letters, digits and hyphens at the beginning of a line, in capital letters; `nil` if there are none.
    private static func name(_ line: [UInt8]) -> String? {
        let bytes = line.prefix(64).prefix {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D
        }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self).uppercased()
    }

    /// Returns the value of `BEGIN` and `END`, in capital letters.
    private static func value(_ line: [UInt8], _ name: String) -> String {
        let text = String(decoding: line.dropFirst(name.utf8.count + 1).prefix(64), as: UTF8.self)
        return text.split(separator: " ").joined(separator: " ").uppercased()
    }

    /// Returns `nil` if the line has no colon after the parameters. A parameter in quotation marks can contain colons.
    private static func property(_ line: [UInt8], _ name: String, _ number: Int) -> ICalendarProperty? {
        var parameters: [String: String] = [:]
        var position = name.utf8.count
        while position < line.count, line[position] == 0x3B {
            let start = position + 1
            var isQuoted = false
            position = start
            while position < line.count, isQuoted || (line[position] != 0x3A && line[position] != 0x3B) {
                if line[position] == 0x22 { isQuoted.toggle() }
                position += 1
            }
            guard parameters.count < maximumParameters,
                let equals = line[start..<position].firstIndex(of: 0x3D)
            else { continue }
            let key = String(decoding: line[start..<equals], as: UTF8.self).uppercased()
            let value = line[(equals + 1)..<position].filter { $0 != 0x22 }
            if parameters[key] == nil { parameters[key] = String(decoding: value, as: UTF8.self) }
        }
        guard position < line.count else { return nil }
        let value = String(decoding: line[(position + 1)...], as: UTF8.self)
        return ICalendarProperty(name: name, parameters: parameters, value: value, line: number)
    }
}
