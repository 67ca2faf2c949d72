internal import TransitControl

extension Session {
    /// Returns the location of the machine and prints it with its accuracy on standard error.
    func currentLocation() throws(ClientError) -> Position {
        do throws(LocationFailure) {
            var geoclue = try GeoClue(address: DBusAddress.system(Environment.variable), interrupt: .catching())
            let found = try geoclue.locate()
            // With an imprecise location, the listed stops may not be the nearest.
            let isImprecise = found.accuracy > GeoClue.sufficientAccuracy
            printNotice(
                Line(
                    "within \(DistanceText.of(found.accuracy)) of \(found.position.words), according to GeoClue",
                    isImprecise ? .caution : .faint))
            return found.position
        } catch {
            throw error == .interrupted ? .interrupted : .location(error)
        }
    }
}
