import Foundation
import Testing
import TransitTestSupport

@testable import TransitDaemon

/// Tests of ``ConfigurationEditor``.
@Suite struct ConfigurationEditorTests {
    private static let file = """
        # My feeds. Do not touch [[feed]] by hand.
        [daemon]
        log_level = "info"   # quiet

        # The train
        [[feed]]
        id = "train" # an id
          provider = "gtfs"
        static = "https://a.example/a.zip"
        # a comment inside
        key_hosts = [
            "a.example", # one
            "b.example",
        ]

        [feed.refresh]
        vehicles = "30s"

        # The bus
        [[feed]]
        id = 'bus'
        provider = "gtfs"
        static = \"""
        https://b.example/[[feed]].zip\"""
        refresh.vehicles = "60s"

        [place.home]
        stop = "train:a"

        """

    private func edited(_ change: TableChange) throws -> String { try edited(Self.file, change) }

    private func edited(_ text: String, _ change: TableChange) throws -> String {
        try ConfigurationEditor.text(text, applying: change)
    }

    private func edit(_ feed: String, _ settings: [(String, TableChange.Literal?)]) -> TableChange {
        TableChange(
            action: .edit, table: .feed(feed),
            settings: settings.map { .init(key: $0.0.split(separator: ".").map(String.init), value: $0.1) })
    }

    @Test func valueIsReplacedInItsPlace() throws {
        let new = try edited(edit("train", [("static", .text("https://c.example/\"c\".zip")), ("key_hosts", nil)]))
        let expected = Self.file
            .replacingOccurrences(of: "https://a.example/a.zip", with: "https://c.example/\\\"c\\\".zip")
            .replacingOccurrences(
                of: "key_hosts = [\n    \"a.example\", # one\n    \"b.example\",\n]\n", with: "")
        #expect(new == expected)
    }

