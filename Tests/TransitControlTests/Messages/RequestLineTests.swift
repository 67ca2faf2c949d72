import Testing
import TransitControl
import TransitModel

@Suite struct ControlMethodTests {
    @Test func everyMethodIsDescribed() throws {
        let result = DescribeResult()
        #expect(result.methods.map(\.name) == ControlMethod.allCases.map(\.rawValue))
    }

    @Test func aRequestIsReadAndWritten() throws {
        let line = #"{"jsonrpc":"2.0","id":1,"method":"next","params":{"count":5}}"#
        guard case .single(let incoming) = Array(line.utf8).withUnsafeBufferPointer(RequestLine.parse) else {
            Issue.record("a batch")
            return
        }
        #expect(try incoming.request.get() == .next(NextParameters(count: 5)))
        var writer = JSONWriter()
        OutgoingLine.write(NextParameters(count: 5), id: .number(1), to: &writer)
        #expect(
            String(decoding: writer.bytes, as: UTF8.self)
                == #"{"jsonrpc":"2.0","id":1,"method":"next","params":{"count":5}}"# + "\n")
    }
}
