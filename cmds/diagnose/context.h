/* The context document of --context, which several commands take. */
#ifndef IOL_CMDS_CONTEXT_H
#define IOL_CMDS_CONTEXT_H

/* Its text, to be freed; NULL if there is none or it is no JSON object, which was reported. */
char *read_context_file(const char *path);

#endif
