import ArgumentParser
import Foundation
import Testing
import TransitWire

@testable import transitctl

/// Completion follows from the declarations of the commands.
@Suite struct CompletionDeclarationTests {
    /// A command with what ArgumentParser reports about it in the description of the whole program.
    struct Command: CustomTestStringConvertible {
        var names: [String]
        var arguments: [JSONValue]
        var commands: [String]
        var testDescription: String { names.joined(separator: " ") }
    }

    private static let commands: [Command] = {
        guard let dump = try? JSONValue(parsing: Transitctl._dumpHelp()), let root = dump["command"] else { return [] }
        return all(of: root, [])
    }()

    private static func all(of command: JSONValue, _ names: [String]) -> [Command] {
        let subcommands = command["subcommands"]?.elements ?? []
        let own = subcommands.compactMap { $0["commandName"]?.text }
        return [Command(names: names, arguments: command["arguments"]?.elements ?? [], commands: own)]
            + subcommands.filter { $0["commandName"] != "help" }.flatMap { subcommand in
                all(of: subcommand, names + [subcommand["commandName"]?.text ?? ""])
            }
    }

    private func words(_ names: [String], _ current: String) -> [String] {
        CompletionCommand.Completion(names, current) { $0 == "TRANSITD_SOCKET" ? "/nowhere/transitd.sock" : nil }.words
            .map(\.value)
    }

    @Test func commandsAreFound() {
        #expect(Self.commands.count > 60)
        #expect(Self.commands.contains { $0.names == ["notify", "days-off", "import"] })
    }

    @Test(arguments: commands) func everyCommandIsOffered(command: Command) {
        let offered = words(command.names, "")
        for name in command.commands { #expect(offered.contains(name), "\(command.names) \(name)") }
    }

    @Test(arguments: commands) func everyOptionIsOffered(command: Command) {
        let offered = words(command.names, "-") + words(command.names, "--")
        for argument in command.arguments where argument["shouldDisplay"] == true {
            for name in argument["names"]?.elements ?? [] {
                let dashes = name["kind"] == "long" ? "--" : "-"
                let word = dashes + (name["name"]?.text ?? "")
                // The whole program reports the version of its root for every command.
                if word == "--version", !command.names.isEmpty { continue }
                #expect(offered.contains(word), "\(command.names) \(word)")
            }
        }
    }

    @Test(arguments: commands) func onlyOptionsOfTheCommandAreOffered(command: Command) {
        let declared = command.arguments.filter { $0["shouldDisplay"] == true }.flatMap { argument in
            (argument["names"]?.elements ?? []).compactMap { $0["name"]?.text }
        }
        // A group offers the options of all commands, or those of its default command.
        guard command.commands.isEmpty else { return }
        for word in words(command.names, "-") {
            #expect(declared.contains(String(word.drop { $0 == "-" })), "\(command.names) \(word)")
        }
    }

    /// `TRANSIT_RECORD=1` records the arguments; build again after it.
    @Test func recordedArgumentsAreCurrent() throws {
        if ProcessInfo.processInfo.environment["TRANSIT_RECORD"] == "1" {
            let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("../../../Sources/transitctl/Completion/RecordedArguments.swift").standardized
            try ArgumentDeclarations.recorded.write(to: file, atomically: true, encoding: .utf8)
            return
        }
        let ofAll: [ArgumentDeclarations.Command] = [([], CommonOptions.self)]
        for command in ofAll + ArgumentDeclarations.commands {
            let declared = ArgumentDeclarations(of: command.type).arguments.map(\.argument)
            #expect(
                DeclaredArgument.all(of: command.names) == declared,
                """
                transitctl \(command.names.joined(separator: " ")): record RecordedArguments.swift with TRANSIT_RECORD=1, \
                and build again.
                """)
        }
    }

    /// Without a kind, there would be no completion, and the omission would not be noticed.
    @Test func everyValueHasAKind() {
        for command in ArgumentDeclarations.commands {
            for (argument, valueName) in ArgumentDeclarations(of: command.type).arguments where argument.form != .flag {
                #expect(
                    argument.values != nil,
                    """
                    transitctl \(command.names.joined(separator: " ")) \(argument.longName): completion does not know \
                    what "\(valueName)" is. Use the value name of a ValueKind, such as valueName: "stop", or declare \
                    completion: .names(.stop), .names(.text) for free text, .list([...]), .file() or .directory.
                    """)
            }
        }
    }

    /// The kinds that are declared are used, and those with a value name are found by it.
    @Test func everyKindIsUsed() {
        var used: Set<ValueKind> = [.file, .path]
        for command in ArgumentDeclarations.commands {
            for (argument, _) in ArgumentDeclarations(of: command.type).arguments {
                if case .kind(let kind)? = argument.values { used.insert(kind) }
            }
        }
        #expect(ValueKind.allCases.filter { !used.contains($0) } == [])
    }

    @Test func hiddenCommandIsNotOffered() {
        #expect(!words([], "").contains(CompletionCommand.name))
        #expect(words([], "com") == ["commute"])
    }
}
