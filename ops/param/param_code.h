/* The kind PARAM_CODE: its part of each function of param.h. */
#ifndef OPS_PARAM_CODE_H
#define OPS_PARAM_CODE_H

#include "param.h"

void code_draw(const Param *param, Code *code, Draw *draw);
/* Adds, drops, replaces or exchanges a statement, or changes one of its numbers. */
void code_mutate(const Param *param, Code *code, Draw *draw);
void code_print(const Param *param, const Code *code, Text *text);
MUST_USE bool code_parse(const Param *param, Code *code, const char *text);
/* Statements by the tags of their names, so that a table may grow. */
void code_encode(const Param *param, const Code *code, Text *bytes);
void code_decode(const Param *param, Code *code, const uint8_t *payload, size_t size);
/* Halves first, then single statements, then smaller numbers. */
bool code_simpler(Code *code, int number);
/* The kinds of statements that there are, in the order of the table. */
void code_facet(const Param *param, const Code *code, Text *text);

#endif
