// The floor for a request over an open connection: a server that returns each line. It handles one client at a time on
// one thread.
//
//   echo SOCKET
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(int count, char **arguments) {
    if (count != 2) return 64;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(arguments[1]) >= sizeof address.sun_path) return 64;
    strcpy(address.sun_path, arguments[1]);
    unlink(arguments[1]);
    int server = socket(AF_UNIX, SOCK_STREAM, 0);
    if (server < 0 || bind(server, (struct sockaddr *)&address, sizeof address) || listen(server, 8)) return 1;
    puts("ready");
    fflush(stdout);
    static char buffer[65536];
    for (;;) {
        int client = accept(server, NULL, NULL);
        if (client < 0) return 1;
        ssize_t received;
        while ((received = read(client, buffer, sizeof buffer)) > 0)
            if (write(client, buffer, (size_t)received) != received) break;
        close(client);
    }
}
