/* Words of a mode become a promise. */
#include "own_promise.h"

#include "mode_words.h"

bool own_promise_read(Backend *backend, Text *error)
{
    bool flush = false, faithful = false, absolute = false, unordered = false, narrow = false;
    const ModeWord words[] = {{"flush", &flush},
                              {"faithful", &faithful},
                              {"absolute", &absolute},
                              {"unordered", &unordered},
                              {"narrow", &narrow}};
    if (!mode_read_words(backend->mode, words, COUNT_OF(words), 0, NULL, error))
        return false;
    backend->promise.models = flush      ? models_flushing
                              : faithful ? models_faithful
                              : absolute ? models_absolute
                                         : models_ieee;
    if (flush) {
        backend->promise.readings = models_flush_readings;
        backend->promise.inputs = readings_flushed;
    }
    backend->promise.unordered = unordered;
    backend->promise.narrow = narrow;
    return true;
}
