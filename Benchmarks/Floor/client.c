// The floor for the process `transitctl next`: a static program that connects, sends one line and reads one line.
//
//   client SOCKET LINE
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(int count, char **arguments) {
    if (count != 3) return 64;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(arguments[1]) >= sizeof address.sun_path) return 64;
    strcpy(address.sun_path, arguments[1]);
    int server = socket(AF_UNIX, SOCK_STREAM, 0);
    if (server < 0 || connect(server, (struct sockaddr *)&address, sizeof address)) return 69;
    char buffer[65536];
    size_t length = strlen(arguments[2]);
    if (length >= sizeof buffer) return 64;
    memcpy(buffer, arguments[2], length);
    buffer[length++] = '\n';
    if (write(server, buffer, length) != (ssize_t)length) return 1;
    for (;;) {
        ssize_t received = read(server, buffer, sizeof buffer);
        if (received <= 0) return 1;
        if (write(STDOUT_FILENO, buffer, (size_t)received) != received) return 1;
        if (buffer[received - 1] == '\n') return 0;
    }
}
