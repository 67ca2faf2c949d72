internal import Glibc
internal import TransitJourneyCheck
internal import TransitTestSupport

/// `transit-journeys-check [OPTION...] [FEED...]`: compares the journeys that the engine finds in real feeds with those of an
/// exhaustive search. Exits with 1 if they differ or a feed cannot be
/// read.
@main struct Check {
    static func main() {
        guard let options = JourneyCheckOptions(CommandLine.arguments.dropFirst()) else {
            print(JourneyCheckOptions.usage)
            exit(64)
        }
        // A message that the feeds are missing is printed.
        guard let shared = SharedData.folder else { return }
        let folder = ".build/journeys-check"
        mkdir(folder, 0o755)
        var run = JourneyCheckRun(options, archives: "\(shared)/gtfs", folder: folder)
        do {
            let differences = try run.run()
            print(differences == 0 ? "no differences" : "\(differences) differences")
            exit(differences == 0 ? 0 : 1)
        } catch {
            print("journeys-check: \(error)")
            exit(1)
        }
    }
}
