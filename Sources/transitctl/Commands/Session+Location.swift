internal import TransitControl

extension Session {
    /// Where this machine is; with how exact that is told before the answer that follows.
    func currentLocation() throws(ClientError) -> Position {
        do throws(LocationFailure) {
            var geoclue = try GeoClue(address: DBusAddress.system(Environment.variable), interrupt: .catching())
            let found = try geoclue.locate()
            // Where it is rough, the stops that are listed need not be the nearest.
            let isRough = found.accuracy > GeoClue.sufficientAccuracy
            note(
                Line(
                    "within \(DistanceText.of(found.accuracy)) of \(found.position.words), says GeoClue",
                    isRough ? .caution : .faint))
            return found.position
        } catch {
            throw error == .interrupted ? .interrupted : .location(error)
        }
    }
}
