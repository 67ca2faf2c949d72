internal import ArgumentParser
internal import TransitControl
internal import TransitWire

/// The arguments and options of the command that a person typed.
struct TypedArguments {
    private let declared: [DeclaredArgument]
    /// The words after the name of the program.
    private let words: [String]

    init(_ words: [String]) {
        let words = AbbreviatedCommand.expanded(
            CommandLineOrder.commandFirst(AbbreviatedCommand.expanded(words.map(NegativeCoordinate.escaped))))
        self.words = words
        var command: any ParsableCommand.Type = Transitctl.self
        var names: [String] = []
        for word in words {
            guard let next = command.configuration.subcommands.first(where: { $0.configuration.commandName == word })
            else { break }
            (command, names) = (next, names + [word])
        }
        if let name = command.configuration.defaultSubcommand?.configuration.commandName { names.append(name) }
        declared = DeclaredArgument.all(of: names)
    }

    /// The arguments of the names of data in requests that have another name on the command line.
    private static let otherNames: [String: [String]] = [
        "stop": ["position"], "place": ["name"], "feed": ["source"], "url": ["geocoder", "source"],
        "position": ["near", "place"],
    ]

    /// Returns how a person writes a parameter of a request, such as `--near`, `-n` or `TEXT`; `nil` if the command has no
    /// argument or option for it.
    func name(of parameter: String) -> String? {
        let path = parameter.split(separator: ".").map(String.init)
        // The innermost member is the name in `topics.0.stop`, the outermost one in `position.lat`.
        let members = [path.last, path.first].compactMap(\.self)
        return members.flatMap { [$0] + (Self.otherNames[$0] ?? []) }.lazy.compactMap(argument).first
    }

    private func argument(_ name: String) -> String? {
        let name = name.replacing("_", with: "-")
        if let option = declared.first(where: { $0.names.contains("--\(name)") }) {
            return option.names.first { words.contains($0) } ?? option.longName
        }
        return declared.first { $0.form == .positional && $0.valueName == name }?.valueName.uppercased()
    }
}

extension ControlError {
    /// Returns the error with what a person typed in place of the name of a parameter, which is for programs.
    ///
    /// - Parameter name: Returns what a person typed for a parameter, or `nil` if it is not known.
    func naming(_ name: (_ parameter: String) -> String?) -> ControlError {
        guard kind == .invalidParameters, let parameter = details?["parameter"]?.text else { return self }
        let beginnings = ["`params.\(parameter)` ", "params.\(parameter) ", "\(parameter) "]
        guard let beginning = beginnings.first(where: message.hasPrefix) else { return self }
        let member = parameter.split(separator: ".").last ?? ""
        let subject = name(parameter) ?? "The \(member.replacing("_", with: " "))"
        var error = self
        error.message = "\(subject) \(message.dropFirst(beginning.count))"
        if error.message.last != "." { error.message += "." }
        return error
    }
}
