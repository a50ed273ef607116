/* iolite/version.h: the release that this header is of. docs/stability.md says what a release promises. */
#ifndef IOLITE_VERSION_H
#define IOLITE_VERSION_H

#define IOL_VERSION_MAJOR 0
#define IOL_VERSION_MINOR 1
#define IOL_VERSION_PATCH 0

/* For comparisons: #if IOL_VERSION >= IOL_VERSION_NUMBER(0, 2, 0) */
#define IOL_VERSION_NUMBER(major, minor, patch) ((major)*1000000 + (minor)*1000 + (patch))
#define IOL_VERSION IOL_VERSION_NUMBER(IOL_VERSION_MAJOR, IOL_VERSION_MINOR, IOL_VERSION_PATCH)

#endif