    @Test func newKeyFollowsTheLastOne() throws {
        let new = try edited(
            edit(
                "train",
                [("refresh_hours", .integer(12)), ("refresh.alerts", .text("5m")), ("key_hosts", .list(["c"]))]))
        #expect(
            new.contains(
                "key_hosts = [\"c\"]\nrefresh_hours = 12\n\n[feed.refresh]\nvehicles = \"30s\"\nalerts = \"5m\"\n"))
        let dotted = try edited(edit("bus", [("refresh.alerts", .text("5m")), ("limits.ratio", .integer(9))]))
        #expect(
            dotted.contains("refresh.vehicles = \"60s\"\nrefresh.alerts = \"5m\"\nlimits.ratio = 9\n\n[place.home]"))
    }

    @Test func multilineStringIsReplacedAsAWhole() throws {
        let new = try edited(edit("bus", [("static", .text("x"))]))
        #expect(new.contains("provider = \"gtfs\"\nstatic = \"x\"\nrefresh.vehicles = \"60s\"\n"))
        #expect(new.hasPrefix(Self.file.prefix(200)))
    }

    @Test func feedIsRemovedWithItsSubtables() throws {
        let new = try edited(TableChange(action: .remove, table: .feed("train")))
        #expect(
            new.hasPrefix(
                "# My feeds. Do not touch [[feed]] by hand.\n[daemon]\nlog_level = \"info\"   # quiet\n\n# The train\n"
                    + "# The bus\n[[feed]]\nid = 'bus'"))
        let other = try edited(TableChange(action: .remove, table: .feed("bus")))
        #expect(other.hasSuffix("vehicles = \"30s\"\n\n# The bus\n[place.home]\nstop = \"train:a\"\n"))
    }

    @Test func tableIsAddedAtTheEnd() throws {
        let change = TableChange(
            action: .add, table: .feed("ferry"), settings: [.init(key: ["provider"], value: .text("gtfs"))])
        let table = "[[feed]]\nid = \"ferry\"\nprovider = \"gtfs\"\n"
        #expect(try edited(change) == Self.file + "\n" + table)
        #expect(try edited("", change) == table)
        #expect(try edited("# no line end", change) == "# no line end\n\n" + table)
        #expect(try edited("# a\r\n", change) == "# a\r\n\r\n" + table.replacingOccurrences(of: "\n", with: "\r\n"))
        #expect(try edited("\u{FEFF}# a\n\n", change) == "\u{FEFF}# a\n\n" + table)
        let geocoder = TableChange(
            action: .add, table: .named("geocoder"), settings: [.init(key: ["kind"], value: .text("photon"))])
        #expect(try edited("", geocoder) == "[geocoder]\nkind = \"photon\"\n")
    }

    @Test(arguments: [
        ("a = [", ConfigurationEditor.Failure?.none), ("", .noTable(.feed("a"))),
        ("feed = [{ id = \"a\" }]", .unsupportedSyntax), ("[[feed]]\nid = \"b\"", .noTable(.feed("a"))),
        ("[[feed]]\nid = \"a\"\nrefresh = { vehicles = \"1m\" }", .unsupportedSyntax),
        ("[[feed]]\nid = \"a\"\n[[feed.refresh]]\nvehicles = \"1m\"", .unsupportedSyntax),
    ])
    func refusesWhatItCannotChange(text: String, failure: ConfigurationEditor.Failure?) {
        let change = edit("a", [("refresh.vehicles", .text("2m"))])
        #expect { try edited(text, change) } throws: { error in
            guard let failure else {
                return if case .invalid? = error as? ConfigurationEditor.Failure { true } else { false }
            }
            return error as? ConfigurationEditor.Failure == failure
        }
    }

    @Test func refusesToAddAFeedTwice() {
        #expect(throws: ConfigurationEditor.Failure.exists(.feed("bus"))) {
            try edited(TableChange(action: .add, table: .feed("bus")))
        }
    }

    // MARK: Random files

    /// A part of a generated file, and the feed to which it belongs.
    private struct Part {
        var owner: Int?
        var text: String
    }

    /// Writes random TOML. Each comment has a number of its own, so that no part occurs twice.
    private struct Generator {
        var random: SeededGenerator
        var number = 0

        mutating func comment() -> String {
            number += 1
            return ["# \(number) [[feed]]", "# \(number) \"\"\" '", "#\(number) é 𝄞 = {", "\t# \(number)"]
                .randomElement(using: &random)!
        }

        mutating func value() -> String {
            number += 1
            return [
                "\"t\(number)\"", "'l\(number) # \"'", "\(number)", "-\(number).5", "true", "2026-11-24",
                "\"\"\"\n[[feed]] \(number)\n# no comment \\\"\"\"\"", "'''\n[x]\n'\(number)'''",
                "[\(number), [\"#\"], {a = 1}]",
                "[ # \(number)\n  \"é\", # ]\n  '[',\n]", "{ a = \(number), \"b.c\" = \"}\" }",
                "\"é𝄞\\u00e9\(number)\"",
            ].randomElement(using: &random)!
        }

        mutating func lines(_ keys: [String]) -> String {
            var text = ""
            for key in keys {
                if Bool.random(using: &random) { text += comment() + "\n" }
                if Int.random(in: 0..<5, using: &random) == 0 { text += "\n" }
                text +=
                    ["", "  ", "\t"].randomElement(using: &random)! + key + [" = ", "=", "  =\t"].randomElement(
                        using: &random)!
                text += value() + (Int.random(in: 0..<3, using: &random) == 0 ? " " + comment() : "") + "\n"
            }
            return text
        }

        mutating func blank() -> String { String(repeating: "\n", count: Int.random(in: 0...2, using: &random)) }

        mutating func keys() -> [String] {
            ["provider", "static", "\"quoted key\"", "limits.ratio", "limits.'members'", "agency", "x-1"].filter { _ in
                Bool.random(using: &random)
            }.shuffled(using: &random)
        }

        mutating func file() -> [Part] {
            var parts: [Part] = []
            if Bool.random(using: &random) { parts.append(Part(owner: nil, text: comment() + "\n" + blank())) }
            if Bool.random(using: &random) {
                parts.append(Part(owner: nil, text: lines(["top", "level.dotted"]) + "\n"))
            }
            for feed in 0..<Int.random(in: 1...3, using: &random) {
                if Bool.random(using: &random) { parts.append(Part(owner: nil, text: comment() + "\n")) }
                let id = "id = \(Bool.random(using: &random) ? "\"f\(feed)\"" : "'f\(feed)'")\n"
                let header = ["[[feed]]", "  [[ feed ]] # \(feed)", "[[\"feed\"]]"].randomElement(using: &random)!
                parts.append(
                    Part(
                        owner: feed,
                        text: header + "\n" + lines(keys()) + id + lines(Bool.random(using: &random) ? ["last"] : [])
                            + blank()))
                for table in ["refresh", "keep"] where Bool.random(using: &random) {
                    if Bool.random(using: &random) {
                        parts.append(
                            Part(owner: nil, text: comment() + "\n[place.p\(number)]\n" + lines(["stop"]) + blank()))
                    }
                    if Bool.random(using: &random) { parts.append(Part(owner: nil, text: comment() + "\n")) }
                    parts.append(
                        Part(
                            owner: feed,
                            text: "[feed.\(table)]\n"
                                + lines(["vehicles", "alerts"].filter { _ in Bool.random(using: &random) }) + blank()))
                }
                for _ in 0..<Int.random(in: 0...1, using: &random) {
                    parts.append(Part(owner: feed, text: "[[feed.budget]]\n" + lines(["count"]) + blank()))
                }
            }
            if Bool.random(using: &random) {
                parts.append(Part(owner: nil, text: comment() + "\n[queries]\n" + lines(["count"])))
            }
            return parts
        }

        mutating func change(of feed: Int) -> TableChange {
            let names = [
                "provider", "static", "agency", "new", "limits.ratio", "limits.new", "refresh.vehicles", "keep.radius",
                "weather.x",
            ]
            let settings = names.filter { _ in Int.random(in: 0..<4, using: &random) == 0 }.map { name in
                TableChange.Setting(
                    key: name.split(separator: ".").map(String.init),
                    value: [.text("n\u{7}\"\\é"), .integer(4), .list(["a", "b"]), nil].randomElement(using: &random)!)
            }
            switch Int.random(in: 0..<6, using: &random) {
            case 0: return TableChange(action: .remove, table: .feed("f\(feed)"))
            case 1:
                return TableChange(action: .add, table: .feed("added"), settings: settings.filter { $0.value != nil })
            default: return TableChange(action: .edit, table: .feed("f\(feed)"), settings: settings)
            }
        }
    }

    /// Bytes outside of the changed table stay, whatever the file looks like.
    @Test func randomEditsOfRandomFilesChangeOnlyTheirTable() throws {
        var generator = Generator(random: SeededGenerator(seed: 21))
        var count = 0
        while count < 10_000 {
            let parts = generator.file()
            let usesCRLF = Bool.random(using: &generator.random)
            func written(_ text: String) -> String {
                usesCRLF ? text.replacingOccurrences(of: "\n", with: "\r\n") : text
            }
            var text = written(parts.map(\.text).joined())
            if Bool.random(using: &generator.random) { text = "\u{FEFF}" + text }
            let lacksEnd = Bool.random(using: &generator.random) && text.hasSuffix("\n")
            if lacksEnd { text.removeLast() }
            let feeds = parts.compactMap(\.owner).max() ?? 0
            for _ in 0..<5 {
                count += 1
                let feed = Int.random(in: 0...feeds, using: &generator.random)
                let change = generator.change(of: feed)
                let new: String
                do { new = try ConfigurationEditor.text(text, applying: change) } catch {
                    Issue.record("\(error): \(change)\n\(text)")
                    return
                }
                if change.action == .add {
                    #expect(new.utf8.starts(with: text.utf8))
                    continue
                }
                var rest = new[...]
                for (position, part) in parts.enumerated() where part.owner != feed {
                    var wanted = written(part.text)
                    if lacksEnd, position == parts.count - 1, wanted.hasSuffix("\n") { wanted.removeLast() }
                    guard let range = rest.firstRange(of: wanted) else {
                        Issue.record("\(change) lost \(wanted.debugDescription) of\n\(text)\nnow\n\(new)")
                        return
                    }
                    rest = rest[range.upperBound...]
                }
            }
        }
    }
}
