/* Functions of the C library that libraries are to find in this program first, where its symbols
 * are exported.  SANITIZED: a sanitizer has such functions of its own. */
#ifndef FUZZ_CHECK_INTERPOSED_H
#define FUZZ_CHECK_INTERPOSED_H

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif

#define PUBLIC __attribute__((visibility("default")))

#endif
