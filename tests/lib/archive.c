/* archive FOLDER NAME: an OTF2 archive of two ranks as tools that measure write them. Times are in us: rank 0 computes
 * 10, sends 1000 bytes with tag 5 in 2, and rank 1 receives them in a request that it waits for, until 15; both meet in
 * a broadcast of 64 bytes by rank 1, which ends at 20, in the region "solve" that begins before it. */
#include <otf2/otf2.h>
#include <stdio.h>

static OTF2_FlushType flush(void *user, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final) {
  (void)user, (void)type, (void)location, (void)caller, (void) final;
  return OTF2_FLUSH;
}

enum { SEND, IRECV, WAIT, BCAST, SOLVE, FINALIZE };
static const char *const texts[] = {"MPI_Send", "MPI_Irecv",    "MPI_Wait", "MPI_Bcast",
                                    "solve",    "MPI_Finalize", "",         "solve.c"};

int main(int count, char **words) {
  static const OTF2_FlushCallbacks callbacks = {.otf2_pre_flush = flush};
  OTF2_Archive *a = count == 3 ? OTF2_Archive_Open(words[1], words[2], OTF2_FILEMODE_WRITE, 1 << 20, 4 << 20,
                                                   OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE)
                               : NULL;
  if (!a) return 1;
  OTF2_Archive_SetFlushCallbacks(a, &callbacks, NULL);
  OTF2_Archive_SetSerialCollectiveCallbacks(a);
  OTF2_Archive_OpenEvtFiles(a);
  for (int rank = 0; rank < 2; rank++) {
    OTF2_EvtWriter *w = OTF2_Archive_GetEvtWriter(a, 10 + rank);
    uint64_t now = 1000000; /* ns, the clock's offset */
    if (rank) {
      OTF2_EvtWriter_Enter(w, NULL, now, IRECV);
      OTF2_EvtWriter_MpiIrecvRequest(w, NULL, now, 77);
      OTF2_EvtWriter_Leave(w, NULL, now + 1000, IRECV);
      OTF2_EvtWriter_Enter(w, NULL, now + 4000, WAIT);
      OTF2_EvtWriter_MpiIrecv(w, NULL, now + 15000, 0, 0, 5, 1000, 77);
      OTF2_EvtWriter_Leave(w, NULL, now + 15000, WAIT);
    } else {
      OTF2_EvtWriter_Enter(w, NULL, now + 10000, SEND);
      OTF2_EvtWriter_MpiSend(w, NULL, now + 10000, 1, 0, 5, 1000);
      OTF2_EvtWriter_Leave(w, NULL, now + 12000, SEND);
    }
    OTF2_EvtWriter_Enter(w, NULL, now + 16000, SOLVE);
    OTF2_EvtWriter_Enter(w, NULL, now + 18000, BCAST);
    OTF2_EvtWriter_MpiCollectiveBegin(w, NULL, now + 18000);
    OTF2_EvtWriter_MpiCollectiveEnd(w, NULL, now + 20000, OTF2_COLLECTIVE_OP_BCAST, 0, 1, rank ? 128 : 0, 64);
    OTF2_EvtWriter_Leave(w, NULL, now + 20000, BCAST);
    OTF2_EvtWriter_Leave(w, NULL, now + 21000, SOLVE);
    OTF2_EvtWriter_Enter(w, NULL, now + 21000, FINALIZE);
    OTF2_EvtWriter_Leave(w, NULL, now + 21000, FINALIZE);
    OTF2_Archive_CloseEvtWriter(a, w);
  }
  OTF2_Archive_CloseEvtFiles(a);
  OTF2_GlobalDefWriter *d = OTF2_Archive_GetGlobalDefWriter(a);
  OTF2_GlobalDefWriter_WriteClockProperties(d, 1000000000, 1000000, 30000, OTF2_UNDEFINED_TIMESTAMP);
  for (uint32_t k = 0; k < 8; k++)
    OTF2_GlobalDefWriter_WriteString(d, k, texts[k]);
  OTF2_GlobalDefWriter_WriteSystemTreeNode(d, 0, 6, 6, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
  for (uint32_t rank = 0; rank < 2; rank++) {
    OTF2_GlobalDefWriter_WriteLocationGroup(d, rank, 6, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                            OTF2_UNDEFINED_LOCATION_GROUP);
    OTF2_GlobalDefWriter_WriteLocation(d, 10 + rank, 6, OTF2_LOCATION_TYPE_CPU_THREAD, 0, rank);
  }
  for (uint32_t k = 0; k <= FINALIZE; k++)
    OTF2_GlobalDefWriter_WriteRegion(d, k, k, k, 6, OTF2_REGION_ROLE_FUNCTION,
                                     k == SOLVE ? OTF2_PARADIGM_USER : OTF2_PARADIGM_MPI, OTF2_REGION_FLAG_NONE,
                                     k == SOLVE ? 7 : 6, k == SOLVE ? 12 : 0, 0);
  OTF2_GlobalDefWriter_WriteGroup(d, 0, 6, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 2,
                                  (uint64_t[]){10, 11});
  OTF2_GlobalDefWriter_WriteGroup(d, 1, 6, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 2,
                                  (uint64_t[]){0, 1});
  OTF2_GlobalDefWriter_WriteComm(d, 0, 6, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
  return OTF2_Archive_Close(a) != OTF2_SUCCESS;
}
