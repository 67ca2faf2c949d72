import Glibc
import Synchronization
import Testing
import TransitSystem
import TransitTestTraits

/// Threads that the system cannot create.
@Suite(.ownThreads) struct NamedThreadTests {
    private static let faults = ThreadFaults { _ in true }

    @Test func threadThatCannotBeStartedIsAnErrorThatNamesTheLimit() async {
        let isRun = Mutex(false)
        let failure = await #expect(throws: SystemFailure.self) {
            try await ThreadFaults.$current.withValue(Self.faults) {
                try await BlockingWork.run("test", CancellationFlag()) { isRun.withLock { $0 = true } }
            }
        }
        #expect(failure?.number == EAGAIN && !isRun.withLock { $0 })
        #expect(
            failure?.description
                == "the thread \"test\" cannot be started: Resource temporarily unavailable "
                + "(raise the limit on threads: TasksMax= in the unit, or ulimit -u in a shell)")
    }

    @Test func componentsWithoutTheirThreadsAreErrors() {
        ThreadFaults.$current.withValue(Self.faults) {
            #expect(throws: SystemFailure.self) { try DaemonExecutor() }
            #expect(throws: SystemFailure.self) { try BootTimeTimer() }
        }
    }

    /// A thread that a test starts passes the test's faults on to the threads that it starts.
    @Test func faultsConcernTheThreadsOfAThread() async throws {
        let result = try await ThreadFaults.$current.withValue(ThreadFaults { $0 == "second" }) {
            try await BlockingWork.run("first", CancellationFlag()) {
                Result { () throws(SystemFailure) in try NamedThread.start("second") {} }
            }
        }
        #expect(throws: SystemFailure.self) { try result.get() }
    }
}
