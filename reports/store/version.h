/* The version that runs and reports carry. */
#ifndef REPORTS_VERSION_H
#define REPORTS_VERSION_H

#define OPCONFORM_VERSION "0.1.0"

#endif
