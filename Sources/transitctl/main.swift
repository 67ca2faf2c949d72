internal import ArgumentParser
internal import Glibc

let typed = AttachedCount.detached(Array(CommandLine.arguments.dropFirst()))
let arguments = CommandLineOrder.commandFirst(typed.map(SouthernCoordinates.shielded))

if let command = QuickCommand(arguments) {
    exit(command.run().rawValue)
}
if let message = MisspeltCommand.message(for: arguments) {
    Session(Settings()).tell(.usage(message))
    exit(ExitStatus.usage.rawValue)
}
Transitctl.main(arguments)
