internal import Glibc

/// Raw mode of the terminal: no echo, and every key is delivered immediately.
enum RawKeyboard {
    /// Runs `body` in raw mode and restores the terminal.
    ///
    /// - Parameter refusal: Creates the error to throw if the terminal mode cannot be set, from an `errno`.
    static func use<Value, Failure: Error>(
        orElse refusal: (Int32) -> Failure, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        // Blocks signals, since a signal that ends the program would leave the terminal without echo.
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
