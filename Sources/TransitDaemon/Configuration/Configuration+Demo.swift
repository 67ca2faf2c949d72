internal import TransitFeeds
internal import TransitModel

extension Configuration {
    /// The embedded demo city with a home and a work in it: what `transitd --demo` runs with.
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
