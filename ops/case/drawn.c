#include "drawn.h"

bool drawn_find(const Drawn *drawn, uint64_t key, Case *c)
{
    for (int i = 0; key && i < DRAWN_KEPT; i++)
        if (drawn->keys[i] == key) {
            case_copy(c, &drawn->cases[i]);
            return true;
        }
    return false;
}

void drawn_keep(Drawn *drawn, uint64_t key, const Case *c)
{
    drawn->keys[drawn->next] = key;
    case_copy(&drawn->cases[drawn->next], c);
    drawn->next = (drawn->next + 1) % DRAWN_KEPT;
}
