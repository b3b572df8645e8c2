/* timegm() takes days that no month has for those that follow: they come back as others. */
#include "day.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

bool day_parse(const char *text, int64_t *seconds, Text *error)
{
    struct tm parts = {0};
    char again[sizeof "2027-01-31"];
    bool read = sscanf(text, "%4d-%2d-%2d", &parts.tm_year, &parts.tm_mon, &parts.tm_mday) == 3 &&
                parts.tm_year >= 1000;
    parts.tm_year -= 1900;
    parts.tm_mon--;
    *seconds = timegm(&parts);
    if (read && strftime(again, sizeof again, "%Y-%m-%d", &parts) && !strcmp(again, text))
        return true;
    text_printf(error, "'%s' is no day: expected one like 2027-01-31", text);
    return false;
}
