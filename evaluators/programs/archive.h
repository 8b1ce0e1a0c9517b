/* Archives in OTF2 are read and written by a program, psl-otf2, which is there where psl was built with libotf2. Who
 * wants that of psl says where it is; a model does not. */
#ifndef PSL_ARCHIVE_H
#define PSL_ARCHIVE_H
extern const char *archive_program; /* NULL: none is to be started; "": there is none */
#endif
