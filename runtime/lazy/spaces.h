/* Namespaces of the loader that the program made: what happens in them is not seen. */
#ifndef IOL_RUNTIME_SPACES_H
#define IOL_RUNTIME_SPACES_H

/* Those that are there already are not the program's. */
void iol__spaces_start(void);
unsigned iol__spaces_unseen(void);

#endif
