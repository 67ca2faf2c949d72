public import TransitWire

/// The methods of the control protocol.
public enum ControlProtocol {
    /// The protocol version that this code implements.
    public static let version = 1
    /// An alias of `describe` (OpenRPC, section "Service Discovery Method").
    public static let discoveryMethod = "rpc.discover"

    /// The parameters of every method, in the order of the documentation. The type of the parameters determines the
    /// method and the type of its result.
    public static let methods: [any ControlParameters.Type] = [
        HelloParameters.self,
        DescribeParameters.self,
        CancelParameters.self,
        StatusParameters.self,
        NextParameters.self,
        JourneysParameters.self,
        LastJourneysParameters.self,
        PinnedJourneysParameters.self,
        JourneyPinParameters.self,
        JourneyUnpinParameters.self,
        DeparturesParameters.self,
        StopsSearchParameters.self,
        StopsNearParameters.self,
        StopsShowParameters.self,
        RoutesSearchParameters.self,
        RoutesShowParameters.self,
        RoutesStopsParameters.self,
        TripShowParameters.self,
        CommuteListParameters.self,
        CommuteAddParameters.self,
        CommuteRenameParameters.self,
        CommuteRemoveParameters.self,
        CommuteUseParameters.self,
        PlaceListParameters.self,
        PlaceSetParameters.self,
        PlaceRemoveParameters.self,
        AddressSearchParameters.self,
        FavoriteListParameters.self,
        FavoriteShowParameters.self,
        FavoriteAddParameters.self,
        FavoriteRenameParameters.self,
        FavoriteCategoryParameters.self,
        FavoriteOrderParameters.self,
        FavoriteRemoveParameters.self,
        KeySetParameters.self,
        KeyCheckParameters.self,
        KeyRemoveParameters.self,
        RecentListParameters.self,
        RecentClearParameters.self,
        ProviderListParameters.self,
        ProviderCheckParameters.self,
        FeedListParameters.self,
        FeedFindParameters.self,
        FeedUpdateParameters.self,
        FeedValidateParameters.self,
        FeedVersionsParameters.self,
        FeedRollbackParameters.self,
        FeedDiffParameters.self,
        FeedHistoryParameters.self,
        FeedHistoryClearParameters.self,
        ConfigCheckParameters.self,
        ConfigProposeParameters.self,
        ConfigReloadParameters.self,
        RefreshParameters.self,
        BudgetParameters.self,
        ExplainParameters.self,
        VehiclesParameters.self,
        AlertsParameters.self,
        WeatherParameters.self,
        EventsParameters.self,
        DoctorParameters.self,
        TakenAddParameters.self,
        TakenUndoParameters.self,
        TakenListParameters.self,
        TakenImportParameters.self,
        UsualListParameters.self,
        UsualPinParameters.self,
        UsualUnpinParameters.self,
        UsualForgetParameters.self,
        UsualExplainParameters.self,
        InsightsParameters.self,
        InsightsForgetParameters.self,
        NotificationsParameters.self,
        NotifyAckParameters.self,
        NotifyListParameters.self,
        NotifyEnableParameters.self,
        NotifySetParameters.self,
        NotifyMuteParameters.self,
        NotifyTestParameters.self,
        NotifyActParameters.self,
        NotifyDaysOffParameters.self,
        NotifyRehearseParameters.self,
        SubscribeParameters.self,
        UnsubscribeParameters.self,
    ]

    /// The type of the parameters of each method, by the method's name.
    static let parameters: [String: any ControlParameters.Type] = Dictionary(
        uniqueKeysWithValues: methods.map { ($0.method.rawValue, $0) })

    /// Parses a request.
    ///
    /// - Throws: ``ErrorKind/methodNotFound`` and ``ErrorKind/invalidParameters``.
    public static func parse(_ call: MethodCall) throws(ControlError) -> any ControlParameters {
        let name = call.method == discoveryMethod ? ControlMethod.describe.rawValue : call.method
        guard let type = parameters[name] else { throw unknownMethod(call.method) }
        do { return try type.init(reading: call.parameters ?? .object(JSONObject()), as: .parameters) } catch {
            throw ControlError(error)
        }
    }

    /// The error for a method that does not exist.
    public static func unknownMethod(_ name: String) -> ControlError {
        let close = Spelling.closest(to: name, among: ControlMethod.allCases.map(\.rawValue))
        return ControlError(
            .methodNotFound, "There is no method \"\(name.prefix(40))\".",
            hint: hint(formerMethod: name) ?? close.map { "Did you mean \"\($0)\"?" }
                ?? "\"describe\" lists the methods.")
    }

    /// A hint that names the replacement of a method of an earlier release; `nil` if there never was such a method. The
    /// former names themselves are rejected.
    private static func hint(formerMethod name: String) -> String? {
        switch name {
        case "favorite.change": "\"favorite.change\" is now \"favorite.rename\" and \"favorite.category\"."
        case "providers": "\"providers\" is now \"provider.list\"."
        default: nil
        }
    }
}

extension ControlMethod {
    /// The protocol version that this code implements.
    public static var protocolVersion: Int { ControlProtocol.version }

    /// The type of the method's parameters, which also determines the type of its result.
    public var call: any ControlParameters.Type {
        guard let type = ControlProtocol.parameters[rawValue] else {
            preconditionFailure("\(rawValue) is missing in ControlProtocol.methods")
        }
        return type
    }

    /// A one-sentence summary of the method.
    public var summary: String { call.description }

    /// Parses the parameters of the method. `nil` is equivalent to an empty object.
    public func parse(_ parameters: JSONValue?) throws(WireSchemaMismatch) -> any ControlParameters {
        try call.init(reading: parameters ?? .object(JSONObject()), as: .parameters)
    }
}

/// The version of this release, reported by `--version` of both programs and by the methods `hello` and `status`.
public enum ReleaseVersion {
    public static let text = "0.1.0"
}
