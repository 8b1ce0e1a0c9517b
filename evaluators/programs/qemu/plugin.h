/* QEMU's functions for plugins, as version 1 of their interface has them (docs/devel/tcg-plugins). The header that says
 * so is in few packages: what is used of it stands here. QEMU refuses a plugin of a version that it does not know. */
#ifndef PSL_PLUGIN_H
#define PSL_PLUGIN_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

typedef uint64_t plugin_id;
struct qemu_plugin_tb;   /* a block, when it is translated */
struct qemu_plugin_insn; /* an instruction of it */
enum { ADD_U64 };
enum { REGISTERS_UNTOUCHED };
enum { LOADS_AND_STORES = 3 };
typedef void when_translated(plugin_id id, struct qemu_plugin_tb *block);
typedef void when_accessed(unsigned processor, uint32_t how, uint64_t address, void *user);
typedef void when_executed(unsigned processor, void *user);
typedef void when_called(plugin_id id, unsigned processor, int64_t number, uint64_t a, uint64_t b, uint64_t c,
                         uint64_t d, uint64_t e, uint64_t f, uint64_t g, uint64_t h);
typedef void when_ended(plugin_id id, void *user);

EXPORT extern int qemu_plugin_version;
EXPORT int qemu_plugin_install(plugin_id id, const void *info, int words, char **word);

void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id, when_translated *call);
void qemu_plugin_register_atexit_cb(plugin_id id, when_ended *call, void *user);
/* Before the system does what a program calls it for. */
void qemu_plugin_register_vcpu_syscall_cb(plugin_id id, when_called *call);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *block, when_executed *call, int registers, void *user);
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *block, int operation, void *number,
                                              uint64_t value);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *instruction, when_accessed *call, int registers,
                                      int which, void *user);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *block, size_t place);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *instruction);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *instruction);
char *qemu_plugin_insn_disas(const struct qemu_plugin_insn *instruction); /* the caller's */
bool qemu_plugin_mem_is_store(uint32_t how);
unsigned qemu_plugin_mem_size_shift(uint32_t how);
#endif
