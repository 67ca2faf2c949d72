import Testing
import TransitControl
import TransitWire

@testable import transitctl

/// Tests of the names of arguments and options in errors about parameters.
@Suite struct TypedArgumentsTests {
    @Test(
        arguments: [
            ("feed find ?!", "text", "TEXT"), ("feed find --near x", "near", "--near"),
            ("feed find a -n 0", "count", "-n"),
            ("feed find a --count 0", "count", "--count"), ("dep x", "stop", "STOP"),
            ("--json departures x", "stop", "STOP"),
            ("stops near home --radius 0", "radius", "--radius"), ("place set x 1,2", "place", "NAME"),
            ("place set home 95,1", "position.lat", "POSITION"), ("place set home", "stop", "POSITION"),
            ("watch departures x", "topics.0.stop", "STOP"), ("feed add ftp://x", "url", "SOURCE"),
            ("setup --geocoder x", "url", "--geocoder"), ("favorite home", "favorite", "FAVORITE"),
            ("feed diff demo 0 1", "from", "FROM"), ("routes stops x", "route", "ROUTE"), ("status x", "zone", nil),
            ("", "text", nil),
        ] as [(String, String, String?)])
    func parameterHasTheNameOfItsArgument(line: String, parameter: String, name: String?) {
        #expect(TypedArguments(line.split(separator: " ").map(String.init)).name(of: parameter) == name)
    }

    @Test func errorNamesWhatAPersonTyped() {
        let find = TypedArguments(["feed", "find", "?!"])
        let blank = ControlError(parameter: "text", "has no letters or digits.")
        #expect(blank.message == "params.text has no letters or digits.")
        #expect(blank.naming(find.name).message == "TEXT has no letters or digits.")
        let long = ControlError(WireSchemaMismatch("must have 1 to 200 characters, not 0").inside("text"))
        #expect(long.naming(find.name).message == "TEXT must have 1 to 200 characters, not 0.")
        let unknown = ControlError(parameter: "key_header", "is wrong.")
        #expect(unknown.naming(find.name).message == "The key header is wrong.")
        let base = ControlError(
            .invalidParameters, "`params.url` is not a base URL.", details: ["parameter": "url"])
        #expect(base.naming { _ in "The answer" }.message == "The answer is not a base URL.")
        let other = ControlError(.invalidParameters, "The text is odd.")
        #expect(other.naming(find.name) == other)
    }
}
