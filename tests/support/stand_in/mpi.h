/* As much of MPI as the snippets of advice use, so that they can be compiled on a machine without MPI. */
#ifndef IOL_TESTS_STAND_IN_MPI_H
#define IOL_TESTS_STAND_IN_MPI_H

typedef int MPI_Comm, MPI_Info, MPI_File, MPI_Datatype, MPI_Request;
typedef long long MPI_Offset;
typedef struct MPI_Status {
    int count;
} MPI_Status;

#define MPI_COMM_WORLD 1
#define MPI_INFO_NULL 0
#define MPI_BYTE 1
#define MPI_MODE_CREATE 1
#define MPI_MODE_RDONLY 2
#define MPI_MODE_WRONLY 4
#define MPI_MODE_RDWR 8
#define MPI_STATUS_IGNORE ((MPI_Status *)0)

int MPI_Abort(MPI_Comm comm, int code);
int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm);
int MPI_Comm_rank(MPI_Comm comm, int *rank);
int MPI_Info_create(MPI_Info *info);
int MPI_Info_set(MPI_Info info, const char *key, const char *value);
int MPI_Info_free(MPI_Info *info);
int MPI_File_open(MPI_Comm comm, const char *name, int mode, MPI_Info info, MPI_File *file);
int MPI_File_close(MPI_File *file);
int MPI_File_set_view(MPI_File file, MPI_Offset at, MPI_Datatype unit, MPI_Datatype type, const char *form,
                      MPI_Info info);
int MPI_File_write_all(MPI_File file, const void *buffer, int count, MPI_Datatype type, MPI_Status *status);
int MPI_File_read_all(MPI_File file, void *buffer, int count, MPI_Datatype type, MPI_Status *status);
int MPI_File_read_at_all(MPI_File file, MPI_Offset at, void *buffer, int count, MPI_Datatype type, MPI_Status *status);
int MPI_File_set_atomicity(MPI_File file, int flag);
int MPI_File_write_at(MPI_File file, MPI_Offset at, const void *buffer, int count, MPI_Datatype type,
                      MPI_Status *status);
int MPI_File_write_at_all(MPI_File file, MPI_Offset at, const void *buffer, int count, MPI_Datatype type,
                          MPI_Status *status);
int MPI_File_iwrite_at_all(MPI_File file, MPI_Offset at, const void *buffer, int count, MPI_Datatype type,
                           MPI_Request *request);
int MPI_Type_vector(int count, int length, int stride, MPI_Datatype type, MPI_Datatype *made);
int MPI_Type_commit(MPI_Datatype *type);
int MPI_Type_free(MPI_Datatype *type);
int MPI_Wait(MPI_Request *request, MPI_Status *status);
int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *made);
#define MPI_COMM_TYPE_SHARED 1

#endif
