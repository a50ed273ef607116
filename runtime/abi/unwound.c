/* A thread that has left calls of MPI by an exception of C++ is in none of them any more. Compilers see to that in C
   too, with -fexceptions and cleanup, but by code of libgcc_s, which many a program does not have; this needs nothing.
   Nobody catches an exception between two of our functions but a callback of the program, and what comes behind that
   in the same callback is the program's own. */
#include <unwind.h>

#include "runtime/abi/abi.h"

_Unwind_Reason_Code iol__abi_unwound(int version, _Unwind_Action actions, _Unwind_Exception_Class kind,
                                     struct _Unwind_Exception *exception, struct _Unwind_Context *context);

/* What is called a personality: asked whether a function catches, then called as it is left. */
_Unwind_Reason_Code iol__abi_unwound(int version, _Unwind_Action actions, _Unwind_Exception_Class kind,
                                     struct _Unwind_Exception *exception, struct _Unwind_Context *context) {
    (void)version, (void)kind, (void)exception, (void)context;
    if (actions & _UA_CLEANUP_PHASE) iol__abi_depth = 0;
    return _URC_CONTINUE_UNWIND;
}
