internal import ArgumentParser
internal import TransitControl
internal import TransitWire

struct DescribeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "describe", abstract: "List the methods of the protocol, or print their JSON Schema with --json.")

    @Argument(help: "Show this method only, such as stops.search.", transform: method)
    var method: ControlMethod?
    @OptionGroup var global: GlobalOptions

    func run() throws { try global.run { $0.show(DescribeParameters(method: method), .describe) } }

    private static func method(_ name: String) throws -> ControlMethod {
        if let method = ControlMethod(rawValue: name) { return method }
        let close = Spelling.closest(to: name, among: ControlMethod.allCases.map(\.rawValue))
        throw ValidationError("There is no method \"\(name)\"." + (close.map { " Did you mean \"\($0)\"?" } ?? ""))
    }
}
