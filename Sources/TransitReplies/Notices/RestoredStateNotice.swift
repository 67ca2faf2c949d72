package import TransitControl
package import TransitModel
package import TransitStore

extension StateRecovery {
    /// Returns the notice that user data was restored from a backup or was lost. The notice is part of replies about
    /// user data until the end of the next UTC day.
    package func notice(at now: Instant) -> Notice? {
        let today = ServiceZone.utc.civil(at: now).date
        guard (0...1).contains(date.days(to: today)) else { return nil }
        let what = "Places, commutes and favorites"
        return Notice(
            kind: .damaged,
            message: backup.map {
                "\(what) were restored from \($0). The state file could not be used on \(date) and "
                    + "was replaced with the backup. Repeat any changes that you made after the backup."
            }
                ?? "\(what) were lost. The state file could not be used on \(date), and there was no backup. "
                + "Set them again, for example with: transitctl setup.")
    }
}
