/* Cases of tests, from their lines. */
#ifndef TESTS_CHECK_CASE_H
#define TESTS_CHECK_CASE_H

#include "check.h"
#include "ops/case/case.h"

static inline Case check_case(const char *line)
{
    Case c;
    Text error = {0};
    CHECK(case_parse(&c, line, &error));
    text_release(&error);
    return c;
}

#endif
