import Testing
import TransitTestSupport

@testable import transitctl

@Suite struct CompletionPointTests {
    @Test(arguments: [
        ("departures", "Ma", ValueKind.stop), ("dep", "", .stop), ("departures --route", "2", .route),
        ("departures Main --feed", "", .feed), ("next", "", .journey), ("journey", "", .ends),
        ("--json next", "", .journey),
        ("watch", "", .journey), ("watch departures", "", .stop), ("favorite", "", .favorite),
        ("favorite show", "", .favorite), ("favorite rename", "", .favorite), ("favorite rename a", "", .name),
        ("favorite order a", "", .favorites), ("feed rollback", "", .feed), ("feed rollback a", "", .version),
        ("feed edit a", "", .feedSetting), ("feed edit a --unset", "", .feedKey), ("feed add", "", .city),
        ("place set", "", .placeName), ("place set home", "", .location), ("place remove", "", .place),
        ("commute add a", "", .location), ("commute add a home", "", .location), ("commute use", "", .commute),
        ("notify set", "", .setting), ("notify set delay.first", "", .settingValue), ("notify mute", "", .mute),
        ("notify mute delay", "", .mute), ("notify unmute", "", .rule),
        ("notify rehearse --set", "", .settingAssignment),
        ("notify days-off remove", "", .dayOff), ("stops search", "", .stop), ("stops near", "", .place),
        ("routes show", "", .route), ("trip show", "", .trip), ("explain", "", .departure),
        ("usual forget", "", .usual),
        ("--theme", "", .theme), ("status --theme", "", .theme), ("theme use", "", .theme), ("key set", "", .feed),
        ("describe", "", .method), ("refresh a", "", .dataset), ("weather", "", .location), ("next --", "", .journey),
        ("alerts --commute", "", .commute), ("vehicles --trip", "", .trip), ("departures -n 3", "", .stop),
        ("departures -n", "", .count), ("next --at", "", .time),
    ])
    func wordHasKind(line: String, current: String, kind: ValueKind) {
        let point = CompletionPoint(line.split(separator: " ").map(String.init), current)
        #expect(point.values == .kind(kind))
    }

    @Test func optionWithEqualsSignHasValue() {
        let point = CompletionPoint(["departures", "Main"], "--route=2")
        #expect(point.values == .kind(.route))
        #expect(point.lead == "--route=")
        #expect(point.text == "2")
        #expect(point.joined == [])
    }

    @Test func wordsOfAName() {
        let point = CompletionPoint(["departures", "--feed", "city", "San", "--json"], "Ma")
        #expect(point.joined == ["San"])
        #expect(point.given == ["--feed": "city"])
    }

    @Test func wordsOfAListAreSeparate() {
        let point = CompletionPoint(["favorite", "order", "a"], "b")
        #expect(point.joined == [])
        #expect(point.earlier == ["a"])
    }

    @Test func usedOptionIsNotOfferedAgain() {
        let options = CompletionPoint(["departures", "--json", "--feed", "a"], "--").options.map(\.value)
        #expect(!options.contains("--json") && !options.contains("--feed") && options.contains("--route"))
        // It can be repeated.
        let edit = CompletionPoint(["feed", "edit", "a", "--unset", "b"], "--").options.map(\.value)
        #expect(edit.contains("--unset"))
    }

    @Test func nothingFollowsAfterAllArguments() {
        let point = CompletionPoint(["commute", "use", "gym"], "")
        #expect(point.values == nil)
        #expect(point.options.contains { $0.value == "--json" })
    }

    @Test func dashIsAnOptionBeforeTheTerminator() {
        #expect(!CompletionPoint(["commute", "use"], "-").options.isEmpty)
        let point = CompletionPoint(["commute", "use", "--"], "-")
        #expect(point.options.isEmpty)
        #expect(point.values == .kind(.commute))
    }

    @Test func helpTakesCommands() {
        #expect(CompletionPoint(["help", "notify"], "").commands.map(\.value).contains("days-off"))
        #expect(CompletionPoint(["help", "next"], "").values == nil)
    }

    @Test(arguments: [("taken --import", "x"), ("days-off", ""), ("status --socket", "")])
    func filesAreLeftToTheShell(line: String, current: String) {
        let words = line.split(separator: " ").map(String.init)
        let all = words.first == "days-off" ? ["notify", "days-off", "import"] : words
        #expect(CompletionPoint(all, current).values == .files)
    }
}

@Suite struct ShellWordTests {
    @Test(arguments: [
        ("transitctl next", ["transitctl", "next"]), ("transitctl next ", ["transitctl", "next", ""]),
        ("transitctl departures \"San Ma", ["transitctl", "departures", "\"San Ma"]),
        (#"t San\ Ma"#, ["t", #"San\ Ma"#]), ("t 'a b' c", ["t", "'a b'", "c"]), (#"t "a\" b"#, ["t", #""a\" b"#]),
        ("t  a", ["t", "a"]),
    ])
    func lineIsSplit(line: String, words: [String]) { #expect(ShellWord.split(line) == words) }

    @Test(arguments: [
        (#"San\ Ma"#, "San Ma", ShellWord.State.unquoted), ("\"San Ma", "San Ma", .inDoubleQuotes),
        ("'it", "it", .inSingleQuotes), (#"'it'\''s"#, "it's", .inSingleQuotes), (#"a"b c"d"#, "ab cd", .unquoted),
        (#""a\$b\nc"#, #"a$b\nc"#, .inDoubleQuotes), ("$(rm x)", "$(rm x)", .unquoted), ("\\", "", .unquoted),
    ])
    func wordIsRead(word: String, text: String, state: ShellWord.State) {
        let value = ShellWord.value(word, .bash)
        #expect(value.text == text)
        #expect(value.state == state)
    }

    @Test(arguments: [(#"'it\'s"#, "it's"), (#"'a\b"#, #"a\b"#), (#"San\ Ma"#, "San Ma"), (#""a\"b"#, "a\"b")])
    func fishWordIsRead(word: String, text: String) { #expect(ShellWord.value(word, .fish).text == text) }

    /// Any text is read back as it was, after each kind of quote.
    @Test(arguments: testSeeds(1, 2, 3, 4, 5)) func writtenTextIsReadBack(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let characters = Array("ab \t$`\"'\\!;&|<>()*?[]{}#~=:@%^-/.éß中🚋")
        for _ in 0..<200 {
            let text = String(
                (0..<Int.random(in: 0...12, using: &random)).map { _ in characters.randomElement(using: &random)! })
            for (before, state) in [
                ("", ShellWord.State.unquoted), ("'", .inSingleQuotes), ("\"", .inDoubleQuotes),
            ] {
                let word = before + ShellWord.written(text, after: state, isFirst: true)
                #expect(ShellWord.value(word, .bash).text == text, "seed \(seed): \(word)")
                #expect(ShellWord.value(word, .bash).state == state, "seed \(seed): \(word)")
                #expect(ShellWord.split("t \(word)").count == 2, "seed \(seed): \(word)")
            }
        }
    }
}
