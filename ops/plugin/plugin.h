/* Plug-ins: shared libraries that define OPCONFORM_PLUGIN (include/opconform.h). */
#ifndef OPS_PLUGIN_PLUGIN_H
#define OPS_PLUGIN_PLUGIN_H

#include "operator.h"

typedef struct Plugin {
    char path[4096];
    void *handle;
    const opconform_plugin *given;
} Plugin;

/* Loads a plug-in into this process and adds its operators, which stay; the same again for a file
 * that is there already.  It is loaded in a child process first, where its operators are checked,
 * so that one that crashes does no harm.  NULL with one sentence in *error. */
const Plugin *plugin_load(const char *path, Text *error);

/* The plug-ins that are loaded, by number from 0; NULL behind the last. */
const Plugin *plugin_loaded(int number);

/* Number `i` of its kernels; NULL behind the last. */
const opconform_kernel *plugin_kernel(const Plugin *plugin, int i);

#endif
