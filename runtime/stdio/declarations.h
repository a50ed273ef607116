/* Functions that libc has but no header declares for us. */
#ifndef IOL_RUNTIME_STDIO_DECLARATIONS_H
#define IOL_RUNTIME_STDIO_DECLARATIONS_H

#include <stdarg.h>
#include <stdio.h>
#include <wchar.h>

size_t __fread_chk(void *to, size_t room, size_t size, size_t n, FILE *stream);
size_t __fread_unlocked_chk(void *to, size_t room, size_t size, size_t n, FILE *stream);
char *__fgets_chk(char *to, size_t all, int room, FILE *stream);
char *__fgets_unlocked_chk(char *to, size_t all, int room, FILE *stream);
wchar_t *__fgetws_chk(wchar_t *to, size_t all, int room, FILE *stream);
int _IO_getc(FILE *stream);
int _IO_putc(int c, FILE *stream);
int __vfprintf_chk(FILE *stream, int flag, const char *format, va_list values);
int __vprintf_chk(int flag, const char *format, va_list values);
int __vfwprintf_chk(FILE *stream, int flag, const wchar_t *format, va_list values);
int __vwprintf_chk(int flag, const wchar_t *format, va_list values);
int __fprintf_chk(FILE *stream, int flag, const char *format, ...);
int __printf_chk(int flag, const char *format, ...);
int __fwprintf_chk(FILE *stream, int flag, const wchar_t *format, ...);
int __wprintf_chk(int flag, const wchar_t *format, ...);

#endif
