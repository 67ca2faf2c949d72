internal import CCurl
internal import Foundation
internal import Synchronization

/// The network: libcurl's multi interface on one thread, which keeps connections open from one poll to the next.
///
/// The thread is there while something is under way and for ``idleSeconds`` after; then it closes the connections and ends.
/// Between the two it sleeps in the kernel: a daemon that fetches nothing does not wake for this.
final class CurlTransport: Transport {
    /// A request that waits for the thread.
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
        /// While the thread runs.
        var multi: CurlMulti?
    }

    /// Real seconds that connections stay open without a request: longer than the usual time between two polls, and about as
    /// long as servers keep them.
    static let idleSeconds = 90

    /// Why libcurl cannot be used; the first access loads it.
    static let refusal: String? = ccurl_load().map { String(cString: $0) }

    private let state = Mutex(State())

    func start(
        _ request: FetchRequest, until flag: CancellationFlag, completion: @escaping @Sendable (FetchResult) -> Void
    ) {
        if let refusal = Self.refusal { return completion(FetchResult(failure: .unavailable(refusal))) }
        let (number, isFirst, multi) = state.withLock { state in
            state.lastNumber += 1
            state.pending.append(Pending(number: state.lastNumber, request: request, completion: completion))
            defer { state.isRunning = true }
            return (state.lastNumber, !state.isRunning, state.multi)
        }
        if isFirst { begin() } else { multi?.wake() }
        flag.onSet { [weak self] in self?.cancel(number) }
    }

    private func cancel(_ number: Int) {
        state.withLock { state in
            guard state.isRunning else { return }
            state.canceled.append(number)
            state.multi?.wake()
        }
    }

    private func begin() {
        Thread.start("fetch") { [self] in run() }
    }

    private func run() {
        guard let multi = CurlMulti() else { return failAll(with: .unavailable("there is no memory")) }
        state.withLock { $0.multi = multi }
        var transfers = CurlTransfers(multi)
        while true {
            let (pending, canceled) = state.withLock { state in
                defer { (state.pending, state.canceled) = ([], []) }
                return (state.pending, state.canceled)
            }
            for request in pending { transfers.begin(request) }
            for number in canceled { transfers.end(number, .canceled) }
            guard transfers.advance() else {
                transfers.endAll(.other("libcurl has failed"))
                return failAll(with: .other("libcurl has failed"))
            }
            // A transfer's own deadline is known to libcurl, which ends the wait for it.
            let isIdle = transfers.isEmpty
            multi.wait(seconds: isIdle ? Self.idleSeconds : 3600)
            if isIdle && waitOrEnd() { return }
        }
    }

    /// Whether nothing has come: the thread then ends, and the next request begins another.
    private func waitOrEnd() -> Bool {
        state.withLock { state in
            guard state.pending.isEmpty else { return false }
            (state.multi, state.isRunning, state.canceled) = (nil, false, [])
            return true
        }
    }

    private func failAll(with failure: FetchFailure) {
        let pending = state.withLock { state in
            defer { (state.pending, state.canceled, state.multi, state.isRunning) = ([], [], nil, false) }
            return state.pending
        }
        for request in pending { request.completion(FetchResult(failure: failure)) }
    }
}

/// The transfers under way; belongs to the transport's thread.
private struct CurlTransfers {
    private let multi: CurlMulti
    private var transfers: [UnsafeMutableRawPointer: CurlTransfer] = [:]

    init(_ multi: CurlMulti) { self.multi = multi }

    var isEmpty: Bool { transfers.isEmpty }

    mutating func begin(_ pending: CurlTransport.Pending) {
        do throws(FetchFailure) {
            let transfer = try CurlTransfer(pending)
            try enter(transfer)
        } catch {
            pending.completion(FetchResult(failure: error))
        }
    }

    private mutating func enter(_ transfer: CurlTransfer) throws(FetchFailure) {
        guard multi.add(transfer.handle) else { throw .unavailable("there is no memory") }
        transfers[transfer.handle] = transfer
    }

    mutating func end(_ number: Int, _ failure: FetchFailure) {
        guard let transfer = transfers.values.first(where: { $0.number == number }) else { return }
        leave(transfer)
        transfer.end(failure)
    }

    mutating func endAll(_ failure: FetchFailure) {
        for transfer in transfers.values {
            leave(transfer)
            transfer.end(failure)
        }
    }

    private mutating func leave(_ transfer: CurlTransfer) {
        transfers[transfer.handle] = nil
        multi.remove(transfer.handle)
    }

    /// False when libcurl has failed as a whole.
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
                do throws(FetchFailure) { try enter(transfer) } catch { transfer.end(error) }
            }
        }
        return true
    }
}

/// libcurl's multi handle.
///
/// Unchecked, for the pointer is shared: all but ``wake()`` is called by the transport's thread alone, and curl_multi_wakeup(3)
/// may be called from any thread while the handle lives, which whoever holds this object sees to.
final class CurlMulti: @unchecked Sendable {
    private let multi: UnsafeMutableRawPointer
    /// Connections kept open at most: a few upstreams with one or two each.
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
