internal import ArgumentParser
internal import Glibc
internal import TransitClient

let typed = AttachedCount.separated(Array(CommandLine.arguments.dropFirst()))
let arguments = AbbreviatedCommand.expanded(
    CommandLineOrder.commandFirst(AbbreviatedCommand.expanded(typed.map(NegativeCoordinate.escaped))))

if let command = QuickCommand(arguments) {
    exit(command.run().rawValue)
}
if let message = MisspelledCommand.message(for: arguments) ?? FormerOption.message(for: arguments) {
    Session(Settings()).report(.usage(message))
    exit(ExitStatus.usage.rawValue)
}
Transitctl.main(arguments)
