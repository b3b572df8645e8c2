/* How the projects of libraries ask for reports: the sections of issue.projects. */
#ifndef REPORTS_ISSUE_PROJECT_H
#define REPORTS_ISSUE_PROJECT_H

#include "reference/base.h"

/* Texts are empty where the section has no such setting. */
typedef struct IssueProject {
    Text name;    /* of the library, as the project writes it */
    Text link;    /* where a report is opened */
    Text run;     /* variables with which the program is run */
    Text collect; /* a command that prints the environment */
    Text text;    /* with placeholders */
} IssueProject;

/* That of a library, or the one for all that have none; it is to be released. */
void issue_project_find(const char *library, IssueProject *project);
void issue_project_release(IssueProject *project);

/* Appends the text with the values of its placeholders, without headings that have nothing below
 * them. */
typedef struct IssueValue {
    const char *name, *text;
} IssueValue;
/* values ends with one that has no name; those that the text does not ask for are left out. */
void issue_project_fill(const char *text, const IssueValue *values, Text *filled);

#endif
