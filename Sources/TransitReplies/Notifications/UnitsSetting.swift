package import TransitControl
internal import TransitModel
package import TransitQueries

/// The setting `units`, which applies to notifications and to all commands.
package enum UnitsSetting {
    package static let key = "units"

    private static let description =
        "The units of distances, weights and the weather: metric, imperial, or auto for the units of your locale."

    package static func entry(_ context: QueryContext) -> NotificationSetting {
        let setting = context.unitSetting
        let origin: SettingOrigin =
            context.personal.units != nil ? .user : setting == .automatic ? .builtIn : .configuration
        return NotificationSetting(key: key, value: setting.rawValue, origin: origin, description: description)
    }

    /// The group of the setting in the list of all settings.
    static func group(_ context: QueryContext) -> NotificationRuleStatus {
        NotificationRuleStatus(rule: key, description: description, isOn: true, settings: [entry(context)])
    }
}
