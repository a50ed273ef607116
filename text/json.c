/* The JSON writer. Two flags are all the state it needs: whether a comma is due, and whether a key waits for its value. */
#include "text/json.h"

#include "text/text.h"

void iol__json_start(iol__json *json, iol__out *out, int lines) { *json = (iol__json){.out = out, .lines = lines}; }

void iol__json_finish(iol__json *json) {
    if (json->comma) iol__out_char(json->out, '\n');
    json->comma = false;
}

/* Whether items of the open container have lines of their own. */
static inline bool json_by_line(const iol__json *json) { return json->depth > 0 && json->depth <= json->lines; }

static void new_json_line(iol__json *json) {
    iol__out_char(json->out, '\n');
    iol__out_repeat(json->out, ' ', 2 * (size_t)json->depth);
}

/* What stands between the previous item and this one. */
static inline void separate(iol__json *json) {
    if (json->after_key) {
        json->after_key = false;
        return;
    }
    if (json->comma) iol__out_char(json->out, ',');
    if (json_by_line(json)) new_json_line(json);
    json->comma = true;
}

void iol__json_open(iol__json *json, char bracket) {
    separate(json);
    iol__out_char(json->out, bracket);
    json->depth++;
    json->comma = false;
}

void iol__json_close(iol__json *json, char bracket) {
    bool broken = json->comma && json_by_line(json);
    json->depth--;
    if (broken) new_json_line(json);
    iol__out_char(json->out, bracket);
    json->comma = true;
}

void iol__json_key_bytes(iol__json *json, const char *key, size_t length) {
    separate(json);
    char *at = iol__out_room(json->out, length + 4);
    *at++ = '"';
    memcpy(at, key, length);
    at += length;
    *at++ = '"';
    *at++ = ':';
    json->out->length += length + 3;
    if (json_by_line(json)) iol__out_char(json->out, ' ');
    json->after_key = true;
}

void iol__json_key(iol__json *json, const char *key) { iol__json_key_bytes(json, key, strlen(key)); }

/* Strings ------------------------------------------------------------------------------------------------------ */

static void json_escape(iol__out *out, char c) {
    static const char special[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
    const char *found = strchr(special, c);
    if (!found) {
        iol__out_printf(out, "\\u%04x", (unsigned char)c);
        return;
    }
    iol__out_char(out, '\\');
    iol__out_char(out, letters[found - special]);
}

static void string(iol__out *out, const char *text) {
    iol__out_char(out, '"');
    while (*text) {
        size_t plain = 0;
        while (text[plain] >= 0x20 && text[plain] != '"' && text[plain] != '\\' && text[plain] < 0x7f) plain++;
        iol__out_bytes(out, text, plain);
        text += plain;
        if (!*text) break;
        int32_t code;
        size_t taken = iol__utf8_decode(text, &code);
        if (code < 0)
            iol__out_text(out, "\xef\xbf\xbd"); /* U+FFFD */
        else if (code < 0x20 || code == '"' || code == '\\')
            json_escape(out, *text);
        else if (code < 0xa0) /* DEL and the second set of controls would still act on a terminal */
            iol__out_printf(out, "\\u%04x", (unsigned)code);
        else
            iol__out_bytes(out, text, taken);
        text += taken;
    }
    iol__out_char(out, '"');
}

void iol__json_key_text(iol__json *json, const char *key) {
    separate(json);
    string(json->out, key);
    iol__out_char(json->out, ':');
    if (json_by_line(json)) iol__out_char(json->out, ' ');
    json->after_key = true;
}

/* Values ------------------------------------------------------------------------------------------------------- */

static void json_word(iol__json *json, const char *text) {
    separate(json);
    iol__out_text(json->out, text);
}

void iol__json_i64(iol__json *json, int64_t value) {
    separate(json);
    iol__out_i64(json->out, value);
}

void iol__json_u64(iol__json *json, uint64_t value) {
    separate(json);
    iol__out_u64(json->out, value);
}

void iol__json_real(iol__json *json, double value) {
    separate(json);
    iol__out_double(json->out, value);
}

void iol__json_bool(iol__json *json, bool value) { json_word(json, value ? "true" : "false"); }

void iol__json_text(iol__json *json, const char *text) {
    if (!text) {
        json_word(json, "null");
        return;
    }
    separate(json);
    string(json->out, text);
}

void iol__json_id(iol__json *json, uint64_t id) {
    separate(json);
    iol__out_char(json->out, '"');
    iol__out_u64(json->out, id);
    iol__out_char(json->out, '"');
}

/* Members ------------------------------------------------------------------------------------------------------ */

void iol__json_put_open(iol__json *json, const char *key, char bracket) {
    iol__json_key(json, key);
    iol__json_open(json, bracket);
}

void iol__json_put_i64(iol__json *json, const char *key, int64_t value) {
    iol__json_key(json, key);
    iol__json_i64(json, value);
}

void iol__json_put_u64(iol__json *json, const char *key, uint64_t value) {
    iol__json_key(json, key);
    iol__json_u64(json, value);
}

void iol__json_put_real(iol__json *json, const char *key, double value) {
    iol__json_key(json, key);
    iol__json_real(json, value);
}

void iol__json_put_bool(iol__json *json, const char *key, bool value) {
    iol__json_key(json, key);
    iol__json_bool(json, value);
}

void iol__json_put_id(iol__json *json, const char *key, uint64_t id) {
    iol__json_key(json, key);
    iol__json_id(json, id);
}

void iol__json_put_text(iol__json *json, const char *key, const char *text) {
    static const char digits[] = "0123456789abcdef";
    iol__json_key(json, key);
    iol__json_text(json, text);
    if (!text || iol__utf8_valid(text)) return;
    separate(json);
    iol__out_printf(json->out, "\"%s_hex\":\"", key);
    for (; *text; text++) {
        iol__out_char(json->out, digits[*text >> 4 & 0xf]);
        iol__out_char(json->out, digits[*text & 0xf]);
    }
    iol__out_char(json->out, '"');
}
