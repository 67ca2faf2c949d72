internal import TransitControl

// Where home and work are.
extension Setup {
    /// Asks for those that are not set yet, each by itself.
    func askPlaces(_ offer: ProviderListResult, in writer: ConfigurationWriter) throws(Failure) {
        let set = try ask(PlaceListParameters()).places.map(\.name)
        let missing = ["home", "work"].filter { !set.contains($0) }
        if missing.isEmpty { return }
        let findsAddresses = offer.geocoder == nil ? try offerGeocoder(in: writer) : true
        for name in missing {
            while try !askPlace(name, findsAddresses: findsAddresses) {}
        }
    }

    /// Nobody is told what is typed unless somebody has said who. A script is not asked: its lines are answers to the other
    /// questions.
    ///
    /// - Returns: whether addresses can be found now.
    private func offerGeocoder(in writer: ConfigurationWriter) throws(Failure) -> Bool {
        guard prompter.isOnTerminal else { return false }
        prompter.say("Home and work can be found by their address: what you type is sent to a geocoder then.")
        let url = try answer("Its address, such as https://photon.komoot.io (Photon or Nominatim); empty for none")
        if url.isEmpty { return false }
        let kind = url.lowercased().contains("nominatim") ? "nominatim" : "photon"
        let lines = [FeedDraft.Setting(key: "kind", value: kind), FeedDraft.Setting(key: "url", value: url)]
        do throws(Failure) {
            try add("[geocoder]\n" + lines.map(\.toml).joined(), in: writer)
            return true
        } catch {
            guard case .client(.refused(let refusal)) = error else { throw error }
            say(refusal)
            return false
        }
    }

    /// - Returns: whether the question is settled.
    private func askPlace(_ name: String, findsAddresses: Bool) throws(Failure) -> Bool {
        switch try answer(name, findsAddresses: findsAddresses) {
        case .text(""): return true
        case .address(let address): return try setPlace(name, at: address.position)
        case .text(let text):
            if let point = Coordinates.read(text) { return try setPlace(name, at: point) }
            // The text is neither a stop nor an address, and it is not sent to a geocoder.
            if Coordinates.isMeant(by: text) {
                prompter.say("Coordinates are LAT,LON in degrees, such as 37.3942,-122.0764.", .caution)
                return false
            }
            guard let refusal = try tryPlace(PlaceSetParameters(place: name, stop: text)) else { return true }
            guard findsAddresses, refusal.kind == .stopNotFound else {
                say(refusal)
                return false
            }
            return try setPlace(name, byAddress: text)
        }
    }

    private func answer(_ name: String, findsAddresses: Bool) throws(Failure) -> SuggestionEntry.Answer {
        do throws(Prompter.Failure) {
            guard findsAddresses else {
                return .text(try prompter.ask("Where is \(name)? LAT,LON or a stop; empty to leave it out"))
            }
            return try prompter.askAddress(
                "Where is \(name)? LAT,LON, a stop or an address; empty to leave it out", label: name)
        } catch { throw .prompter(error) }
    }

    /// Looks for what is no stop as an address.
    private func setPlace(_ name: String, byAddress text: String) throws(Failure) -> Bool {
        do throws(Failure) {
            let found = try ask(AddressSearchParameters(text: text, language: session.language)).addresses
            if found.isEmpty {
                prompter.say("Neither a stop nor an address is called like that.", .caution)
                return false
            }
            let choice = try choose("Which one", among: found.map(\.name) + ["none of these"])
            return found.indices.contains(choice) ? try setPlace(name, at: found[choice].position) : false
        } catch {
            guard case .client(.refused(let refusal)) = error else { throw error }
            say(refusal)
            return false
        }
    }

    private func setPlace(_ name: String, at position: Position) throws(Failure) -> Bool {
        guard let refusal = try tryPlace(PlaceSetParameters(place: name, position: position)) else { return true }
        say(refusal)
        return false
    }

    /// - Returns: what the daemon has against it; `nil` when it is set.
    private func tryPlace(_ place: PlaceSetParameters) throws(Failure) -> ControlError? {
        do throws(Failure) {
            let told = try ask(place)
            // Without all timetables nobody knows which stops there are.
            let isKnown = !told.notices.contains { [.missing, .failed, .importing].contains($0.kind) }
            let nearest = told.place.stops.first.map { "is near \($0.stop.words)" }
            let none = isKnown ? "is far from any stop" : "is set; which stops are near is not known yet"
            prompter.say("\(place.place) \(nearest ?? none).", .good)
            return nil
        } catch {
            guard case .client(.refused(let refusal)) = error else { throw error }
            return refusal
        }
    }
}
