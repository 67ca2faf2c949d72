import Testing
import TransitDaemon
import TransitFeeds

/// Each mistake is named with its line, column and remedy.
@Suite struct ConfigurationErrorTests {
    struct Mistake: CustomTestStringConvertible, Sendable {
        var name: String
        var text: String
        /// `LINE:COLUMN: message; remedy`, one for each problem.
        var expected: [String]
        var testDescription: String { name }
    }

    @Test(arguments: mistakes)
    func isNamedWithItsPlace(_ mistake: Mistake) {
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration(text: mistake.text, file: "/etc/transitd/config.toml")
        }
        let lines = error?.description.split(separator: "\n").map(String.init) ?? []
        #expect(lines == mistake.expected.map { "/etc/transitd/config.toml:" + $0 })
    }

    static let feed = "[[feed]]\nid = \"a\"\nprovider = \"gtfs\"\n"
    private static let other = "\n[[feed]]\nid = \"bb\"\nprovider = \"demo\"\n"
    private static let third = "\n[[feed]]\nid = \"cc\"\nprovider = \"demo\"\n"

    /// As a choice: "gtfs", "demo" or another.
    private static let providers: String = {
        let names = ProviderCatalog.names.map { "\"\($0)\"" }
        return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    }()

    static let mistakes: [Mistake] = [
        Mistake(
            name: "a syntax error", text: "[[feed]]\nid = \n",
            expected: ["2:6: `id` has no value; write it behind the `=`, or remove the line"]),
        Mistake(
            name: "a wrong type", text: "[[feed]]\nid = \"a\"\n  provider = 5\n",
            expected: ["3:14: `provider` is a whole number, not a text; write `provider = \"gtfs\"`"]),
        Mistake(
            name: "a missing key", text: "# feeds\n\n[[feed]]\nprovider = \"gtfs\"\nstatic = \"/a.zip\"\n",
            expected: ["3:1: this [[feed]] has no `id`; add `id = \"my-city\"`"]),
        Mistake(
            name: "an unknown key with a near one", text: feed + "statc = \"/a.zip\"\nstatic = \"/a.zip\"\n",
            expected: ["4:1: [[feed]] has no key `statc`; did you mean `static`?"]),
        Mistake(
            name: "an unknown key without a near one", text: "[queries]\n\"ä\" = 1\nzebra = 2\n",
            expected: [
                "2:1: [queries] has no key `ä`; the keys are `next_count`, `departures_count`, `return_hour`, "
                    + "`walking_radius`, `max_walking_radius`, `arrivals_wait`",
                "3:1: [queries] has no key `zebra`; the keys are `next_count`, `departures_count`, `return_hour`, "
                    + "`walking_radius`, `max_walking_radius`, `arrivals_wait`",
            ]),
        Mistake(
            name: "an unknown table", text: "[quries]\nnext_count = 3\n",
            expected: ["1:1: the configuration has no key `quries`; did you mean `queries`?"]),
        Mistake(
            name: "a feed that supplements one that is not there",
            text: feed + "static = \"/a.zip\"\nsupplements = \"c\"\n" + other + "supplements = \"bb\"\n",
            expected: [
                "5:15: there is no feed \"c\"; name another [[feed]] by its id",
                "10:15: the feed \"bb\" supplements itself; name the agency's other feed",
            ]),
        Mistake(
            name: "feeds that supplement one another",
            text: feed + "static = \"/a.zip\"\nsupplements = \"bb\"\n" + other + "supplements = \"a\"\n",
            expected: [
                "5:15: the feed \"bb\" itself supplements \"a\"; remove the line in one of them",
                "10:15: the feed \"a\" itself supplements \"bb\"; remove the line in one of them",
            ]),
        Mistake(
            name: "two feeds that supplement one",
            text: feed + "static = \"/a.zip\"\nsupplements = \"cc\"\n" + other + "supplements = \"cc\"\n" + third,
            expected: ["10:15: the feeds \"a\" and \"bb\" both supplement \"cc\"; leave one of them"]),
        Mistake(
            name: "a chain of feeds",
            text: feed + "static = \"/a.zip\"\nsupplements = \"bb\"\n" + other + "supplements = \"cc\"\n" + third,
            expected: ["5:15: the feed \"bb\" itself supplements \"cc\"; name a feed that has no `supplements`"]),
        Mistake(
            name: "a former key of a feed", text: feed + "static = \"/a.zip\"\nbeside = \"bb\"\n",
            expected: ["5:1: [[feed]] has no key `beside`; `beside` is now `supplements`"]),
        Mistake(
            name: "a former key of refresh", text: feed + "static = \"/a.zip\"\nrefresh = { quiet_hour = 2 }\n",
            expected: ["5:13: [feed.refresh] has no key `quiet_hour`; `quiet_hour` is now `download_hour`"]),
        Mistake(
            name: "former keys of queries",
            text: "[queries]\ncount = 5\nboard_count = 20\nswitch_hour = 14\nwidened_walking_radius = 2000\n",
            expected: [
                "2:1: [queries] has no key `count`; `count` is now `next_count`",
                "3:1: [queries] has no key `board_count`; `board_count` is now `departures_count`",
                "4:1: [queries] has no key `switch_hour`; `switch_hour` is now `return_hour`",
                "5:1: [queries] has no key `widened_walking_radius`; "
                    + "`widened_walking_radius` is now `max_walking_radius`",
            ]),
        Mistake(
            name: "a former table", text: "[questions]\ncount = 5\nwalking_radius = 500\n",
            expected: [
                "1:1: the configuration has no key `questions`; `[questions]` is now `[queries]`",
                "2:1: [questions] has no key `count`; `count` is now `next_count`",
            ]),
        Mistake(
            name: "the key itself", text: feed + "static = \"/a.zip\"\nkey = \"CT\"\n",
            expected: [
                "5:1: [[feed]] has no key `key`; write the key into a file and name that: `key_file = \"my.key\"`; "
                    + "or give it to `transitctl key set`"
            ]),
        Mistake(
            name: "a table of a later version", text: "[notify]\n",
            expected: ["1:1: `notify` in the configuration is not yet in this version; remove it for now"]),
        Mistake(
            name: "a misspelt provider", text: "[[feed]]\nid = \"a\"\nprovider = \"gfts\"\n",
            expected: ["3:12: there is no provider \"gfts\"; did you mean \"gtfs\"?"]),
        Mistake(
            name: "an id that cannot name a folder", text: "[[feed]]\nid = \"../a\"\nprovider = \"demo\"\n",
            expected: [
                "2:6: \"../a\" cannot be a feed's id; use 1 to 64 lower-case letters, digits, `-` and `_`"
            ]),
        Mistake(
            name: "two feeds of one id",
            text: "[[feed]]\nid = \"a\"\nprovider = \"demo\"\n[[feed]]\nid = 'a'\nprovider = \"demo\"\n",
            expected: ["5:6: there are two feeds \"a\"; give each feed an id of its own"]),
        Mistake(
            name: "http to another machine", text: feed + "static = \"http://a.example/a.zip\"\n",
            expected: ["4:10: `http` is not protected, and a.example is not this machine; use `https://`"]),
        Mistake(
            name: "a password in a URL", text: feed + "static = \"https://me:secret@a.example/a.zip\"\n",
            expected: ["4:10: the URL holds a user name or password; remove what stands before the `@`"]),
        Mistake(
            name: "another scheme", text: feed + "static = \"ftp://a.example/a.zip\"\n",
            expected: [
                "4:10: `static` has the scheme \"ftp\"; use https, a path, or http on this machine only"
            ]),
        Mistake(
            name: "a number out of its range", text: feed + "static = \"/a.zip\"\nrefresh_hours = 500\n",
            expected: ["5:17: `refresh_hours` is 500; give 1 to 168 hours"]),
        Mistake(
            name: "limits of the second feed",
            text: feed + "static = \"/a.zip\"\n[[feed]]\nid = \"b\"\nprovider = \"demo\"\n[feed.limits]\nratio = 1\n",
            expected: ["9:9: `ratio` is 1; give 2 to 100000"]),
        Mistake(
            name: "latitude out of range", text: "[place.home]\nlat = 97.5\nlon = 2\n",
            expected: ["2:7: `lat` is 97.5; give -90.0 to 90.0 degrees"]),
        Mistake(
            name: "an inline place without a position", text: "place.home = { lat = 2.5, walk_minutes = 2 }\n",
            expected: [
                "1:7: [place.home] does not say where it is; "
                    + "add `lat = 37.3942` and `lon = -122.0764`, or `stop = \"feed:stop_id\"`"
            ]),
        Mistake(
            name: "a stop of an unknown feed",
            text: feed + "static = \"/a.zip\"\n[place.home]\nstop = \"other:1\"\n",
            expected: ["6:8: there is no feed \"other\"; add a `[[feed]]` with `id = \"other\"`"]),
        Mistake(
            name: "a commute to an unknown place",
            text: "[place.home]\nlat = 1\nlon = 2\n[place.work]\nlat = 2\nlon = 2\n"
                + "[commute.morning]\nfrom = \"home\"\nto = \"wrok\"\n",
            expected: ["9:6: there is no place \"wrok\"; did you mean \"work\"?"]),
        Mistake(
            name: "a commute without its end", text: "[place.home]\nlat = 1\nlon = 2\n[commute.x]\nfrom = \"home\"\n",
            expected: ["4:1: [commute.x] has no `to`; add `to = \"work\"`"]),
        Mistake(
            name: "days of a commute without a window",
            text: "[place.home]\nlat = 1\nlon = 2\n[place.work]\nlat = 2\nlon = 2\n"
                + "[commute.x]\nfrom = \"home\"\nto = \"work\"\ndays = \"weekdays\"\n",
            expected: [
                "10:8: `days` says when the windows begin, and there is no `window`; "
                    + "add `window = \"07:00-09:00\"`, or remove `days`"
            ]),
        Mistake(
            name: "a return hour as text", text: "[queries]\nreturn_hour = \"noon\"\n",
            expected: ["2:15: `return_hour` is a text, not a whole number; write `return_hour = 12`"]),
        Mistake(
            name: "an unknown log level", text: "[daemon]\nlog_level = \"loud\"\n",
            expected: [
                "2:13: `log_level` is \"loud\"; give one of `debug`, `info`, `notice`, `warning`, `error`"
            ]),
        Mistake(
            name: "a table that is a value", text: "daemon = true\n",
            expected: ["1:10: `daemon` is true or false, not a table; begin it with the line `[daemon]`"]),
        Mistake(
            name: "a feed that is one table", text: "[feed]\nid = \"a\"\n",
            expected: ["1:1: `feed` is a table, not a list of tables; begin it with the line `[[feed]]`"]),
        Mistake(
            name: "a budget that is one table", text: feed + "static = \"/a.zip\"\nbudget = {}\n",
            expected: [
                "5:10: `budget` is a table, not a list of tables; begin it with the line `[[feed.budget]]`"
            ]),
        Mistake(
            name: "a budget of numbers", text: feed + "static = \"/a.zip\"\nbudget = [60]\n",
            expected: [
                "5:11: `budget` holds a whole number; write a table that begins with the line `[[feed.budget]]`"
            ]),
        Mistake(
            name: "limits that are a number", text: feed + "static = \"/a.zip\"\nlimits = 5\n",
            expected: ["5:10: `limits` is a whole number, not a table; begin it with the line `[feed.limits]`"]),
        Mistake(
            name: "a place that is a text", text: "[place]\nhome = \"37.39,-122.07\"\n",
            expected: ["2:8: `home` is a text, not a table; begin it with the line `[place.home]`"]),
        Mistake(
            name: "a commute that is a list", text: "[commute]\ntrip = [\"home\", \"work\"]\n",
            expected: ["2:8: `trip` is a list, not a table; begin it with the line `[commute.trip]`"]),
        Mistake(
            name: "places", text: "# mine\n[places.home]\nlat = 1\nlon = 2\n",
            expected: ["2:1: the configuration has no key `places`; write `[place.NAME]`"]),
        Mistake(
            name: "feeds", text: "[[feeds]]\nid = \"a\"\n",
            expected: ["1:1: the configuration has no key `feeds`; write `[[feed]]`"]),
        Mistake(
            name: "a budget of its own", text: "[[budget]]\nrequests = 5\n",
            expected: [
                "1:1: the configuration has no key `budget`; it belongs to a feed: write `budget` below its `[[feed]]`"
            ]),
        Mistake(
            name: "a number between quotes",
            text: "[place.home]\nlat = \"37.39\"\nlon = \"west\"\n[queries]\nnext_count = \"5\"\n",
            expected: [
                "2:7: `lat` is a text, not a number; write `lat = 37.39`",
                "3:7: `lon` is a text, not a number; write `lon = -122.0764`",
                "5:14: `next_count` is a text, not a whole number; write `next_count = 5`",
            ]),
        Mistake(
            name: "longitude by another name", text: "[place.home]\nlat = 1\nlon = 2\nlng = 3\n",
            expected: ["4:1: [place.home] has no key `lng`; did you mean `lon`?"]),
        Mistake(
            name: "a place's name with a slash", text: "[place.\"a/b\"]\nlat = 1\nlon = 2\n",
            expected: ["1:1: \"a/b\" cannot be a place's name; use 1 to 64 letters, digits, `-`, `_` and `.`"]),
        Mistake(
            name: "a URL without its scheme", text: feed + "static = \"example.org/gtfs.zip?key=secret\"\n",
            expected: [
                "4:10: `static` is \"example.org/gtfs.zip?…\", a URL without its scheme; "
                    + "write `https://example.org/gtfs.zip?…`, or `./` before a path"
            ]),
        Mistake(
            name: "a URL of this machine without its scheme",
            text: feed + "static = \"/a.zip\"\nalerts = \"localhost:8080/alerts\"\n",
            expected: [
                "5:10: `alerts` is \"localhost:8080/alerts\", a URL without its scheme; "
                    + "write `http://localhost:8080/alerts`, or `./` before a path"
            ]),
        Mistake(
            name: "a geocoder without its scheme",
            text: "[geocoder]\nkind = \"photon\"\nurl = \"photon.example.org/\"\n",
            expected: [
                "3:7: `url` is \"photon.example.org/\", a URL without its scheme; "
                    + "write `https://photon.example.org/`, or `./` before a path"
            ]),
        Mistake(
            name: "nesting without end", text: "a = " + String(repeating: "[", count: 500_000),
            expected: ["1:21: this is nested too deeply; no key of a configuration has more than 3 parts"]),
        Mistake(
            name: "a key without end", text: String(repeating: "a.", count: 500_000) + "a = 1\n",
            expected: ["1:32: this is nested too deeply; no key of a configuration has more than 3 parts"]),
        Mistake(
            name: "what toml++ does not expect", text: "[&",
            expected: ["1:2: this is no name of a table; write `[name]`, with quotes around a name with blanks"]),
        Mistake(
            name: "a NUL character", text: "[daemon]\n# \0\n",
            expected: ["2:3: there is a NUL character; is this a text file?"]),
        Mistake(
            name: "several mistakes, in the order of their lines",
            text: "[queries]\nnext_count = 0\n[[feed]]\nid = \"a\"\nprovider = \"nope\"\n",
            expected: [
                "2:14: `next_count` is 0; give 1 to 50 departures",
                "5:12: there is no provider \"nope\"; give \(providers)",
            ]),
        Mistake(
            name: "a mistake behind strings, comments and nesting",
            text: "\"place\".'home' = { lat = 1.0, lon = 2.0 } # ] [daemon\n"
                + "[[feed]]\nid = \"\"\"a\"\"\"\nprovider = 'demo'\nlimits = { ratio = \"a # b\" }\n",
            expected: ["5:20: `ratio` is a text, not a whole number; write `ratio = 200`"]),
    ]
}
