internal import TransitControl

extension Session {
    /// Where this machine is; with how exact that is told before the answer that follows.
    func whereabouts() throws(ClientError) -> Position {
        do throws(LocationFailure) {
            var geoclue = try GeoClue(address: BusAddress.system(Environment.variable), interrupt: .catching())
            let found = try geoclue.locate()
            // Where it is rough, the stops that are listed need not be the nearest.
            let isRough = found.accuracy > GeoClue.goodEnough
            note(
                Line(
                    "within \(DistanceWords.of(found.accuracy)) of \(found.position.words), says GeoClue",
                    isRough ? .caution : .faint))
            return found.position
        } catch {
            throw error == .interrupted ? .interrupted : .location(error)
        }
    }
}
