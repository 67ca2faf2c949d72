internal import ArgumentParser
internal import Glibc

let arguments = CommandLineOrder.commandFirst(CommandLine.arguments.dropFirst().map(SouthernCoordinates.shielded))

if let command = QuickCommand(arguments) {
    exit(command.run().rawValue)
}
if let message = MisspeltCommand.message(for: arguments) {
    Session(Settings()).tell(.usage(message))
    exit(ExitStatus.usage.rawValue)
}
Transitctl.main(arguments)
