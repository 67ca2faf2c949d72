internal import TransitFeeds
internal import TransitModel

extension Configuration {
    /// The configuration of `transitd --demo`: the embedded demo city with a home and a workplace.
    public static var demo: Configuration {
        var configuration = Configuration()
        configuration.feeds = [FeedConfiguration(id: "demo", source: .demo)]
        configuration.places = [
            "home": PlaceConfiguration(location: .coordinate(DemoCity.home)),
            "work": PlaceConfiguration(location: .coordinate(DemoCity.work)),
        ]
        return configuration
    }
}
