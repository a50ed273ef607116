/* The report: one HTML file with everything inside. The essential figures are plain HTML, for readers without scripts
   and for search; the page document, the trace and the application are compressed blocks that a few lines of script
   unpack. Nothing is fetched. */
#ifndef IOL_REPORT_HTML_H
#define IOL_REPORT_HTML_H

#include "report/page/page.h"

void iol__html(iol__out *out, const iol__page *page, const iol__diagnosis *diagnosis);

#endif
