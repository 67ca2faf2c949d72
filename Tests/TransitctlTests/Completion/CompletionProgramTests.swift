import Foundation
import Glibc
import Testing
import TransitControl
import TransitModel
import TransitTestSupport
import TransitTestTraits
import TransitWire

@testable import transitctl

/// The hidden command as the shells run it, and its script in bash.
@Suite(.enabled(if: Program.url != nil), .ownThreads) struct CompletionProgramTests {
    private func stop(_ id: String, _ name: String) -> StopSearchMatch {
        StopSearchMatch(
            rank: .prefix,
            stop: StopSummary(feed: "demo", id: StopID(id), name: name, kind: .station, wheelchair: .unknown),
            routes: ["1", "24"])
    }

    /// A daemon that answers the requests for a stop: those for places and for stops.
    private func daemon(_ names: [String]) throws -> FakeDaemon {
        let at = try Sample.time("08:05")
        let places = PlaceListResult(at: at, places: [])
        let stops = StopsSearchResult(at: at, stops: names.enumerated().map { stop("s\($0)", $1) })
        return try FakeDaemon([
            .read,
            .send(#"{"jsonrpc":"2.0","id":1,"result":\#(String(decoding: places.encoded, as: UTF8.self))}"# + "\n"),
            .read,
            .send(#"{"jsonrpc":"2.0","id":2,"result":\#(String(decoding: stops.encoded, as: UTF8.self))}"# + "\n"),
            .wait,
        ])
    }

    /// - Parameter timeout: The time limit in seconds. The usual one is too short for tests on a busy machine.
    private func complete(_ arguments: [String], socket: String, timeout: Int = 60) async throws -> Program.Outcome {
        try await Program.run(
            ["complete"] + arguments,
            environment: ["TRANSITD_SOCKET": socket, CandidateSource.timeoutVariable: "\(timeout)"])
    }

    @Test(arguments: [["fish", "transitctl", "departures", "Ma"], ["zsh", "80", "transitctl", "commute", "use", ""]])
    func silentWithoutDaemon(arguments: [String]) async throws {
        let outcome = try await complete(arguments, socket: "/nowhere/transitd.sock")
        #expect(outcome.status == 0)
        #expect(outcome.output == "values\n")
        #expect(outcome.error == "")
    }

    @Test(arguments: [[], ["csh", "x"], ["bash"], ["zsh", "80"], ["fish"]])
    func silentWithOtherArguments(arguments: [String]) async throws {
        let outcome = try await complete(arguments, socket: "/nowhere/transitd.sock")
        #expect(outcome.status == 0)
        #expect(outcome.output == "" && outcome.error == "")
    }

    /// Of two sockets, one accepts and never answers, and one never accepts and has a full queue.
    @Test(arguments: [false, true]) func hangingDaemonDoesNotBlockTheShell(isFull: Bool) async throws {
        let path = "/tmp/transitctl-\(UUID().uuidString).sock"
        var descriptors = [socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)]
        defer {
            for descriptor in descriptors { close(descriptor) }
            unlink(path)
        }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        func named(_ call: (UnsafePointer<sockaddr>, socklen_t) -> CInt) -> CInt {
            withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, length) }
            }
        }
        try #require(named { bind(descriptors[0], $0, $1) } == 0 && listen(descriptors[0], 0) == 0)
        if isFull {
            for _ in 0..<4 {
                let client = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue), 0)
                descriptors.append(client)
                _ = named { connect(client, $0, $1) }
            }
        }
        let clock = ContinuousClock()
        let began = clock.now
        let outcome = try await complete(["fish", "transitctl", "departures", "Ma"], socket: path, timeout: 1)
        #expect(outcome.status == 0)
        #expect(outcome.output == "values\n" && outcome.error == "")
        // The limit is 1 s. More is left for a busy machine.
        #expect(clock.now - began < .seconds(10))
    }

    @Test func namesHaveDescriptions() async throws {
        let daemon = try daemon(["Mill Lane", "Mill: \"Old\""])
        let outcome = try await complete(["fish", "transitctl", "departures", "Mi"], socket: daemon.path)
        #expect(outcome.output == "values\nMill Lane\tdemo: 1, 24\nMill: \"Old\"\tdemo: 1, 24\n")
        let requests = await daemon.received
        // Completion is no search of the user.
        #expect(requests.last?.contains(#""remember":false"#) == true, "\(requests)")
    }

    /// fish compares the names with what is typed by itself, and does not ignore accents.
    @Test(arguments: [
        ("lo", "Lodz Fabryczna/Dw.\tŁódź Fabryczna/Dw., demo: 1, 24\nLos Altos\tdemo: 1, 24\n"),
        ("Łó", "Łódź Fabryczna/Dw.\tdemo: 1, 24\nLos Altos\tdemo: 1, 24\n"),
    ])
    func fishCompletesPlainLettersWithoutAccents(typed: String, expected: String) async throws {
        let daemon = try daemon(["Łódź Fabryczna/Dw.", "Los Altos"])
        let outcome = try await complete(["fish", "transitctl", "departures", typed], socket: daemon.path)
        #expect(outcome.output.hasPrefix("values\n"))
        #expect(expected.hasPrefix(outcome.output.dropFirst(7)), "\(outcome.output)")
    }

    @Test(arguments: [
        ("Łódź Fabryczna/Dw.", "Lodz Fabryczna/Dw."), ("Straße (Süd)", "Strasse (Sud)"), ("O'Hare – 2", "O'Hare – 2"),
        ("E\u{301}te\u{301}", "Ete"), ("Ægir", "Aegir"), ("東京", "東京"), ("Ёлки", "Елки"), ("", ""),
    ])
    func plainLettersMeanTheSameName(name: String, plain: String) {
        #expect(PlainLetters.of(name) == plain)
        #expect(SearchText.fold(PlainLetters.of(name)) == SearchText.fold(name))
    }

    @Test func followingWordsOfANameAreOffered() async throws {
        let daemon = try daemon(["San Mateo", "San Marino Park", "Sant Martí"])
        let outcome = try await complete(["fish", "transitctl", "departures", "san", "ma"], socket: daemon.path)
        #expect(outcome.output == "values\nMateo\tdemo: 1, 24\nMarino Park\tdemo: 1, 24\n")
    }

    @Test func namesThatCannotBeTypedAreLeftOut() async throws {
        let daemon = try daemon(["-dash", "a\nb", "a\u{1B}[31m", "ab"])
        let outcome = try await complete(["fish", "transitctl", "departures", ""], socket: daemon.path)
        #expect(outcome.output == "values\n")
        let typed = try self.daemon(["-dash", "a\nb", "a\u{1B}[31m", "ab"])
        let other = try await complete(["fish", "transitctl", "departures", "a"], socket: typed.path)
        #expect(other.output == "values\nab\tdemo: 1, 24\n")
        let terminated = try self.daemon(["-dash"])
        let last = try await complete(["fish", "transitctl", "departures", "--", "-d"], socket: terminated.path)
        #expect(last.output == "values\n-dash\tdemo: 1, 24\n")
    }

    @Test func namesAreLimited() async throws {
        let daemon = try daemon((1...80).map { "Stop \($0)" })
        let outcome = try await complete(["fish", "transitctl", "departures", "S"], socket: daemon.path)
        #expect(outcome.output.split(separator: "\n").count == 51)
    }

    // MARK: bash

    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "../../../contrib/completions/transitctl.bash"
    ).standardizedFileURL.path

    /// Runs the function of the script in bash, and has bash read the completed line again.
    ///
    /// - Returns: What ``COMPREPLY`` contains, and the arguments that bash makes of the line with its first element.
    private func bash(
        _ line: String, replaced: String, key: Int = 9, socket: String
    ) async throws -> (replies: [String], arguments: [String], error: String) {
        let program = #"""
            source "$SCRIPT"
            COMP_LINE=$LINE COMP_POINT=${#LINE} COMP_TYPE=$KEY COMP_CWORD=1
            COMP_WORDS=(transitctl)
            compopt() { :; }
            _transitctl transitctl "$REPLACED" ""
            printf '%s\0' "${COMPREPLY[@]}" --
            # readline appends the quote that is open.
            done=${LINE%"$REPLACED"}${COMPREPLY[0]}$QUOTE
            [[ ${#COMPREPLY[@]} == 0 ]] || eval "set -- $done"
            printf '%s\0' "$@"
            """#
        let kept = line.dropLast(replaced.count)
        let quote =
            switch ShellWord.value(kept, .bash).state {
            case .unquoted: ""
            case .inDoubleQuotes: "\""
            case .inSingleQuotes: "'"
            }
        let process = TestProcess()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["--norc", "--noprofile", "-c", program]
        process.environment = [
            "PATH": try #require(Program.url).deletingLastPathComponent().path + ":/usr/bin:/bin", "LINE": line,
            "REPLACED": replaced, "KEY": "\(key)", "QUOTE": quote, "SCRIPT": Self.script, "TRANSITD_SOCKET": socket,
            "LC_ALL": "C.UTF-8", CandidateSource.timeoutVariable: "60",
        ]
        let (output, error) = (Pipe(), Pipe())
        (process.standardOutput, process.standardError) = (output, error)
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let message = String(decoding: error.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        var parts = text.split(separator: "\0", omittingEmptySubsequences: false).map(String.init)
        parts.removeLast()
        let end = parts.firstIndex(of: "--") ?? parts.endIndex
        return (parts[..<end].filter { !$0.isEmpty }, Array(parts[end...].dropFirst()), message)
    }

    private static let names = [
        "Mill Lane", "Mi'lo \"x\"", "Mi $(touch PROOF)", "Mi `touch PROOF`", "Mi; touch PROOF", "Mi\\back",
        "Mi & more!",
        "Mi*", "Mi|x > PROOF", "Mi #1", "Mi~", "Mißort Überlingen", "Mi {a,b}", "Mi $HOME", "Mi:a=b@c",
    ]

    /// bash reads each name back as it is, whichever quote was typed, and executes nothing.
    @Test(arguments: names, ["", "\"", "'"]) func bashReadsTheNameBack(name: String, quote: String) async throws {
        let folder = try TestFolder()
        let proof = folder.path + "/proof"
        let name = name.replacingOccurrences(of: "PROOF", with: proof)
        let daemon = try daemon([name])
        let found = try await bash("transitctl departures \(quote)Mi", replaced: "Mi", socket: daemon.path)
        #expect(found.arguments == ["transitctl", "departures", name], "\(found)")
        #expect(found.error == "")
        #expect(access(proof, F_OK) != 0)
    }

    @Test func bashCompletesAfterAWordBreak() async throws {
        let daemon = try daemon(["Mill: A b"])
        let found = try await bash("transitctl departures Mill:", replaced: "", socket: daemon.path)
        #expect(found.arguments == ["transitctl", "departures", "Mill: A b"], "\(found)")
        let option = try self.daemon(["Mill Lane"])
        let assigned = try await bash("transitctl vehicles --stop=Mi", replaced: "Mi", socket: option.path)
        #expect(assigned.arguments == ["transitctl", "vehicles", "--stop=Mill Lane"], "\(assigned)")
    }

    @Test func bashCompletesAPartlyQuotedWord() async throws {
        let daemon = try daemon(["Mill Lane West"])
        let found = try await bash(#"transitctl departures "Mill"\ La"#, replaced: #"\ La"#, socket: daemon.path)
        #expect(found.arguments == ["transitctl", "departures", "Mill Lane West"], "\(found)")
    }

    /// Readline replaces the typed text by the common beginning, which must not be shorter.
    @Test func bashKeepsWhatIsTyped() async throws {
        let names = ["San Mateo", "Old Mateo"]
        let line = "transitctl departures mateo"
        let daemons = try [names, names, ["San Mateo"]].map { try daemon($0) }
        let first = try await bash(line, replaced: "mateo", socket: daemons[0].path)
        #expect(first.replies == [])
        let second = try await bash(line, replaced: "mateo", key: 63, socket: daemons[1].path)
        #expect(second.replies == [#"San\ Mateo"#, #"Old\ Mateo"#])
        let only = try await bash(line, replaced: "mateo", socket: daemons[2].path)
        #expect(only.replies == [#"San\ Mateo"#])
        withExtendedLifetime(daemons) {}
    }

    @Test func bashOffersCommandsWithoutDaemon() async throws {
        let found = try await bash("transitctl dep", replaced: "dep", socket: "/nowhere")
        #expect(found.replies == ["departures"])
        #expect(found.error == "")
        #expect(try await bash("transitctl next >", replaced: "", socket: "/nowhere").replies == [])
    }

    @Test func generatedScriptIsRefused() async throws {
        let outcome = try await Program.run(["--generate-completion-script", "bash"])
        #expect(outcome.status == 64)
        #expect(outcome.error.contains("contrib/completions"))
    }
}
