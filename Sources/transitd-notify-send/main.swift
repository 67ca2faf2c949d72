internal import Glibc
internal import TransitBubbles

exit(BubbleHook.main(CommandLine.arguments))
