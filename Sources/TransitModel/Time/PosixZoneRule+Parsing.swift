extension PosixZoneRule {
    /// Parses `std offset [dst [offset] [,start[/time],end[/time]]]`. Returns `nil` if the text is invalid.
    ///
    /// POSIX allows a rule with daylight time but without change dates. The system then chooses the dates. Such rules
    /// are rejected because RFC 8536 files always state the dates.
    init?(parsing text: some Sequence<UInt8>) {
        var scanner = Scanner(text: Array(text))
        guard scanner.skipName(), let west = scanner.time(maximumHours: 24) else { return nil }
        self.init(standardOffset: -west, daylight: nil)
        if scanner.isAtEnd { return }
        guard scanner.skipName() else { return nil }
        var offset = standardOffset + 3600
        if scanner.peek != 0x2C {
            guard let west = scanner.time(maximumHours: 24) else { return nil }
            offset = -west
        }
        guard scanner.skip(0x2C), let start = scanner.change(), scanner.skip(0x2C), let end = scanner.change(),
            scanner.isAtEnd
        else { return nil }
        daylight = Daylight(offset: offset, start: start, end: end)
    }

    private struct Scanner {
        let text: [UInt8]
        var position = 0

        init(text: [UInt8]) { self.text = text }

        var isAtEnd: Bool { position == text.count }
        var peek: UInt8? { position < text.count ? text[position] : nil }

        mutating func skip(_ byte: UInt8) -> Bool {
            guard peek == byte else { return false }
            position += 1
            return true
        }

        /// Skips an abbreviation of at least three characters: letters, or any characters between `<` and `>`.
        mutating func skipName() -> Bool {
            let quoted = skip(0x3C)
            let start = position
            while let byte = peek, quoted ? byte != 0x3E : (0x41...0x5A).contains(byte & 0xDF) { position += 1 }
            guard position - start >= 3 else { return false }
            return !quoted || skip(0x3E)
        }

        mutating func number() -> Int? {
            let start = position
            var value = 0
            while let byte = peek, (0x30...0x39).contains(byte), position - start < 4 {
                value = value * 10 + Int(byte - 0x30)
                position += 1
            }
            return position > start ? value : nil
        }

        /// Parses `[+-]h[h[h]][:mm[:ss]]` and returns seconds.
        mutating func time(maximumHours: Int) -> Int32? {
            let negative = skip(0x2D)
            if !negative { _ = skip(0x2B) }
            guard let hours = number(), hours <= maximumHours else { return nil }
            var seconds = hours * 3600
            for unit in [60, 1] where peek == 0x3A {
                position += 1
                guard let value = number(), value <= 59 else { return nil }
                seconds += value * unit
            }
            return Int32(negative ? -seconds : seconds)
        }

        mutating func change() -> Change? {
            guard let day = day() else { return nil }
            guard skip(0x2F) else { return Change(day: day, time: 7200) }
            guard let time = time(maximumHours: 167) else { return nil }
            return Change(day: day, time: time)
        }

        private mutating func day() -> Change.Day? {
            if skip(0x4A) {
                guard let day = number(), (1...365).contains(day) else { return nil }
                return .julian(day)
            }
            guard skip(0x4D) else {
                guard let day = number(), day <= 365 else { return nil }
                return .zeroBased(day)
            }
            guard let month = number(), (1...12).contains(month), skip(0x2E),
                let week = number(), (1...5).contains(week), skip(0x2E),
                let weekday = number(), weekday <= 6
            else { return nil }
            return .weekday(month: month, week: week, weekday: weekday)
        }
    }
}
