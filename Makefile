# PSL: one Makefile for everything; all that is made stands in $(BUILD).
#
#   make                 psl, libpsl.a, libpsl.so
#   make demo            installs what is missing, builds, predicts Sweep3D, prints the report
#   make check           installs what is missing, builds, runs all tests: N passed, 0 failed
#   make check T=AREA    the tests whose name matches
#   make bless           rewrites the expectations of tests/cases; read the difference
#   make bench           speed beside programs in C that do the same; also in $(BUILD)/bench.json
#   make bench-twice     the same two times: fails where a ratio differs by more than 10 %
#   make fuzz lint       random input (FUZZ_SECONDS=60), style
#   make fits            how good the functions are that are found in measurements
#   make predictions     how long programs take on this computer, as predicted and as measured
#   make kernels         how long six kernels take on this computer, by their signatures and its profile, and as measured
#   make coverage        how many intervals of simulated networks hold what is exact
#   make recommendations how good recommended choices are for Sweep3D and quadrature, beside all choices
#   make link-queues     how far contention by formula is from packets, on random networks
#   make format          lays out all C
#   make vsix            the extension for VS Code, $(BUILD)/psl.vsix
#   make install         PREFIX=/usr/local, LIBDIR=PREFIX/lib, DESTDIR=
#   make deb             Debian's packages, $(BUILD)/deb/*.deb
#   SAN=address,undefined  with sanitizers (use a BUILD of its own)
#   MPI='openmpi mpich'  the MPIs that studies can run on, found if not given; none: without
#   V=1                  prints whole commands

VERSION := 0.1.0
SOVERSION := 0
BUILD ?= build
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
DESTDIR ?=
SAN ?=
T ?=
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
FUZZ_SECONDS ?= 60
MPI ?= $(foreach m,openmpi mpich,$(if $(shell command -v mpicc.$m 2>/dev/null),$m))
V ?=
ifeq ($(origin CC),default)
CC = gcc
endif
CLANG ?= clang
CFLAGS ?= $(if $(SAN),-O1,-O2) -g
PACKAGES := gsl isl sqlite3 libxxhash nlopt jansson
CLI_PACKAGES := readline
LOADED_PACKAGES := libxml-2.0 libgvc libmicrohttpd

WARNINGS := -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -Werror=switch -Wno-missing-field-initializers
LANGUAGE := -std=c11 -D_GNU_SOURCE -pthread -I. -I$(BUILD)
# The name by which programs know a library: those that few runs need are loaded by these.
soname = $(shell objdump -p "`$(CC) -print-file-name=lib$(1).so`" 2>/dev/null | awk '$$1 == "SONAME" { print $$2 }')
DEFINES := -DPSL_LIBXML='"$(or $(call soname,xml2),libxml2.so)"' -DPSL_LIBGVC='"$(or $(call soname,gvc),libgvc.so)"'
DEFINES += -DPSL_LIBMICROHTTPD='"$(or $(call soname,microhttpd),libmicrohttpd.so.12)"'
DEFINES += -DPSL_VERSION='"$(VERSION)"'
PACKAGE_CFLAGS := $(shell pkg-config --cflags $(PACKAGES) $(CLI_PACKAGES) 2>/dev/null; \
                    for p in $(LOADED_PACKAGES); do pkg-config --cflags $$p 2>/dev/null; done)
LIBS := $(shell pkg-config --libs $(PACKAGES) 2>/dev/null) -lffcall -pthread -ldl -lm
CLI_LIBS := $(shell pkg-config --libs $(CLI_PACKAGES) 2>/dev/null)
ALL_CFLAGS = $(LANGUAGE) $(DEFINES) -fPIC -fvisibility=hidden $(WARNINGS) $(CFLAGS) $(CPPFLAGS) $(SANITIZE) \
             $(PACKAGE_CFLAGS)
# Undefined behaviour is an illegal instruction, which AddressSanitizer shows the place of (handle_sigill=1): texts that say
# more of each operation that is checked are most of a program's data, and each of them is registered whenever it starts.
SANITIZE := $(if $(SAN),-fsanitize=$(SAN) -fsanitize-undefined-trap-on-error -fno-omit-frame-pointer -Wno-format-truncation)
# A checked program has many pointers in its data; where it stands at a fixed address, they are right from the beginning.
FIXED := $(if $(findstring address,$(SAN)),-no-pie)

