import Testing
internal import TransitModel

/// Zones from generated TZif bytes (RFC 8536 section 3).
struct TimeZoneFileTests {
    /// The content of one data block of a file.
    struct Block {
        var transitions: [(time: Int64, type: UInt8)] = []
        var offsets: [Int32] = [0]
        var leaps = 0

        func bytes(version: UInt8, timeSize: Int) -> [UInt8] {
            var bytes = Array("TZif".utf8) + [version] + [UInt8](repeating: 0, count: 15)
            for count in [0, 0, leaps, transitions.count, offsets.count, 4] { bytes += big(Int64(count), 4) }
            for transition in transitions { bytes += big(transition.time, timeSize) }
            bytes += transitions.map(\.type)
            for offset in offsets { bytes += big(Int64(offset), 4) + [0, 0] }
            return bytes + Array("ABC\0".utf8) + [UInt8](repeating: 0, count: leaps * (timeSize + 4))
        }

        private func big(_ value: Int64, _ size: Int) -> [UInt8] {
            (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> Int64($0 * 8)) }
        }
    }

    static let block = Block(transitions: [(-1000, 1), (2000, 0), (3_000_000_000, 1)], offsets: [3600, 7200])

    func file(_ block: Block, footer: String = "", version: String = "2") -> [UInt8] {
        let mark = Array(version.utf8)[0]
        return Block().bytes(version: mark, timeSize: 4) + block.bytes(version: mark, timeSize: 8)
            + Array("\n\(footer)\n".utf8)
    }

    func offsets(_ zone: ServiceZone, _ times: Int64...) -> [Int] {
        times.map { zone.offset(at: Instant(secondsSince1970: $0)) }
    }

    @Test("Version 2 and later: the second block is used, with times beyond 2038", arguments: ["2", "3", "4"])
    func laterVersionsUseSecondBlock(version: String) throws {
        let zone = try ServiceZone(name: "X/Y", tzif: file(Self.block, version: version))
        #expect(zone.name == "X/Y")
        #expect(
            offsets(zone, .min, -1001, -1000, 1999, 2000, 2_999_999_999, 3_000_000_000, .max) == [
                3600, 3600, 7200, 7200, 3600, 3600, 7200, 7200,
            ])
    }

    @Test("Version 1 has one block of 32-bit times and no footer")
    func versionOneHasOneBlock() throws {
        let block = Block(transitions: [(-1000, 1), (2000, 0)], offsets: [3600, -7200])
        let zone = try ServiceZone(name: "X", tzif: block.bytes(version: 0, timeSize: 4))
        #expect(offsets(zone, -1001, -1000, 2000, 9_000_000_000) == [3600, -7200, 3600, 3600])
    }

    @Test("The footer's rule applies after the last transition, the list before it")
    func footerRuleAppliesAfterLastTransition() throws {
        let zone = try ServiceZone(name: "X", tzif: file(Self.block, footer: "ABC-5"))
        #expect(offsets(zone, 2000, 2_999_999_999, 3_000_000_000) == [3600, 3600, 18_000])
        let without = try ServiceZone(name: "X", tzif: file(Block(), footer: "ABC-5"))
        #expect(offsets(without, .min, 0, .max) == [18_000, 18_000, 18_000])
    }

    @Test("A file truncated anywhere is rejected")
    func truncatedFileIsRejected() {
        let whole = file(Self.block, footer: "ABC-5")
        for count in 0..<whole.count {
            let error = #expect(throws: TimeZoneFileError.self) {
                try ServiceZone(name: "X", tzif: Array(whole.prefix(count)))
            }
            #expect(error == .truncated || error == .notTZif, "\(count) bytes: \(String(describing: error))")
        }
    }

    @Test("Format violations are reported")
    func formatViolationsAreReported() {
        func reason(_ bytes: [UInt8]) -> String {
            do {
                _ = try ServiceZone(name: "X", tzif: bytes)
                return "none"
            } catch { return error.description }
        }
        #expect(reason(Array("<html>".utf8)) == "not a TZif time zone file")
        #expect(reason(file(Block(leaps: 1))).contains("leap seconds"))
        #expect(reason(file(Block(offsets: []))).contains("no local time type"))
        #expect(reason(file(Block(transitions: [(5, 1)]))).contains("transition 0 has an unknown type"))
        #expect(reason(file(Block(transitions: [(5, 0), (5, 0)]))).contains("transition 1 is not later"))
        #expect(reason(file(Block(offsets: [86_400]))).contains("24 hours or more"))
        #expect(reason(file(Block(), footer: "AB")).contains("\"AB\" is not a POSIX TZ rule"))
        #expect(reason(file(Block(), version: "0")).contains("version"))
        var huge = file(Self.block)
        for position in 20..<44 { huge[position] = 0xFF }
        #expect(reason(huge) == "the time zone file is truncated")
    }

    static let rules = [
        // A rule, a time, and the expected offset.
        ("EST5EDT,M3.2.0,M11.1.0", "2026-03-08T06:59:59Z", -18_000),
        ("EST5EDT,M3.2.0,M11.1.0", "2026-03-08T07:00:00Z", -14_400),
        ("EST5EDT,M3.2.0,M11.1.0", "2026-11-01T05:59:59Z", -14_400),
        ("EST5EDT,M3.2.0,M11.1.0", "2026-11-01T06:00:00Z", -18_000),
        ("NZST-12NZDT,M9.5.0,M4.1.0/3", "2026-01-01T00:00:00Z", 46_800),
        ("NZST-12NZDT,M9.5.0,M4.1.0/3", "2026-04-04T13:59:59Z", 46_800),
        ("NZST-12NZDT,M9.5.0,M4.1.0/3", "2026-04-04T14:00:00Z", 43_200),
        ("NZST-12NZDT,M9.5.0,M4.1.0/3", "2026-09-26T14:00:00Z", 46_800),
        // Negative daylight saving time, as in Ireland.
        ("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-01-01T00:00:00Z", 0),
        ("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-07-01T00:00:00Z", 3600),
        // A daylight saving shift of half an hour.
        ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2026-01-01T00:00:00Z", 39_600),
        ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2026-07-01T00:00:00Z", 37_800),
        // A change on the previous day: M3.5.0/-1 is Saturday, 23:00.
        ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29T00:59:59Z", -7200),
        ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29T01:00:00Z", -3600),
        // Hours beyond 24: 02:00 on the day after the fourth Thursday.
        ("IST-2IDT,M3.4.4/26,M10.5.0", "2026-03-26T23:59:59Z", 7200),
        ("IST-2IDT,M3.4.4/26,M10.5.0", "2026-03-27T00:00:00Z", 10_800),
        // Julian days: J60 is March 1 in every year; 59 includes February 29.
        ("AAA0BBB,J60/0,J300/0", "2024-02-29T23:59:59Z", 0),
        ("AAA0BBB,J60/0,J300/0", "2024-03-01T00:00:00Z", 3600),
        ("AAA0BBB,J60/0,J300/0", "2023-03-01T00:00:00Z", 3600),
        ("AAA0BBB,59/0,300/0", "2024-02-29T00:00:00Z", 3600),
        ("AAA0BBB,59/0,300/0", "2023-02-28T23:59:59Z", 0),
        // Permanent daylight saving time (RFC 8536 section 3.3.1).
        ("XXX3EDT4,0/0,J365/23", "2026-12-31T23:59:59Z", -14_400),
        ("XXX3EDT4,0/0,J365/23", "2027-01-01T03:00:00Z", -14_400),
        ("XXX3EDT4,0/0,J365/23", "2026-07-01T03:00:00Z", -14_400),
        ("<+0545>-5:45", "2026-07-01T03:00:00Z", 20_700),
        ("LMT-0:53:28", "2026-07-01T03:00:00Z", 3208),
    ]

    @Test("POSIX rules give the offset", arguments: rules)
    func posixRuleGivesOffset(text: String, moment: String, offset: Int) throws {
        let zone = try ServiceZone(name: "X", tzif: file(Block(), footer: text, version: "3"))
        #expect(zone.offset(at: try #require(Instant(rfc3339: moment))) == offset)
    }

    @Test(
        "Invalid POSIX rules are rejected",
        arguments: [
            "A", "AB5", "ABC", "ABC25", "ABC5:60", "ABC5EDT", "ABC5EDT,M3.2.0", "ABC5EDT,M13.2.0,M11.1.0",
            "ABC5EDT,M3.0.0,M11.1.0", "ABC5EDT,M3.2.7,M11.1.0", "ABC5EDT,J0,J365", "ABC5EDT,J1,J366", "ABC5EDT,1,366",
            "ABC5EDT,M3.2.0,M11.1.0x", "ABC5EDT,M3.2.0/168,M11.1.0", "<ABC5", "ABC5EDT,,",
        ])
    func invalidRuleIsRejected(text: String) {
        #expect(throws: TimeZoneFileError.malformed("its footer \"\(text)\" is not a POSIX TZ rule")) {
            try ServiceZone(name: "X", tzif: file(Block(), footer: text))
        }
    }
}
