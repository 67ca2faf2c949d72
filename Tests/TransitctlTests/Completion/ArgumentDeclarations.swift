import ArgumentParser
import TransitWire

@testable import transitctl

/// What the commands declare, as ArgumentParser describes it.
struct ArgumentDeclarations {
    typealias Command = (names: [String], type: any ParsableArguments.Type)

    /// The commands without subcommands, by their names.
    static let commands = all(of: Transitctl.self, [])

    private static func all(of command: any ParsableCommand.Type, _ names: [String]) -> [Command] {
        let subcommands = command.configuration.subcommands
        guard !subcommands.isEmpty else { return [(names, command)] }
        return subcommands.flatMap { all(of: $0, names + [$0.configuration.commandName ?? ""]) }
    }

    /// The arguments in the order of their declarations, without hidden ones, and the names of their values in help.
    let arguments: [(argument: DeclaredArgument, valueName: String)]

    init(of command: any ParsableArguments.Type) {
        let dump = try? JSONValue(parsing: command._dumpHelp())
        arguments = (dump?["command"]?["arguments"]?.elements ?? []).compactMap { json in
            DeclaredArgument(json).map { ($0, json["valueName"]?.text ?? "") }
        }
    }

    /// The source file of ``RecordedArguments``.
    static var recorded: String {
        let common = ArgumentDeclarations(of: CommonOptions.self).lines
        let blocks =
            [[RecordedArguments.program] + common.map { "  " + $0 }]
            + commands.map { command in
                var lines = ArgumentDeclarations(of: command.type).lines
                let start = lines.indices.first { lines[$0...].starts(with: common) }
                if let start { lines.replaceSubrange(start..<(start + common.count), with: [RecordedArguments.common]) }
                let name = ([RecordedArguments.program] + command.names).joined(separator: " ")
                return [name] + lines.map { "  " + $0 }
            }
        return """
            // Written by CompletionDeclarationTests with TRANSIT_RECORD=1.

            /// The arguments of each command, which completion needs at each press of a key. ArgumentParser takes several times
            /// as long to describe them as the daemon takes to answer.
            enum RecordedArguments {
                /// The name of the options that all commands have.
                static let program = "\(RecordedArguments.program)"
                /// The line that stands for the options of all commands.
                static let common = "\(RecordedArguments.common)"

                /// A line for each command and each of its arguments, which ``DeclaredArgument`` reads.
                static let text = #\"""
            \(blocks.joined().map { "        " + $0 }.joined(separator: "\n"))
                    \"""#
            }

            """
    }

    /// The lines of ``RecordedArguments``, without the option for help.
    private var lines: [String] { arguments.map(\.argument).filter { $0 != .help }.map(\.recorded) }
}

extension DeclaredArgument {
    fileprivate init?(_ json: JSONValue) {
        guard json["shouldDisplay"] == .bool(true), let form = json["kind"]?.text.flatMap({ Form(rawValue: $0) }) else {
            return nil
        }
        let names = (json["names"]?.elements ?? []).compactMap { name in
            name["name"]?.text.map { name["kind"]?.text == "long" ? "--\($0)" : "-\($0)" }
        }
        self.init(
            form: form, names: names, valueName: form == .positional ? json["valueName"]?.text ?? "" : "",
            isRepeating: json["isRepeating"] == .bool(true),
            help: json["abstract"]?.text ?? "", values: form == .flag ? nil : Self.values(json))
    }

    private static func values(_ json: JSONValue) -> Values? {
        let completion = json["completionKind"]
        if let name = completion?["shellCommand"]?["command"]?.text {
            return ValueKind(rawValue: name).map { .kind($0) }
        }
        if completion?["file"] != nil { return .files }
        if completion?["directory"] != nil { return .folders }
        if let list = completion?["list"]?["values"] { return .list(list.elements.compactMap(\.text)) }
        if let kind = ValueKind(rawValue: json["valueName"]?.text ?? "") {
            return [.file, .path].contains(kind) ? .files : .kind(kind)
        }
        return json["allValueStrings"].map { .list($0.elements.compactMap(\.text)) }
    }
}

extension JSONValue {
    /// The elements of an array; empty for any other value.
    var elements: [JSONValue] {
        if case .array(let elements) = self { elements } else { [] }
    }
}
