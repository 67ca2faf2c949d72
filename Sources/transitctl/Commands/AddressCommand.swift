internal import ArgumentParser
internal import TransitControl

struct AddressCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "address", abstract: "Search for an address.",
        discussion: "The text is sent to the geocoder named in the configuration.")

    @Argument(help: "The address.")
    var text: [String]
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run(.count) { session in
            let call = AddressSearchParameters(
                text: text.name, count: session.settings.count ?? 5, language: session.language)
            return session.show(call, .addressSearch)
        }
    }
}
