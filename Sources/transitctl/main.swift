internal import ArgumentParser
internal import DesktopNotifications
internal import Glibc
internal import NotificationAgent
internal import TransitClient

// One executable contains all programs of a user, so that they share one copy of the runtime. It is chosen by the name of
// the link, and the hook by its first argument, because a hook runs under any name.
if CommandLine.arguments.first?.split(separator: "/").last.map(String.init) == NotificationAgent.name {
    NotificationAgent.main(Array(CommandLine.arguments.dropFirst()))
}
if CommandLine.arguments.dropFirst().first == DesktopNotificationHook.command {
    exit(DesktopNotificationHook.main(Array(CommandLine.arguments.dropFirst())))
}
if CommandLine.arguments.dropFirst().first == CompletionCommand.name {
    CompletionCommand.main(Array(CommandLine.arguments.dropFirst(2)))
    exit(ExitStatus.success.rawValue)
}

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