CLI_SOURCES := $(wildcard interp/cli/*.c interp/lsp/*.c interp/studio/*.c interp/compile/*.c interp/attach/*.c)
LIB_SOURCES := $(wildcard grammar/*.c) $(filter-out $(CLI_SOURCES) interp/editors/%,$(wildcard interp/*/*.c)) \
               $(wildcard evaluators/*.c evaluators/*/*.c coercions/*.c)
GENERATED := $(BUILD)/psl.tab.c $(BUILD)/psl-plain.tab.c $(BUILD)/psl.yy.c
SHELLS := $(wildcard interp/cli/completion.*sh)
STUDIO := $(wildcard interp/studio/*.html interp/studio/*.svg interp/studio/*.css interp/studio/*.js)
TEXTS := $(patsubst interp/report/%,$(BUILD)/%.inc,$(wildcard interp/report/*.css interp/report/*.js)) \
         $(SHELLS:interp/cli/%=$(BUILD)/%.inc) $(STUDIO:interp/studio/%=$(BUILD)/%.inc)
HEADERS := $(filter-out %-plain.tab.h,$(GENERATED:.c=.h)) $(TEXTS) $(BUILD)/prophet-toolbar.xml.inc $(BUILD)/protocols.psl.inc $(BUILD)/installed-paths.inc
LIB_OBJECTS := $(LIB_SOURCES:%.c=$(BUILD)/%.o) $(GENERATED:.c=.o)
CLI_OBJECTS := $(CLI_SOURCES:%.c=$(BUILD)/%.o)
# Libraries of C for the tests of foreign functions.
NATIVE := $(patsubst %.c,$(BUILD)/native/%.so,$(notdir $(wildcard tests/cases/foreign/*.c)))
MODULES := $(foreach m,$(filter-out none,$(MPI)),$(addprefix $(BUILD)/,psl-mpi-$m.so psl-probe-$m psl-record-$m.so)) \
           $(BUILD)/psl-record.so $(BUILD)/psl-memory.so $(BUILD)/psl-probe-memory $(BUILD)/psl-probe-threads $(if $(filter mpich,$(MPI)),$(BUILD)/psl-mpich.so $(BUILD)/psl-instructions.so)
MODULES += $(shell printf '\043include <otf2/otf2.h>\n' | $(CC) $(CPPFLAGS) -E -x c - >/dev/null 2>&1 && echo $(BUILD)/psl-otf2)
# A plugin belongs to one GCC: it is made where that one's headers are.
PLUGIN_HEADERS := $(shell gcc -print-file-name=plugin 2>/dev/null)/include
MODULES += $(if $(wildcard $(PLUGIN_HEADERS)/gcc-plugin.h),$(if $(shell command -v g++ 2>/dev/null),$(addprefix $(BUILD)/,psl_facts.so psl-nests.o psl-sliced.o)))
UNITS := $(patsubst tests/unit/%.c,$(BUILD)/tests/unit/%,$(wildcard tests/unit/*.c))
FUZZERS := $(patsubst tests/fuzz/%.c,$(BUILD)/fuzz/%,$(wildcard tests/fuzz/*.c))
MANUALS := $(wildcard man/*.[1-9])
EDITORS := $(patsubst interp/editors/%,$(BUILD)/editors/%,$(patsubst %.in,%,$(shell find interp/editors/*/ -type f)))
LIBRARY := $(wildcard stdlib/*.psl) $(wildcard stdlib/*.xml) $(wildcard stdlib/*.uml) $(wildcard coercions/*.psl)

# Stands before a command: prints CC and the file in place of the whole command, but with V=1.
say = $(if $(V),,@printf '  %-5s %s\n' $(1) $(2);)

.PHONY: all vsix deb demo check bless bench bench-twice studio-load fits predictions calibrations kernels fuzz coverage link-queues frames lint format install uninstall clean deps FORCE
.DELETE_ON_ERROR:
.SECONDARY:

REFLECTOR := $(BUILD)/libpsl-reflector.so $(BUILD)/libpsl-reflector.a

all: $(BUILD)/psl $(REFLECTOR) $(BUILD)/libpsl.a $(BUILD)/libpsl.so $(MODULES) $(EDITORS)

# The compiler's command line; everything is made again when it changes.
$(BUILD)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(CC) $(subst ','\'',$(ALL_CFLAGS))' | cmp -s - $@ || echo '$(CC) $(subst ','\'',$(ALL_CFLAGS))' > $@

# Changes with PREFIX alone, and is read by one file: another PREFIX compiles that one anew.
PATHS = printf '\#define %s "%s"\n' PSL_DATADIR '$(PREFIX)/share/psl' PSL_LIBDIR '$(LIBDIR)/psl' \
        PSL_MANDIR '$(PREFIX)/share/man'
$(BUILD)/installed-paths.inc: FORCE
	@mkdir -p $(@D)
	@$(PATHS) | cmp -s - $@ || $(PATHS) > $@

$(BUILD)/%.tab.c $(BUILD)/%.tab.h: grammar/%.y
	@mkdir -p $(@D)
	$(call say,BISON,$<)bison -Werror -Wcounterexamples --header=$(BUILD)/$*.tab.h -o $(BUILD)/$*.tab.c $<

# The same without LAC, which takes the tokens by itself: psl.y says what for.
$(BUILD)/%-plain.tab.c: grammar/%.y
	@mkdir -p $(@D)
	$(call say,BISON,$@)bison -Werror -Fparse.lac=none -Fapi.push-pull=pull -o $@ $<

$(BUILD)/%.yy.c $(BUILD)/%.yy.h: grammar/%.l
	@mkdir -p $(@D)
	$(call say,FLEX,$<)flex --header-file=$(BUILD)/$*.yy.h -o $(BUILD)/$*.yy.c $<

# A text as the C string that page.c, assets.c or shell_completion.c includes. Two question marks could be a trigraph.
AS_STRING = sed 's/\\/\\\\/g; s/"/\\"/g; s/?/\\?/g; s/^/"/; s/$$/\\n"/'
$(BUILD)/%.inc: interp/report/%
	@mkdir -p $(@D)
	$(call say,TEXT,$<)$(AS_STRING) $< > $@

$(BUILD)/%.inc: stdlib/%
	@mkdir -p $(@D)
	$(call say,TEXT,$<)$(AS_STRING) $< > $@

$(BUILD)/%.inc: interp/studio/%
	@mkdir -p $(@D)
	$(call say,TEXT,$<)$(AS_STRING) $< > $@

$(BUILD)/%.inc: interp/cli/%
	@mkdir -p $(@D)
	$(call say,TEXT,$<)$(AS_STRING) $< > $@

# The text editor of the studio is bundled while other files are compiled. Where what it is made of could not be had it is
# an empty file, and tried again by the next make, but not by the installation.
$(BUILD)/codemirror.js: interp/studio/bundle interp/studio/package-lock.json interp/studio/codemirror/codemirror.js \
  $(if $(filter install,$(MAKECMDGOALS)),,$(shell [ -s $(BUILD)/codemirror.js ] || echo FORCE))
	@mkdir -p $(@D)
	$(call say,BUNDLE,$@)interp/studio/bundle $(BUILD)/node $@

$(BUILD)/codemirror.js.inc: $(BUILD)/codemirror.js
	@$(AS_STRING) $< | cmp -s - $@ || { printf '  %-5s %s\n' TEXT $<; $(AS_STRING) $< > $@; }

$(BUILD)/interp/studio/assets.o: $(BUILD)/codemirror.js.inc

$(BUILD)/%.o: $(BUILD)/%.c $(BUILD)/flags | $(HEADERS)
	$(call say,CC,$<)$(CC) $(ALL_CFLAGS) $(OWN_CFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/%.o: %.c $(BUILD)/flags | $(HEADERS)
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(ALL_CFLAGS) $(OWN_CFLAGS) -MMD -MP -c $< -o $@

known = $(shell $(CC) -Werror $(1) -x c -c /dev/null -o /dev/null 2>/dev/null && echo $(1))
# The loops over code go from each operation to the next by a jump of its own, which gcc else makes one of.
$(BUILD)/interp/execute/compiled_function.o: private OWN_CFLAGS := $(call known,-fno-gcse)
# Numbers that are added up one by one are not put together in pairs and taken apart again.
ALONE := $(call known,-fno-tree-slp-vectorize)
$(BUILD)/interp/execute/vm.o: private OWN_CFLAGS := $(call known,-fno-gcse) $(ALONE)
$(patsubst %,$(BUILD)/interp/execute/%.o,schedule frame facility dataflow): private OWN_CFLAGS := $(ALONE)
# One operation for many numbers, several of them at a time.
$(BUILD)/interp/execute/diagonals.o: private OWN_CFLAGS := $(call known,-O3)
# The values of the grammar are copied whole at each step: taken apart before that, they are waited for.
$(BUILD)/psl.tab.o $(BUILD)/psl-plain.tab.o: private OWN_CFLAGS := $(call known,-fno-tree-sra)

# The names of the library's objects: one that is older than the library and was not in it makes it again, too.
$(BUILD)/objects: FORCE
	@mkdir -p $(@D)
	@echo '$(LIB_OBJECTS)' | cmp -s - $@ || echo '$(LIB_OBJECTS)' > $@

$(BUILD)/libpsl.a: $(LIB_OBJECTS) $(BUILD)/objects
	@rm -f $@
	$(call say,AR,$@)$(AR) rcs $@ $(LIB_OBJECTS)

$(BUILD)/libpsl.so: $(LIB_OBJECTS) $(BUILD)/objects
	$(call say,LD,$@)$(CC) -shared -Wl,-soname,libpsl.so.$(SOVERSION) $(SANITIZE) $(CFLAGS) $(LDFLAGS) $(LIB_OBJECTS) $(LIBS) -o $@

$(BUILD)/psl: $(CLI_OBJECTS) $(BUILD)/libpsl.a
	$(call say,LD,$@)$(CC) $(SANITIZE) $(FIXED) $(CFLAGS) $(LDFLAGS) $^ $(CLI_LIBS) $(LIBS) -o $@

# What editors know the language by, with its words written in.
$(BUILD)/word-lists: $(BUILD)/interp/editors/word_lists.o $(BUILD)/libpsl.a
	$(call say,LD,$@)$(CC) $(SANITIZE) $(CFLAGS) $(LDFLAGS) $^ $(LIBS) -o $@

$(BUILD)/editors/%: interp/editors/%.in $(BUILD)/word-lists $(LIBRARY)
	@mkdir -p $(@D)
	$(call say,WORDS,$@)PSL_PATH=. $(BUILD)/word-lists < $< > $@

$(BUILD)/editors/%: interp/editors/%
	@mkdir -p $(@D)
	@cp $< $@

vsix: $(BUILD)/psl.vsix
$(BUILD)/psl.vsix: $(filter $(BUILD)/editors/vscode/%,$(EDITORS)) interp/editors/pack
	$(call say,ZIP,$@)interp/editors/pack $(VERSION) $(BUILD)/editors/vscode $@

$(BUILD)/native/%.so: tests/cases/foreign/%.c interp/include/evaluator.h
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) -std=c11 -D_GNU_SOURCE $(WARNINGS) -O1 -g -fPIC -shared -I. $< -o $@

# An MPI's compiler is called mpicc.openmpi or mpicc.mpich; another name by MPICC=, with the one MPI.
MPI_FLAGS = $(LANGUAGE) $(DEFINES) -fPIC -fvisibility=hidden $(WARNINGS) $(CFLAGS) $(SANITIZE) $(LDFLAGS)
$(BUILD)/psl-mpi-%.so: interp/study/mpi/module.c interp/study/mpi/module.h $(BUILD)/flags
	$(call say,MPICC,$@)OMPI_CC='$(CC)' MPICH_CC='$(CC)' $(or $(MPICC),mpicc.$*) $(MPI_FLAGS) -shared $< -o $@

# What `psl measure messages` runs; never under sanitizers.
$(BUILD)/psl-probe-%: interp/fit/mpi/probe.c $(BUILD)/flags
	$(call say,MPICC,$@)OMPI_CC='$(CC)' MPICH_CC='$(CC)' $(or $(MPICC),mpicc.$*) -std=c11 -D_GNU_SOURCE $(WARNINGS) \
	  $(CFLAGS) $(LDFLAGS) $< -o $@

# What `psl measure memory` runs; the same. Accesses of 8 bytes are meant.
$(BUILD)/psl-probe-memory: interp/fit/memory/probe.c $(BUILD)/flags
	$(call say,LD,$@)$(CC) -std=c11 -D_GNU_SOURCE $(WARNINGS) $(CFLAGS) -fno-tree-vectorize $(LDFLAGS) $< \
	  -lm -o $@

# What `psl measure threads` runs; the same.
$(BUILD)/psl-probe-threads: interp/fit/threads/probe.c $(BUILD)/flags
	$(call say,LD,$@)$(CC) -std=c11 -D_GNU_SOURCE $(WARNINGS) $(CFLAGS) $(LDFLAGS) $< -pthread -o $@

# Stands in programs of MPICH in the place of its library, whose name it has; and never under sanitizers.
RANK_SOURCES := $(wildcard evaluators/programs/mpi/*.c) evaluators/programs/operations.c evaluators/programs/crash_place.c
$(BUILD)/psl-mpich.so: $(RANK_SOURCES) $(wildcard evaluators/programs/mpi/*.h) evaluators/programs/handover.h \
                       evaluators/programs/operations.h $(BUILD)/flags
	$(call say,MPICC,$@)MPICH_CC='$(CC)' $(or $(MPICC),mpicc.mpich) -std=gnu11 -D_GNU_SOURCE -I. $(DEFINES) -fPIC \
	  -fvisibility=hidden $(WARNINGS) -Wno-conversion $(CFLAGS) -shared -Wl,-soname,libmpich.so.12 $(LDFLAGS) \
	  -nodefaultlibs -Wl,--as-needed $(RANK_SOURCES) -lc -lm -ldl -lgcc -lgcc_eh -o $@

# Are loaded by QEMU, which has the functions that they want.
QEMU_HEADERS := $(wildcard evaluators/programs/qemu/*.h) evaluators/programs/signature_format.h evaluators/programs/burst_call.h
QEMU_COMPILE = $(CC) -std=c11 -D_GNU_SOURCE -I. -fPIC -fvisibility=hidden $(WARNINGS) $(CFLAGS) -shared $(LDFLAGS)
$(BUILD)/psl-instructions.so: evaluators/programs/qemu/instructions.c $(QEMU_HEADERS) $(BUILD)/flags
	$(call say,LD,$@)$(QEMU_COMPILE) $< -o $@

MEMORY_SOURCES := $(addprefix evaluators/programs/qemu/,memory.c caches.c distances.c chains.c branches.c dependences.c instruction_kind.c)
$(BUILD)/psl-memory.so: $(MEMORY_SOURCES) $(QEMU_HEADERS) $(BUILD)/flags
	$(call say,LD,$@)$(QEMU_COMPILE) $(MEMORY_SOURCES) -o $@

# Stand in programs before their MPI; never under sanitizers.
RECORD_SOURCES := $(filter-out %/arm.c,$(wildcard evaluators/programs/record/*.c)) $(addprefix evaluators/programs/mpi/,burst.c fortran.c region_name.c) \
                  evaluators/programs/trace_writer.c evaluators/programs/operations.c
$(BUILD)/psl-record-%.so: $(RECORD_SOURCES) evaluators/programs/record/recorder.h $(addprefix evaluators/programs/mpi/,burst.h fortran.h region_name.h) \
                          evaluators/programs/operations.h evaluators/programs/trace_format.h evaluators/programs/burst_call.h $(BUILD)/flags
	$(call say,MPICC,$@)OMPI_CC='$(CC)' MPICH_CC='$(CC)' $(or $(MPICC),mpicc.$*) -std=gnu11 -D_GNU_SOURCE -I. -fPIC \
	  -fvisibility=hidden $(WARNINGS) -Wno-conversion $(CFLAGS) -shared $(LDFLAGS) -Wl,--as-needed $(RECORD_SOURCES) \
	  -ldl -lm -o $@

# Reads and writes OTF2, for psl trace convert.
OTF2_SOURCES := $(wildcard evaluators/programs/otf2/*.c)
$(BUILD)/psl-otf2: $(OTF2_SOURCES) evaluators/programs/otf2/otf2.h evaluators/programs/fields.h $(BUILD)/libpsl.a
	$(call say,LD,$@)$(CC) $(LANGUAGE) $(DEFINES) $(WARNINGS) $(CFLAGS) $(CPPFLAGS) $(SANITIZE) $(LDFLAGS) $(OTF2_SOURCES) \
	  $(BUILD)/libpsl.a -lotf2 $(LIBS) -o $@

# What `psl compile` has GCC do; GCC's headers are not free of warnings.
$(BUILD)/psl_facts.so: $(wildcard interp/compile/plugin/*.cc interp/compile/plugin/*.h)
	$(call say,LD,$@)g++ -std=gnu++17 -I. -isystem $(PLUGIN_HEADERS) -fPIC -fno-rtti -fno-exceptions \
	  -Wall -Wextra -Wno-literal-suffix $(CFLAGS) $(LDFLAGS) -shared $(filter %.cc,$^) -o $@

# What it links to a program with timers; never under sanitizers.
$(BUILD)/psl-nests.o: interp/compile/timers/nest_timers.c $(BUILD)/flags
	$(call say,CC,$@)$(CC) -std=c11 -D_GNU_SOURCE -fPIC -fvisibility=hidden $(WARNINGS) $(CFLAGS) -c $< -o $@

# Is linked with sliced programs.
$(BUILD)/psl-sliced.o: evaluators/programs/sliced/runtime.c evaluators/programs/sliced/told.h $(BUILD)/flags
	$(call say,CC,$<)$(CC) -std=gnu11 -I. -fPIC $(WARNINGS) $(CFLAGS) -c $< -o $@

# Stands in programs that ask models; never under sanitizers.
REFLECTOR_SOURCES := $(wildcard evaluators/programs/reflector/*.c)
REFLECTOR_HEADERS := $(wildcard evaluators/programs/reflector/*.h)
REFLECTOR_FLAGS = -std=gnu11 -D_GNU_SOURCE -I. -fPIC -fvisibility=hidden $(WARNINGS) $(CFLAGS)
$(BUILD)/libpsl-reflector.so: $(REFLECTOR_SOURCES) $(REFLECTOR_HEADERS) $(BUILD)/flags
	$(call say,LD,$@)$(CC) $(REFLECTOR_FLAGS) -shared -Wl,-soname,libpsl-reflector.so.$(SOVERSION) $(LDFLAGS) \
	  $(REFLECTOR_SOURCES) -pthread -lm -o $@
	@ln -sf libpsl-reflector.so $@.$(SOVERSION)

$(BUILD)/libpsl-reflector.a: $(REFLECTOR_SOURCES) $(REFLECTOR_HEADERS) $(BUILD)/flags
	@rm -rf $(BUILD)/reflector $@ && mkdir -p $(BUILD)/reflector
	$(call say,AR,$@)for f in $(REFLECTOR_SOURCES); do \
	  $(CC) $(REFLECTOR_FLAGS) -c $$f -o $(BUILD)/reflector/$$(basename $$f .c).o || exit 1; done
	@$(AR) rcs $@ $(BUILD)/reflector/*.o

$(BUILD)/psl-record.so: evaluators/programs/record/arm.c $(BUILD)/flags
	$(call say,LD,$@)$(CC) $(LANGUAGE) -fPIC -fvisibility=hidden $(WARNINGS) $(CFLAGS) -shared $(LDFLAGS) $< -o $@

$(BUILD)/tests/unit/calibration: $(BUILD)/interp/compile/calibration.o
$(BUILD)/tests/unit/%: $(BUILD)/tests/unit/%.o $(BUILD)/libpsl.a
	$(call say,LD,$@)$(CC) $(SANITIZE) $(CFLAGS) $(LDFLAGS) $^ $(LIBS) -lcmocka -o $@

# Fuzz targets are made by clang, with objects of their own.
FUZZ_FLAGS = $(LANGUAGE) $(DEFINES) -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all $(PACKAGE_CFLAGS)
$(BUILD)/fuzz/%.o: $(BUILD)/%.c | $(HEADERS)
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CLANG) $(FUZZ_FLAGS) -MMD -MP -c $< -o $@

$(BUILD)/fuzz/%.o: %.c | $(HEADERS)
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CLANG) $(FUZZ_FLAGS) -MMD -MP -c $< -o $@

$(BUILD)/fuzz/%: $(BUILD)/fuzz/tests/fuzz/%.o $(patsubst $(BUILD)/%,$(BUILD)/fuzz/%,$(LIB_OBJECTS))
	$(call say,LD,$@)$(CLANG) -fsanitize=fuzzer,address,undefined $^ $(LIBS) -o $@

$(BUILD)/bench/%: tests/bench/%.c $(BUILD)/libpsl.a
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(LANGUAGE) $(WARNINGS) $(SANITIZE) -O3 $^ $(LIBS) -o $@

# The builds below run in a second make, which finds what this has installed.
deps:
	@.ci/packages check

demo:
	@.ci/packages build
	@$(MAKE) --no-print-directory -j$(JOBS) all
	$(BUILD)/psl run examples/sweep3d/sweep3d.psl

check: deps
	@$(MAKE) --no-print-directory -j$(JOBS) all $(UNITS) $(NATIVE) $(patsubst %,$(BUILD)/bench/%,wavefront mark mm1 network disk)
	@tests/check --build $(BUILD) --jobs $(JOBS) $(if $(SAN),--sanitized) $(T)

bless: all $(NATIVE)
	@tests/check --build $(BUILD) --jobs $(JOBS) --bless $(T)

BENCHES := $(patsubst %,$(BUILD)/bench/%,wavefront mark turns mm1 network disk lines study foreign queueing)
bench: all $(BENCHES) $(NATIVE)
	@tests/bench/run $(BUILD) $(T)

bench-twice: all $(BENCHES) $(NATIVE)
	@tests/bench/run $(BUILD) $(T) && mv $(BUILD)/bench.json $(BUILD)/bench-before.json && tests/bench/run $(BUILD) $(T)
	@tests/bench/compare $(BUILD)/bench-before.json $(BUILD)/bench.json

# The page is ready within a second, on a computer that has nothing else to do.
studio-load: all
	@PSL_STUDIO_SECONDS=1 PSL_BUILD=$(BUILD) tests/checks/studio-load.t

fits: all
	@tests/fit-quality $(BUILD)/psl

# Takes minutes; T= names programs.
predictions: all
	@tests/predictions $(BUILD) $(T)

# Takes minutes.
recommendations: all
	@tests/recommendations $(BUILD)/psl

# Takes minutes; T= names programs.
calibrations: all
	@tests/calibrations $(BUILD) $(T)

kernels: all
	@tests/kernels $(BUILD) $(T)

fuzz: all $(FUZZERS)
	@tests/fuzz/run $(BUILD) $(FUZZ_SECONDS) $(notdir $(FUZZERS)) differential mpi sliced why collectives condensing derive studies killed causality warm-up values networks interconnect dimemas goal faults archives riscv compile protocols rules hierarchy storage scheduling grid recommend lsp

# In Chromium, on a computer that does nothing else.
frames: all
	@PSL_BUILD=$(BUILD) tests/frames

link-queues: all
	@tests/link-queues $(BUILD)/psl

# Takes an hour; T= as in check.
coverage: all $(BUILD)/tests/unit/steady
	@tests/coverage $(BUILD)/psl 100 "$(T)"
	@PSL_SEEDS=100 $(BUILD)/tests/unit/steady

lint: $(HEADERS) $(BUILD)/codemirror.js.inc
	@tests/lint $(BUILD)

format:
	clang-format -i $$(git ls-files '*.c' '*.h')

# A blank PREFIX would be /, a relative one another folder for who builds than for who runs.
ifneq ($(filter install uninstall,$(MAKECMDGOALS)),)
ifneq ($(words $(PREFIX)) $(words $(filter /%,$(PREFIX))),1 1)
$(error PREFIX is '$(PREFIX)': it has to be the whole path of a folder, without blanks, as in PREFIX=/usr/local)
endif
ifneq ($(words $(LIBDIR)) $(words $(filter $(PREFIX)/%,$(LIBDIR))),1 1)
$(error LIBDIR is '$(LIBDIR)': it has to be the path of a folder in PREFIX, as in LIBDIR=$(PREFIX)/lib)
endif
endif

# Which folders were not there before is kept for uninstall, the innermost first.
ROOT = $(DESTDIR)$(PREFIX)
LIB = $(LIBDIR:$(PREFIX)/%=%)
SECTIONS := $(sort $(patsubst .%,man%,$(suffix $(MANUALS))))
COMPLETIONS := share/bash-completion/completions/psl share/zsh/site-functions/_psl share/fish/vendor_completions.d/psl.fish
FOLDERS := . bin include $(if $(filter lib/%,$(LIB)),lib) $(LIB) $(LIB)/pkgconfig share share/man $(addprefix share/man/,$(SECTIONS)) \
           $(foreach f,$(COMPLETIONS),$(patsubst %/,%,$(dir $(patsubst %/,%,$(dir $f)))) $(patsubst %/,%,$(dir $f)))
RUNTIME := $(wildcard interp/uml/runtime/*)
EXAMPLES := $(shell find examples -type f ! -name '*.expected' | sort)
install: all
	@made=; for d in $(FOLDERS); do [ -d $(ROOT)/$$d ] || made="$$d $$made"; done; \
	  install -d $(addprefix $(ROOT)/,$(FOLDERS) share/psl/stdlib share/psl/coercions) && \
	  echo $$made >> $(ROOT)/share/psl/folders
	install -m 755 $(BUILD)/psl $(ROOT)/bin/psl
	install -m 644 interp/include/psl.h $(ROOT)/include/psl.h
	install -m 644 interp/include/evaluator.h $(ROOT)/include/psl-evaluator.h
	install -m 644 $(BUILD)/libpsl.a $(ROOT)/$(LIB)/libpsl.a
	install -m 755 $(BUILD)/libpsl.so $(ROOT)/$(LIB)/libpsl.so.$(VERSION)
	ln -sf libpsl.so.$(VERSION) $(ROOT)/$(LIB)/libpsl.so.$(SOVERSION)
	ln -sf libpsl.so.$(SOVERSION) $(ROOT)/$(LIB)/libpsl.so
	install -m 644 evaluators/programs/reflector/psl-reflector.h $(ROOT)/include/psl-reflector.h
	install -m 644 evaluators/programs/reflector/psl_reflector.f90 $(ROOT)/include/psl_reflector.f90
	install -m 644 $(BUILD)/libpsl-reflector.a $(ROOT)/$(LIB)/libpsl-reflector.a
	install -m 755 $(BUILD)/libpsl-reflector.so $(ROOT)/$(LIB)/libpsl-reflector.so.$(VERSION)
	ln -sf libpsl-reflector.so.$(VERSION) $(ROOT)/$(LIB)/libpsl-reflector.so.$(SOVERSION)
	ln -sf libpsl-reflector.so.$(SOVERSION) $(ROOT)/$(LIB)/libpsl-reflector.so
	sed 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|; s|@VERSION@|$(VERSION)|' evaluators/programs/reflector/psl-reflector.pc.in \
	  > $(ROOT)/$(LIB)/pkgconfig/psl-reflector.pc
	$(if $(MODULES),install -d $(ROOT)/$(LIB)/psl)
	for f in $(MODULES); do install -m 755 $$f $(ROOT)/$(LIB)/psl/ || exit 1; done
	sed 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|; s|@VERSION@|$(VERSION)|; s|@PACKAGES@|$(PACKAGES)|' psl.pc.in \
	  > $(ROOT)/$(LIB)/pkgconfig/psl.pc
	for f in $(LIBRARY); do install -m 644 $$f $(ROOT)/share/psl/$$f || exit 1; done
	for f in $(RUNTIME); do install -D -m 644 $$f $(ROOT)/share/psl/runtime/$${f##*/} || exit 1; done
	for f in $(EDITORS); do install -D -m 644 $$f $(ROOT)/share/psl/$${f#$(BUILD)/} || exit 1; done
	for f in $(EXAMPLES); do install -D -m 644 $$f $(ROOT)/share/psl/$$f || exit 1; done
	install -m 644 interp/cli/completion.bash $(ROOT)/$(word 1,$(COMPLETIONS))
	install -m 644 interp/cli/completion.zsh $(ROOT)/$(word 2,$(COMPLETIONS))
	install -m 644 interp/cli/completion.fish $(ROOT)/$(word 3,$(COMPLETIONS))
	for f in $(MANUALS); do install -D -m 644 $$f $(ROOT)/share/man/man$${f##*.}/$${f##*/} || exit 1; done

uninstall:
	rm -f $(addprefix $(ROOT)/,$(COMPLETIONS) bin/psl $(addprefix include/,psl.h psl-evaluator.h psl-reflector.h psl_reflector.f90) \
	  $(addprefix $(LIB)/,$(foreach l,libpsl libpsl-reflector,$l.a $l.so $l.so.$(SOVERSION) $l.so.$(VERSION)) \
	  $(addprefix pkgconfig/,psl.pc psl-reflector.pc))) \
	  $(foreach f,$(MANUALS),$(ROOT)/share/man/man$(subst .,,$(suffix $f))/$(notdir $f))
	@made=$$(cat $(ROOT)/share/psl/folders 2>/dev/null); rm -rf $(ROOT)/share/psl $(ROOT)/$(LIB)/psl; \
	  for d in $$made; do rmdir $(ROOT)/$$d 2>/dev/null || :; done

# A copy of the files that git knows, as they are now, with Debian's folder at its top. The date is that of the last commit,
# so that the same files make the same packages.
DEB = $(BUILD)/deb/poems-psl-$(VERSION)
MAINTAINER = $(or $(DEBFULLNAME),$(shell git log -1 --format=%an)) <$(or $(DEBEMAIL),$(shell git log -1 --format=%ae))>
deb:
	@.ci/packages deb
	@rm -rf $(BUILD)/deb && mkdir -p $(DEB)
	@git ls-files -z | xargs -0 cp --parents -t $(DEB)
	@mv $(DEB)/interp/debian $(DEB)/debian
	@sed -i 's|@MAINTAINER@|$(MAINTAINER)|' $(DEB)/debian/control
	@printf 'poems-psl (%s) unstable; urgency=medium\n\n  * Packages of PSL %s.\n\n -- %s  %s\n' '$(VERSION)' '$(VERSION)' \
	  '$(MAINTAINER)' "$$(git log -1 --format=%aD)" > $(DEB)/debian/changelog
	cd $(DEB) && env -u MAKEFLAGS -u MAKELEVEL dpkg-buildpackage --build=binary --no-sign --jobs=$(JOBS)
	@ls $(BUILD)/deb/*.deb

clean:
	rm -rf $(BUILD)

-include $(shell find $(BUILD) -path $(BUILD)/deb -prune -o -name '*.d' -print 2>/dev/null)
