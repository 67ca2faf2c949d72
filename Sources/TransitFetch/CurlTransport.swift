internal import CCurl
internal import Synchronization
package import TransitSystem

/// Sends requests over the network with libcurl's multi interface, on one thread that keeps connections open between
/// polls.
///
/// The thread runs while there are transfers and for ``idleSeconds`` after the last one, then closes the connections
/// and exits. Between events, the thread sleeps in the kernel, so it causes no wake-ups while the daemon fetches
/// nothing.
package final class CurlTransport: Transport {
    /// A request that the thread has not started yet.
    struct Pending: Sendable {
        var number: Int
        var request: FetchRequest
        var completion: @Sendable (FetchResult) -> Void
        var watch = Stopwatch()
    }

    private struct State {
        var pending: [Pending] = []
        var canceled: [Int] = []
        var lastNumber = 0
        var isRunning = false
        /// Set while the thread is running.
        var multi: CurlMulti?
    }

    /// How long idle connections stay open, in seconds of real time: longer than the usual polling interval, and about
    /// as long as servers keep connections open.
    static let idleSeconds = 90

    /// The reason why libcurl cannot be used; `nil` if it can be used. The first access loads libcurl.
    static let loadError: String? = ccurl_load().map { String(cString: $0) }

    private let state = Mutex(State())

    package init() {}

    package func start(
        _ request: FetchRequest, until flag: CancellationFlag, completion: @escaping @Sendable (FetchResult) -> Void
    ) {
        if let error = Self.loadError { return completion(FetchResult(failure: .unavailable(error))) }
        let (number, isFirst, multi) = state.withLock { state in
            state.lastNumber += 1
            state.pending.append(Pending(number: state.lastNumber, request: request, completion: completion))
            defer { state.isRunning = true }
            return (state.lastNumber, !state.isRunning, state.multi)
        }
        if isFirst { startThread() } else { multi?.wake() }
        flag.onSet { [weak self] in self?.cancel(number) }
    }

    private func cancel(_ number: Int) {
        state.withLock { state in
            guard state.isRunning else { return }
            state.canceled.append(number)
            state.multi?.wake()
        }
    }

    private func startThread() {
        do throws(SystemFailure) {
            try NamedThread.start("fetch") { [self] in run() }
        } catch { failAll(with: .unavailable("\(error)")) }
    }

    private func run() {
        guard let multi = CurlMulti() else { return failAll(with: .unavailable("out of memory")) }
        state.withLock { $0.multi = multi }
        var transfers = CurlTransfers(multi)
        while true {
            let (pending, canceled) = state.withLock { state in
                defer { (state.pending, state.canceled) = ([], []) }
                return (state.pending, state.canceled)
            }
            for request in pending { transfers.startThread(request) }
            for number in canceled { transfers.end(number, .canceled) }
            guard transfers.advance() else {
                transfers.endAll(.other("libcurl has failed"))
                return failAll(with: .other("libcurl has failed"))
            }
            // libcurl stops waiting when the deadline of a transfer passes.
            let isIdle = transfers.isEmpty
            multi.wait(seconds: isIdle ? Self.idleSeconds : 3600)
            if isIdle && exitIfIdle() { return }
        }
    }

    /// Returns true if there is no pending request. The thread then exits, and the next request starts another one.
    private func exitIfIdle() -> Bool {
        state.withLock { state in
            guard state.pending.isEmpty else { return false }
            (state.multi, state.isRunning, state.canceled) = (nil, false, [])
            return true
        }
    }

    private func failAll(with failure: TransportFailure) {
        let pending = state.withLock { state in
            defer { (state.pending, state.canceled, state.multi, state.isRunning) = ([], [], nil, false) }
            return state.pending
        }
        for request in pending { request.completion(FetchResult(failure: failure)) }
    }
}

/// The transfers in progress. Used only on the transport's thread.
private struct CurlTransfers {
    private let multi: CurlMulti
    private var transfers: [UnsafeMutableRawPointer: CurlTransfer] = [:]

    init(_ multi: CurlMulti) { self.multi = multi }

    var isEmpty: Bool { transfers.isEmpty }

    mutating func startThread(_ pending: CurlTransport.Pending) {
        do throws(TransportFailure) {
            let transfer = try CurlTransfer(pending)
            try enter(transfer)
        } catch {
            pending.completion(FetchResult(failure: error))
        }
    }

    private mutating func enter(_ transfer: CurlTransfer) throws(TransportFailure) {
        guard multi.add(transfer.handle) else { throw .unavailable("out of memory") }
        transfers[transfer.handle] = transfer
    }

    mutating func end(_ number: Int, _ failure: TransportFailure) {
        guard let transfer = transfers.values.first(where: { $0.number == number }) else { return }
        leave(transfer)
        transfer.end(failure)
    }

    mutating func endAll(_ failure: TransportFailure) {
        for transfer in transfers.values {
            leave(transfer)
            transfer.end(failure)
        }
    }

    private mutating func leave(_ transfer: CurlTransfer) {
        transfers[transfer.handle] = nil
        multi.remove(transfer.handle)
    }

    /// Returns false if libcurl's multi interface itself failed.
    mutating func advance() -> Bool {
        var hasMore = true
        while hasMore {
            guard multi.advance() else { return false }
            hasMore = false
            while let (handle, code) = multi.ended() {
                guard let transfer = transfers[handle] else { continue }
                leave(transfer)
                guard transfer.responseEnded(code) == .redirected else { continue }
                hasMore = true
                do throws(TransportFailure) { try enter(transfer) } catch { transfer.end(error) }
            }
        }
        return true
    }
}

/// libcurl's multi handle.
///
/// `@unchecked Sendable` because the pointer is shared: only the transport's thread calls the methods other than
/// ``wake()``, and curl_multi_wakeup(3) may be called from any thread while the handle exists, which a reference to
/// this object guarantees.
final class CurlMulti: @unchecked Sendable {
    private let multi: UnsafeMutableRawPointer
    /// Maximum number of connections kept open: enough for a few upstreams with one or two connections each.
    private static let connections: Int32 = 16

    init?() {
        guard let multi = ccurl_multi_create(Self.connections) else { return nil }
        self.multi = multi
    }

    deinit { ccurl_multi_destroy(multi) }

    func wake() { ccurl_multi_wake(multi) }

    fileprivate func add(_ handle: UnsafeMutableRawPointer) -> Bool { ccurl_multi_add(multi, handle) == 0 }
    fileprivate func remove(_ handle: UnsafeMutableRawPointer) { ccurl_multi_remove(multi, handle) }
    fileprivate func advance() -> Bool { ccurl_multi_advance(multi) == 0 }
    fileprivate func wait(seconds: Int) { _ = ccurl_multi_wait(multi, Int32(clamping: seconds * 1000)) }

    fileprivate func ended() -> (handle: UnsafeMutableRawPointer, code: Int32)? {
        var code: Int32 = 0
        return ccurl_multi_ended(multi, &code).map { ($0, code) }
    }
}
