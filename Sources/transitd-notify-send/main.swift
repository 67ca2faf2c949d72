internal import Glibc
internal import DesktopNotifications

exit(DesktopNotificationHook.main(CommandLine.arguments))
