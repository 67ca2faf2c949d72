import Testing
import TransitDaemon

/// A syntax error is reported as the mistake that it probably is, with its position and a remedy.
@Suite struct ConfigurationSyntaxTests {
    struct Mistake: CustomTestStringConvertible, Sendable {
        var text: String
        /// `LINE:COLUMN: message; remedy`.
        var expected: String
        var testDescription: String { text }

        init(_ text: String, _ expected: String) { (self.text, self.expected) = (text, expected) }
    }

    @Test(arguments: mistakes)
    func syntaxErrorIsDiagnosed(_ mistake: Mistake) {
        let error = #expect(throws: ConfigurationError.self) { try Configuration(text: mistake.text, file: "f") }
        #expect(error?.description == "f:" + mistake.expected)
    }

    static let mistakes: [Mistake] = [
        Mistake("[[feed]]\nid = \"a\nprovider = \"gtfs\"\n", "2:8: the string has no closing quote; end it with `\"`"),
        Mistake("id = 'a\n", "1:8: the string has no closing quote; end it with `'`"),
        Mistake("id = \"a", "1:8: the string has no closing quote; end it with `\"`"),
        Mistake("id = \"\"\"a\nb = 1\n", "2:7: the string has no closing quote; end it with `\"\"\"`"),
        Mistake("id = \"a\u{1}b\"\n", "1:8: the string contains a control character; remove it"),
        Mistake("id = a\"\n", "1:6: `id` is a string without quotes; put it in quotes: `id = \"a\"`"),
        Mistake(
            "static = https://a.example/b.zip?key=secret # mine\n",
            "1:10: `static` is a string without quotes; put it in quotes: `static = \"https://a.example/b.zip…\"`"),
        Mistake("key = s3cret\n", "1:7: `key` is a string without quotes; put it in quotes: `key = \"…\"`"),
        Mistake(
            "window = 07:00-09:00\n",
            "1:10: `window` is a string without quotes; put it in quotes: `window = \"07:00-09:00\"`"),
        Mistake(
            "static = file.zip\n",
            "1:11: `static` is a string without quotes; put it in quotes: `static = \"file.zip\"`"),
        Mistake(
            "refresh = 90s\n", "1:13: `refresh` is a string without quotes; put it in quotes: `refresh = \"90s\"`"),
        Mistake("key =\n", "1:6: `key` has no value; write it after the `=`, or remove the line"),
        Mistake("key = # mine\n", "1:7: `key` has no value; write it after the `=`, or remove the line"),
        Mistake("id = “a”\n", "1:6: `id` is in curly quotes; use straight quotes: `\"`"),
        Mistake("id: \"a\"\n", "1:3: there is a `:` after `id`; write `id = …`"),
        Mistake("just words\n", "1:6: there is no `=` on this line; write `key = value`, or begin a comment with `#`"),
        Mistake("= 3\n", "1:1: there is no key before the `=`; write `key = value`"),
        Mistake("id = 1\nid = 2\n", "2:6: `id` is defined twice; remove one of them"),
        Mistake(
            "id = 1 b = 2\n", "1:8: there is text after the value of `id`; write each key on a line of its own"),
        Mistake("id = \"a\",\n", "1:9: there is a comma after `id`; remove it"),
        Mistake("lat = 37,5\n", "1:9: `lat` has a comma; use a decimal point: `lat = 37.5`"),
        Mistake(
            "lat = .5\n", "1:7: `lat` needs digits on both sides of its decimal point; write a number such as `0.5`"),
        Mistake("hour = 08\n", "1:10: `hour` begins with a zero; remove the zero, or put the value in quotes"),
        Mistake("n = 99999999999999999999\n", "1:25: `n` is too large; use a smaller number"),
        Mistake("lat = -1e400\n", "1:13: `lat` is too large; use a smaller number"),
        Mistake(
            "p = \"C:\\a\"\n",
            "1:9: a `\\` in double quotes begins an escape sequence; write `\\\\`, or use single quotes"),
        Mistake(
            "l = [1, 2\n", "1:11: the list has no closing bracket; separate its values with `,` and end it with `]`"),
        Mistake(
            "l = { a = 1,\nb = 2 }\n",
            "1:13: the inline table does not end on its line; write it on one line and end it with `}`"),
        Mistake("[place.home\nlat = 1\n", "1:12: the table header does not end with `]`; add `]`"),
        Mistake(
            "[place] home =\n",
            "1:9: there is text after the table's `]`; write each key on a line of its own below it"),
        Mistake("[place home]\n", "1:8: the table header does not end with `]`; add `]`"),
        Mistake("[a]\n[a]\n", "2:1: the table `[a]` is defined twice; put the keys of both below the first one"),
        Mistake(
            "[feed]\n[[feed]]\n", "2:1: `[feed]` and `[[feed]]` cannot both be used; write each of them as `[[feed]]`"),
    ]
}
