import Testing
import TransitDaemon
import TransitFeeds

/// Each mistake is reported with its line, column and remedy.
@Suite struct ConfigurationErrorTests {
    struct Mistake: CustomTestStringConvertible, Sendable {
        var name: String
        var text: String
        /// One line for each problem: `LINE:COLUMN: message; remedy`.
        var expected: [String]
        var testDescription: String { name }
    }

    @Test(arguments: mistakes)
    func mistakeIsReportedWithItsPosition(_ mistake: Mistake) {
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration(text: mistake.text, file: "/etc/transitd/config.toml")
        }
        let lines = error?.description.split(separator: "\n").map(String.init) ?? []
        #expect(lines == mistake.expected.map { "/etc/transitd/config.toml:" + $0 })
    }

    static let feed = "[[feed]]\nid = \"a\"\nprovider = \"gtfs\"\n"
    private static let other = "\n[[feed]]\nid = \"bb\"\nprovider = \"demo\"\n"
    private static let third = "\n[[feed]]\nid = \"cc\"\nprovider = \"demo\"\n"

    /// The provider names as a list of alternatives, such as `"gtfs", "demo" or "other"`.
    private static let providers: String = {
        let names = ProviderCatalog.names.map { "\"\($0)\"" }
        return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    }()

    static let mistakes: [Mistake] = [
        Mistake(
            name: "a syntax error", text: "[[feed]]\nid = \n",
            expected: ["2:6: `id` has no value; write it after the `=`, or remove the line"]),
        Mistake(
            name: "a wrong type", text: "[[feed]]\nid = \"a\"\n  provider = 5\n",
            expected: ["3:14: `provider` is a whole number, not a string; write `provider = \"gtfs\"`"]),
        Mistake(
            name: "a missing key", text: "# feeds\n\n[[feed]]\nprovider = \"gtfs\"\nstatic = \"/a.zip\"\n",
            expected: ["3:1: this [[feed]] has no `id`; add `id = \"my-city\"`"]),
        Mistake(
            name: "an unknown key that resembles a known key", text: feed + "statc = \"/a.zip\"\nstatic = \"/a.zip\"\n",
            expected: ["4:1: [[feed]] has no key `statc`; did you mean `static`?"]),
        Mistake(
            name: "an unknown key that resembles no known key", text: "[queries]\n\"ä\" = 1\nzebra = 2\n",
            expected: [
                "2:1: [queries] has no key `ä`; the keys are `next_count`, `departures_count`, `return_hour`, "
                    + "`walking_radius`, `max_walking_radius`, `walking_speed`, `max_change_walk`, `arrivals_wait`, "
                    + "`change_uncertainty`",
                "3:1: [queries] has no key `zebra`; the keys are `next_count`, `departures_count`, `return_hour`, "
                    + "`walking_radius`, `max_walking_radius`, `walking_speed`, `max_change_walk`, `arrivals_wait`, "
                    + "`change_uncertainty`",
            ]),
        Mistake(
            name: "a walking speed and a walk out of range",
            text: "[queries]\nwalking_speed = 0\nmax_change_walk = 2001\n",
            expected: [
                "2:17: `walking_speed` is 0.0; use a value from 1.0 to 12.0 km/h",
                "3:19: `max_change_walk` is 2001; use a value from 0 to 2000 meters",
            ]),
        Mistake(
            name: "a walking speed with a unit", text: "[queries]\nwalking_speed = \"4 km/h\"\n",
            expected: ["2:17: `walking_speed` is a string, not a number; write `walking_speed = 4.5`"]),
        Mistake(
            name: "an unknown table", text: "[quries]\nnext_count = 3\n",
            expected: ["1:1: the configuration has no key `quries`; did you mean `queries`?"]),
        Mistake(
            name: "a feed that supplements an unknown feed or itself",
            text: feed + "static = \"/a.zip\"\nsupplements = \"c\"\n" + other + "supplements = \"bb\"\n",
            expected: [
                "5:15: there is no feed \"c\"; name another [[feed]] by its id",
                "10:15: the feed \"bb\" supplements itself; name the agency's other feed",
            ]),
        Mistake(
            name: "feeds that supplement each other",
            text: feed + "static = \"/a.zip\"\nsupplements = \"bb\"\n" + other + "supplements = \"a\"\n",
            expected: [
                "5:15: the feed \"bb\" itself supplements \"a\"; remove `supplements` from one of them",
                "10:15: the feed \"a\" itself supplements \"bb\"; remove `supplements` from one of them",
            ]),
        Mistake(
            name: "two feeds that supplement the same feed",
            text: feed + "static = \"/a.zip\"\nsupplements = \"cc\"\n" + other + "supplements = \"cc\"\n" + third,
            expected: [
                "10:15: the feeds \"a\" and \"bb\" both supplement \"cc\"; remove `supplements` from one of them"
            ]),
        Mistake(
            name: "a chain of supplementary feeds",
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
                "5:1: [[feed]] has no key `key`; write the key to a file and set "
                    + "`key_file = \"my.key\"`, or use `transitctl key set`"
            ]),
        Mistake(
            name: "a table of a later version", text: "[hook]\n",
            expected: ["1:1: `hook` in the configuration is not supported by this version; remove it"]),
        Mistake(
            name: "a misspelled provider", text: "[[feed]]\nid = \"a\"\nprovider = \"gfts\"\n",
            expected: ["3:12: there is no provider \"gfts\"; did you mean \"gtfs\"?"]),
        Mistake(
            name: "an id that cannot name a folder", text: "[[feed]]\nid = \"../a\"\nprovider = \"demo\"\n",
            expected: [
                "2:6: \"../a\" is not a valid feed id; use 1 to 64 lowercase letters, digits, `-` and `_`"
            ]),
        Mistake(
            name: "two feeds with one id",
            text: "[[feed]]\nid = \"a\"\nprovider = \"demo\"\n[[feed]]\nid = 'a'\nprovider = \"demo\"\n",
            expected: ["5:6: there are two feeds \"a\"; give each feed a different id"]),
        Mistake(
            name: "http to another machine", text: feed + "static = \"http://a.example/a.zip\"\n",
            expected: ["4:10: `http` is not encrypted, and a.example is not this machine; use `https://`"]),
        Mistake(
            name: "a password in a URL", text: feed + "static = \"https://me:secret@a.example/a.zip\"\n",
            expected: ["4:10: the URL contains a user name or password; remove everything before the `@`"]),
        Mistake(
            name: "an unsupported scheme", text: feed + "static = \"ftp://a.example/a.zip\"\n",
            expected: [
                "4:10: `static` has the scheme \"ftp\"; use https or a path; http is allowed only for this machine"
            ]),
        Mistake(
            name: "a number out of its range", text: feed + "static = \"/a.zip\"\nrefresh_hours = 500\n",
            expected: ["5:17: `refresh_hours` is 500; use a value from 1 to 168 hours"]),
        Mistake(
            name: "a limit of the second feed out of its range",
            text: feed + "static = \"/a.zip\"\n[[feed]]\nid = \"b\"\nprovider = \"demo\"\n[feed.limits]\nratio = 1\n",
            expected: ["9:9: `ratio` is 1; use a value from 2 to 100000"]),
        Mistake(
            name: "a latitude out of its range", text: "[place.home]\nlat = 97.5\nlon = 2\n",
            expected: ["2:7: `lat` is 97.5; use a value from -90.0 to 90.0 degrees"]),
        Mistake(
            name: "an inline place without a position", text: "place.home = { lat = 2.5, walk_minutes = 2 }\n",
            expected: [
                "1:7: [place.home] has no location; "
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
            name: "a commute without a destination",
            text: "[place.home]\nlat = 1\nlon = 2\n[commute.x]\nfrom = \"home\"\n",
            expected: ["4:1: [commute.x] has no `to`; add `to = \"work\"`"]),
        Mistake(
            name: "days of a commute without a window",
            text: "[place.home]\nlat = 1\nlon = 2\n[place.work]\nlat = 2\nlon = 2\n"
                + "[commute.x]\nfrom = \"home\"\nto = \"work\"\ndays = \"weekdays\"\n",
            expected: [
                "10:8: `days` applies to `window`, which is missing; "
                    + "add `window = \"07:00-09:00\"`, or remove `days`"
            ]),
        Mistake(
            name: "a string for an hour", text: "[queries]\nreturn_hour = \"noon\"\n",
            expected: ["2:15: `return_hour` is a string, not a whole number; write `return_hour = 12`"]),
        Mistake(
            name: "an unknown log level", text: "[daemon]\nlog_level = \"loud\"\n",
            expected: [
                "2:13: `log_level` is \"loud\"; use one of `debug`, `info`, `notice`, `warning`, `error`"
            ]),
        Mistake(
            name: "a value for a table", text: "daemon = true\n",
            expected: ["1:10: `daemon` is true or false, not a table; begin it with the line `[daemon]`"]),
        Mistake(
            name: "a table for a list of feeds", text: "[feed]\nid = \"a\"\n",
            expected: ["1:1: `feed` is a table, not a list of tables; begin it with the line `[[feed]]`"]),
        Mistake(
            name: "a table for a list of budgets", text: feed + "static = \"/a.zip\"\nbudget = {}\n",
            expected: [
                "5:10: `budget` is a table, not a list of tables; begin it with the line `[[feed.budget]]`"
            ]),
        Mistake(
            name: "a number for a budget", text: feed + "static = \"/a.zip\"\nbudget = [60]\n",
            expected: [
                "5:11: `budget` contains a whole number; write a table that begins with the line `[[feed.budget]]`"
            ]),
        Mistake(
            name: "a number for limits", text: feed + "static = \"/a.zip\"\nlimits = 5\n",
            expected: ["5:10: `limits` is a whole number, not a table; begin it with the line `[feed.limits]`"]),
        Mistake(
            name: "a string for a place", text: "[place]\nhome = \"37.39,-122.07\"\n",
            expected: ["2:8: `home` is a string, not a table; begin it with the line `[place.home]`"]),
        Mistake(
            name: "a list for a commute", text: "[commute]\ntrip = [\"home\", \"work\"]\n",
            expected: ["2:8: `trip` is a list, not a table; begin it with the line `[commute.trip]`"]),
        Mistake(
            name: "the plural of place", text: "# mine\n[places.home]\nlat = 1\nlon = 2\n",
            expected: ["2:1: the configuration has no key `places`; write `[place.NAME]`"]),
        Mistake(
            name: "the plural of feed", text: "[[feeds]]\nid = \"a\"\n",
            expected: ["1:1: the configuration has no key `feeds`; write `[[feed]]`"]),
        Mistake(
            name: "a budget outside of a feed", text: "[[budget]]\nrequests = 5\n",
            expected: [
                "1:1: the configuration has no key `budget`; a budget belongs to a feed: write `budget` below its `[[feed]]`"
            ]),
        Mistake(
            name: "a number in quotes",
            text: "[place.home]\nlat = \"37.39\"\nlon = \"west\"\n[queries]\nnext_count = \"5\"\n",
            expected: [
                "2:7: `lat` is a string, not a number; write `lat = 37.39`",
                "3:7: `lon` is a string, not a number; write `lon = -122.0764`",
                "5:14: `next_count` is a string, not a whole number; write `next_count = 5`",
            ]),
        Mistake(
            name: "an alias of longitude", text: "[place.home]\nlat = 1\nlon = 2\nlng = 3\n",
            expected: ["4:1: [place.home] has no key `lng`; did you mean `lon`?"]),
        Mistake(
            name: "a place's name with a slash", text: "[place.\"a/b\"]\nlat = 1\nlon = 2\n",
            expected: ["1:1: \"a/b\" is not a valid place name; use 1 to 64 letters, digits, `-`, `_` and `.`"]),
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
            name: "an unclosed array nested 500,000 times", text: "a = " + String(repeating: "[", count: 500_000),
            expected: ["1:21: the value is nested too deeply; use at most 3 parts in a key"]),
        Mistake(
            name: "a key with 500,001 parts", text: String(repeating: "a.", count: 500_000) + "a = 1\n",
            expected: ["1:32: the value is nested too deeply; use at most 3 parts in a key"]),
        Mistake(
            name: "an unexpected character in a table header", text: "[&",
            expected: [
                "1:2: this is not a valid table name; write `[name]`, with quotes around a name that contains spaces"
            ]),
        Mistake(
            name: "a NUL character", text: "[daemon]\n# \0\n",
            expected: ["2:3: the file contains a NUL character; check that it is a text file"]),
        Mistake(
            name: "several mistakes, in the order of their lines",
            text: "[queries]\nnext_count = 0\n[[feed]]\nid = \"a\"\nprovider = \"nope\"\n",
            expected: [
                "2:14: `next_count` is 0; use a value from 1 to 50 departures",
                "5:12: there is no provider \"nope\"; use \(providers)",
            ]),
        Mistake(
            name: "a mistake after strings, comments and nesting",
            text: "\"place\".'home' = { lat = 1.0, lon = 2.0 } # ] [daemon\n"
                + "[[feed]]\nid = \"\"\"a\"\"\"\nprovider = 'demo'\nlimits = { ratio = \"a # b\" }\n",
            expected: ["5:20: `ratio` is a string, not a whole number; write `ratio = 200`"]),
    ]
}
