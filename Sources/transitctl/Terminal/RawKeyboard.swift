internal import Glibc

/// A terminal that shows nothing by itself and hands over every key as it is pressed.
enum RawKeyboard {
    /// Runs `body` so, and makes the terminal as it was.
    ///
    /// - Parameter refusal: makes the error for a terminal that cannot be set from the system's error number.
    static func use<Value, Failure: Error>(
        orElse refusal: (Int32) -> Failure, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        // While the terminal shows nothing no signal may end the program: it would stay so.
        var blocked = sigset_t()
        sigfillset(&blocked)
        var before = sigset_t()
        sigprocmask(SIG_BLOCK, &blocked, &before)
        defer { sigprocmask(SIG_SETMASK, &before, nil) }
        var usual = termios()
        guard tcgetattr(STDIN_FILENO, &usual) == 0 else { throw refusal(errno) }
        var raw = usual
        raw.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw) == 0 else { throw refusal(errno) }
        defer { tcsetattr(STDIN_FILENO, TCSAFLUSH, &usual) }
        return try body()
    }
}
