/* JSON without a library: keys are ours, and texts of others are cleaned. */
#include "runtime/output/sections.h"

void iol__say_key(iol__text *json, const char *name) {
    const char last = json->length ? json->to[json->length - 1] : 0;
    iol__text_add(json, last == 0 ? "{\"" : last == '{' ? "\"" : ",\"");
    iol__text_add(json, name);
    iol__text_add(json, "\":");
}

void iol__say_count(iol__text *json, const char *name, uint64_t n) {
    if (n == 0) return;
    iol__say_key(json, name);
    iol__text_number(json, (int64_t)n);
}

/* What JSON would not take as it is becomes a question mark. */
void iol__say_text(iol__text *json, const char *name, const char *text) {
    iol__say_key(json, name);
    iol__text_add(json, "\"");
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        iol__text_bytes(json, c < ' ' || c >= 127 || c == '"' || c == '\\' ? "?" : text, 1);
    }
    iol__text_add(json, "\"");
}

/* Seconds, with the nine digits that tell one unit from the next. */
static void add_time(iol__text *json, const char *name, uint64_t units) {
    const uint64_t whole = units >> 28, billionths = ((units & ((1 << 28) - 1)) * 1000000000) >> 28;
    iol__text_add(json, name);
    iol__text_number(json, (int64_t)whole);
    iol__text_add(json, ".");
    for (uint64_t digit = 100000000; digit > 0; digit /= 10) iol__text_number(json, (int64_t)(billionths / digit % 10));
}

void iol__say_folded(iol__text *json, const iol__left_out *left_out) {
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++)
        iol__say_count(json, iol__modules[slot].name, left_out->folded[slot]);
    iol__say_count(json, "trace_lost", left_out->trace_lost);
    iol__say_count(json, "lost", left_out->lost);
    iol__say_count(json, "ring_unseen", left_out->ring_unseen);
    iol__say_count(json, "calls_unseen", left_out->calls_unseen);
    iol__say_count(json, "spaces_unseen", left_out->spaces_unseen);
    iol__say_count(json, "stopped", left_out->stopped);
}

void iol__say_operations(iol__text *json, const iol__operation total[IOL_OPERATIONS]) {
    static const char *const names[] = {
#define OPERATION(NAME, name, alone, what) name,
#include "schema/operations.def"
#undef OPERATION
    };
    for (int i = 0; i < IOL_OPERATIONS; i++) {
        if (total[i].count == 0 && total[i].failed == 0) continue;
        iol__say_key(json, names[i]);
        iol__text_add(json, "{\"count\":");
        iol__text_number(json, (int64_t)total[i].count);
        iol__text_add(json, ",\"failed\":");
        iol__text_number(json, (int64_t)total[i].failed);
        add_time(json, ",\"time\":", total[i].time);
        add_time(json, ",\"slowest\":", total[i].slowest);
        iol__text_add(json, "}");
    }
}
