/* What is printed between begin and end is captured, and a new file takes the place of the old one,
 * however often: it takes no more descriptors. */
#include "fuzz/check/capture.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/check.h"

/* The lowest descriptor that is free. */
static int next_descriptor(void)
{
    int next = dup(STDERR_FILENO);
    (void)close(next);
    return next;
}

int main(void)
{
    enum { FILES = 100 };
    char text[64];
    capture_open();
    int next = next_descriptor();
    for (int i = 0; i < FILES; i++) {
        char line[32];
        capture_open();
        capture_read(text, sizeof text);
        CHECK(text[0] == '\0');
        (void)snprintf(line, sizeof line, "line %d", i);
        capture_begin();
        puts(line);
        capture_end();
        capture_read(text, sizeof text);
        CHECK(!strcmp(text, line));
    }
    CHECK(next_descriptor() == next);
    return check_end("capture");
}
