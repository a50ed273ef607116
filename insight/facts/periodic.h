/* Whether data moves in a rhythm: the spectrum of bytes over time, checked by how like the signal is to itself one
   period later. It sees rhythms in which single phases cannot be distinguished. */
#ifndef IOL_INSIGHT_PERIODIC_H
#define IOL_INSIGHT_PERIODIC_H

#include <stdbool.h>
#include <stddef.h>

enum { IOL_SIGNAL_POINTS = 4096 /* at most; a power of two */ };

/* Bytes by time, in equal steps. */
typedef struct iol__signal {
    double *bytes; /* behind them is room that only the functions here use */
    size_t count;  /* a power of two, or 0: there is none */
    double width;  /* seconds a point */
} iol__signal;

typedef struct iol__rhythm {
    bool found;
    double period;     /* seconds */
    double confidence; /* 0..1: how far the peak stands out, and how much the signal is like itself */
} iol__rhythm;

/* A silent signal of this length in seconds; without memory, or for no time at all, it has no points. */
iol__signal iol__signal_new(double seconds, size_t points);
void iol__signal_free(iol__signal *signal);
/* Bytes that moved between two times, evenly. */
void iol__signal_add(iol__signal *signal, double start, double end, double bytes);
/* To be called once behind the last addition. */
void iol__signal_finish(iol__signal *signal);

iol__rhythm iol__rhythm_find(const iol__signal *signal);
/* The part of a period in which 95 % of its bytes move: the median over the periods that have any. NAN: not known. */
double iol__rhythm_duty(const iol__signal *signal, double period);

#endif
