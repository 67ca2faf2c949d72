internal import ArgumentParser
internal import TransitControl

struct AddressCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "address", abstract: "Find an address.",
        discussion: "What you type is sent to the geocoder that the configuration names; without one, to nobody.")

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
