/* What a worker sends is a finding that can be read.  Where it is none, and no kernel is found to
 * have written it, our own code wrote what it cannot read: a finding is lost, which is an error of
 * ours and of no library. */
#include "campaign_parts.h"
#include "untrusted.h"

/* So many are printed; the summary has their number. */
enum { PRINTED_MOST = 8 };

Text *unreadable_note(Campaign *campaign, const FindingMessage *message, const Text *why,
                      Text *told)
{
    const char *const *backends = campaign->options->backends;
    int backend = message->result.backend;
    campaign->unreadable++;
    if (told->length > 0)
        return told;
    if (untrusted_backend(backend, backends))
        text_printf(told, "of %s, ", backends[backend]);
    text_printf(told, "case %llu of its worker: %s", (unsigned long long)message->number,
                text_string(why));
    return told;
}

void unreadable_report(Campaign *campaign, Text *told)
{
    if (told->length == 0)
        return;
    campaign->internal_error = true;
    if (campaign->unreadable_printed++ < PRINTED_MOST)
        escape_print(stderr, "opconform: internal error: a finding cannot be read: %s\n",
                     text_string(told));
    text_clear(told);
}
