internal import DesktopNotifications
internal import Glibc

exit(DesktopNotificationHook.main(CommandLine.arguments))
