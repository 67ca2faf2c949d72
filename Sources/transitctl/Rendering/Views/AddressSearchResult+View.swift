internal import TransitControl

extension View where Result == AddressSearchResult {
    /// The addresses, with coordinates for use in other commands.
    static let addressSearch = View(
        page: { result in
            var page = Page()
            var table = Table([.init(title: "address", shrinks: true), .init(title: "position")])
            for address in result.addresses {
                table.add([Line(address.name, .strong), Line(address.position.words)])
            }
            page.table(table)
            if result.addresses.isEmpty { page.line("No address found.") }
            return page
        }, rows: { $0.addresses.map { [$0.name, String($0.position.lat), String($0.position.lon)] } })
}
