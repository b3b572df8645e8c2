# opconform: see README.md.  `make help` lists the targets.
MAKEFLAGS += --no-builtin-rules
PROCESSORS := $(shell nproc 2>/dev/null || echo 2)
# All cores, unless make was told a number of jobs or is an inner one; what removes files runs alone.
ifeq ($(MAKELEVEL)$(filter -j%,$(MAKEFLAGS)),0)
MAKEFLAGS += -j$(PROCESSORS)
endif
ifneq ($(filter clean distclean,$(MAKECMDGOALS)),)
.NOTPARALLEL:
endif
PREFIX ?= /usr/local
BUILD ?= build
# One name for one folder: what depends on headers is found by it.
override BUILD := $(patsubst $(CURDIR)/%,%,$(BUILD))
ARCH := $(shell uname -m)

# The newest clang that is named plainly or by a version; 14 is the oldest that builds opconform.
CLANG_FOUND := $(shell for clang in clang $$(seq -f clang-%g 40 -1 14); do \
  version=$$($$clang -dumpversion 2>/dev/null) && [ "$${version%%.*}" -ge 14 ] && { echo $$clang; break; }; done)
CLANG = $(or $(CLANG_FOUND),$(error clang 14 or later is not installed: run `make packages`, or name it by CC=... REFERENCE_CC=...))
ifeq ($(origin CC),default)
CC = $(CLANG)
endif
# The reference and the oracle are always built by clang: gcc 12 removes roundings (selftest.c).
REFERENCE_CC ?= $(CLANG)
# The archive's place and name depend on how clang was packaged.
RESOURCES = $(shell $(REFERENCE_CC) --print-resource-dir 2>/dev/null)
LIBFUZZER = $(or $(firstword $(wildcard $(RESOURCES)/lib/linux/libclang_rt.fuzzer_no_main-$(ARCH).a \
  $(RESOURCES)/lib/$(ARCH)*/libclang_rt.fuzzer_no_main.a)),$(error $(REFERENCE_CC) has no libFuzzer: install libclang-rt-*-dev of its version))

# A packager replaces CFLAGS, CPPFLAGS, LDFLAGS and the HARDENING that stands before them.
CFLAGS ?= -O2 -g
CPPFLAGS ?=
LDFLAGS ?=
HARDENING ?= -fPIE -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2
ifneq ($(HARDENING),)
HARDENING_LDFLAGS ?= -pie -Wl,-z,relro,-z,now
endif
SANITIZE ?=
# WERROR=1 makes warnings errors, as the tests do.
WARNINGS := -Wall -Wextra -Wstrict-prototypes -Wmissing-prototypes -Wshadow $(if $(WERROR),-Werror)
FLAGS := -std=c17 -D_GNU_SOURCE -I. -ffp-contract=off -fvisibility=hidden -ffile-prefix-map=$(CURDIR)=. $(WARNINGS) \
  $(HARDENING) $(CPPFLAGS) $(CFLAGS) $(SANITIZE) -MMD -MP
LINK := $(HARDENING_LDFLAGS) $(CFLAGS) $(LDFLAGS) $(SANITIZE)
LIBS := -lsqlite3 -lffi -ldw -lelf -lm -ldl -lpthread

# Each step says one line; V=1 shows the command instead, and make -s nothing.
QUIET = $(findstring s,$(firstword -$(MAKEFLAGS)))
step = $(if $(V)$(QUIET),,@printf '%-9s%s\n' '$(1)' '$(@:$(BUILD)/%=%)';) mkdir -p $(@D);

# Debian's packages, what each kind of target needs.
PACKAGES := clang libclang-rt-14-dev libstdc++-12-dev libsqlite3-dev libffi-dev libdw-dev
# libjs-chart.js draws the charts of reports (Chart.js, MIT licence).
PACKAGES-fuzz := $(PACKAGES) libopenblas0-pthread libblis4-pthread libblas3 libjs-chart.js
PACKAGES-backends := $(PACKAGES-fuzz) libsleef3 libdnnl-dev libxnnpack-dev libpthreadpool-dev libatlas3-base libopenblas0-serial libopenblas0-openmp \
  libopenblas64-0-pthread libblis64-4-pthread libblas64-3 \
  python3-pip python3-numpy python3-numexpr binutils
PACKAGES-test := $(PACKAGES-fuzz) libsleef3 libdnnl-dev libxnnpack-dev libpthreadpool-dev libmpfr-dev sqlite3 python3 python3-numpy python3-numexpr python3-yaml python3-pip python3-pytest systemd \
  clang-format dpkg-dev zsh fish
PACKAGES-deb := $(PACKAGES) dpkg-dev binutils
PACKAGES-all := $(PACKAGES-test) $(PACKAGES-backends) g++ chromium clang-tidy cppcheck shellcheck slurmctld slurmd slurm-client munge parallel
# Other engines of the fuzz targets, and what services need.
PACKAGES-engines := $(PACKAGES-all) afl++ clang-19 libclang-rt-19-dev zip

# All sources of a folder and of those below it, in one order everywhere; tests and programs of their own aside.
sources = $(shell find $(1) -name '*.c' -not -path '*/test/*' -not -path '*/native/*' | LC_ALL=C sort)
# Loops that are compiled once for each instruction set.
LOOPS := reference/product_kernel reference/affine_rows oracle/bound_rows oracle/draft_rows
COMMON := $(filter-out $(LOOPS:%=%.c),$(call sources,reference) $(call sources,oracle))
REST := $(call sources,ops reports)
# The order of minimisations, what is avoided and what is made of messages are tested by themselves.
MAIN_ONLY := fuzz/main.c $(filter-out fuzz/campaign/waiting.c fuzz/campaign/avoid.c fuzz/campaign/likeness.c fuzz/campaign/pace.c fuzz/campaign/budget.c fuzz/campaign/untrusted.c fuzz/campaign/campaign_unreadable.c,$(call sources,fuzz/command fuzz/nightly fuzz/fleet fuzz/campaign fuzz/exhaust))
# How features are told to an engine: that of libFuzzer, and what the other engines share.
ENGINE := $(filter-out $(MAIN_ONLY) fuzz/engine/edges_guards.c,$(filter-out fuzz/target/%,$(call sources,fuzz)))
OP_FILES := $(wildcard ops/*/op_*.c)
OPS := $(sort $(patsubst op_%.c,%,$(notdir $(OP_FILES))))
TABLE_FILES := $(wildcard ops/*/ops_*.c)
TABLES := $(sort $(patsubst %.c,%,$(notdir $(TABLE_FILES))))
BACKEND_FILES := $(wildcard ops/backend/*/be_*.c)
# By family, then by name.
BACKENDS := $(patsubst be_%.c,%,$(notdir $(sort $(BACKEND_FILES))))
ISAS := baseline $(if $(filter x86_64,$(ARCH)),avx2 avx512)

object = $(patsubst %.c,$(BUILD)/%.o,$(1))
CORE := $(call object,$(COMMON) $(REST)) $(BUILD)/registry.o $(BUILD)/pinned.o $(BUILD)/embedded.o \
  $(foreach isa,$(ISAS),$(LOOPS:%=$(BUILD)/%_$(isa).o))
# Workers in C: one program for each library, started by opconform.
NATIVE := $(addprefix $(BUILD)/opconform-,torch tensorflow cublas cublaslt cudnn)
NATIVE_PARTS := $(wildcard ops/backend/process/native/*.c)
THIN := $(OPS:%=$(BUILD)/fuzz-%)
TESTS := $(patsubst %.c,$(BUILD)/%,$(wildcard */test/t_*.c))
FAULTY := $(BUILD)/tests/libfaulty.so $(BUILD)/tests/libfixed.so

.PHONY: all help targets versions packages packages-fuzz packages-backends packages-test packages-deb packages-engines packages-all deb backends cuda frameworks fuzz test test-rest \
  test-all test-long test-programs simulators asan test-asan fuzz-parsers hunt-valgrind bench gpu-bundle layers format tidy cppcheck \
  ruff shellcheck install clean distclean
# What record loads into a program before its libraries; its functions are made of the rows of the BLAS.
RECORDER := $(BUILD)/libopconform-record.so
all: $(BUILD)/opconform $(NATIVE) $(RECORDER)
targets: $(THIN)

help:
	@echo "make              build $(BUILD)/opconform and its worker programs; V=1 shows the commands"
	@echo "make fuzz         install what is missing, build, fuzz the system's BLAS for FUZZ_TIME=60s, report"
	@echo "make test         install what is missing, build, run the quick tests: minutes, no frameworks"
	@echo "make test-all     every test; make test-rest runs what make test leaves out"
	@echo "make test-long    the runs of a night: a million cases, every planted fault by libFuzzer, storms of crashes, mixtures of hostile kernels, kills"
	@echo "make test-asan    the unit tests under ASan and UBSan; make asan builds so, under build/asan"
	@echo "make backends     more libraries and versions, fetched into .deps"
	@echo "make frameworks   PyTorch, TensorFlow, PaddlePaddle, JAX, OneFlow and SciPy for the CPU, into .deps (7.3 GB); FRAMEWORKS=torch for one, GPU=1 with CUDA"
	@echo "make versions     older versions of ONNX Runtime, PyTorch, TensorFlow and PaddlePaddle, which make test-long tries, into .deps/older (4 GB)"
	@echo "make cuda         CUDA's headers and libraries, which the tests of its adapters are held against, into .deps (2.1 GB)"
	@echo "make targets      the thin fuzz targets, one program for each operator; make build/fuzz-gemm for one of them"
	@echo "make fuzz-parsers fuzz our own parsers, shrinkers and reports for PARSER_TIME=60 s each under ASan and UBSan"
	@echo "make hunt-valgrind fuzz the system's BLAS under valgrind; HUNT_OPTIONS are fuzz's own options"
	@echo "make bench        cases per second and where the time goes"
	@echo "make gpu-bundle   a folder for a machine with a GPU and no compiler: ./opconform-gpu selftest, ./opconform-gpu fuzz ..."
	@echo "make packages     Debian's packages to build with; packages-fuzz, -backends, -test, -engines, -all for the targets above"
	@echo "make layers cppcheck tidy ruff shellcheck    checks of the source; make format formats it"
	@echo "make install      into DESTDIR and PREFIX=/usr/local, with manual pages and completions for shells; make deb for a package"
	@echo "make clean        remove build/; make distclean removes .deps as well"
	@echo
	@echo "CC, REFERENCE_CC (a clang, 14 or later), CFLAGS, CPPFLAGS, LDFLAGS, HARDENING and HARDENING_LDFLAGS are respected;"
	@echo "WERROR=1 makes warnings errors."

$(BUILD)/opconform: $(CORE) $(call object,$(ENGINE) $(MAIN_ONLY))
	$(call step,link)$(CC) $(LINK) -rdynamic -o $@ $^ $(LIBFUZZER) $(LIBS) -lstdc++

$(NATIVE): $(BUILD)/opconform-%: $(CORE) $(call object,$(NATIVE_PARTS))
$(BUILD)/opconform-torch: $(call object,$(wildcard ops/backend/framework/native/torch_*.c))
$(BUILD)/opconform-tensorflow: $(call object,$(wildcard ops/backend/framework/native/tensorflow_*.c))
DEVICE := ops/backend/cuda/native
$(BUILD)/opconform-cublas: $(call object,$(wildcard $(DEVICE)/cuda_*.c $(DEVICE)/cublas_*.c))
# All three ask cuBLAS how the device adds.
CUDA_PARTS := $(wildcard $(DEVICE)/cuda_*.c) $(addprefix $(DEVICE)/cublas_,library.c probe.c)
$(BUILD)/opconform-cublaslt: $(call object,$(CUDA_PARTS) $(wildcard $(DEVICE)/cublaslt_*.c))
$(BUILD)/opconform-cudnn: $(call object,$(CUDA_PARTS) $(wildcard $(DEVICE)/cudnn_*.c))
$(NATIVE):
	$(call step,link)$(CC) $(LINK) -o $@ $^ $(LIBS)

RECORDER_PARTS := $(addprefix ops/backend/blas/,native/recorder.c convention.c)
$(BUILD)/recorder_functions: $(CORE) $(call object,ops/backend/blas/native/recorder_functions.c)
	$(call step,link)$(CC) $(LINK) -o $@ $^ $(LIBS)
$(BUILD)/recorder_functions.c: $(BUILD)/recorder_functions
	$(call step,write)$< >$@
$(RECORDER): $(RECORDER_PARTS) $(wildcard ops/backend/blas/native/*.h) ops/backend/blas/recording.h ops/backend/blas/convention.h \
  $(BUILD)/recorder_functions.c
	$(call step,link)$(CC) -std=c17 -D_GNU_SOURCE -I. $(WARNINGS) -Wno-missing-prototypes -fvisibility=hidden -ffile-prefix-map=$(CURDIR)=. \
	  $(CPPFLAGS) -O2 -g $(LDFLAGS) -shared -fPIC -o $@ $(filter %.c,$^) -ldl -lm

# A fuzz target of an operator or of a family.  Services give FUZZING_ENGINE and LIB_FUZZING_ENGINE; each engine has a BUILD of its
# own.  A mutator of AFL++ is a library: HARDENING=-fPIC.
FUZZING_ENGINE ?= libfuzzer
AFL_PATH ?= /usr/lib/afl
LIB_FUZZING_ENGINE ?= $(if $(filter afl,$(FUZZING_ENGINE)),$(addprefix $(AFL_PATH)/,libAFLDriver.a afl-compiler-rt.o) -lrt,-fsanitize=fuzzer)
TARGET_BACKEND ?= openblas
# Engines are written in C++.
TARGET_LD ?= $(REFERENCE_CC) --driver-mode=g++
EDGES := fuzz/engine/edges_$(if $(filter libfuzzer,$(FUZZING_ENGINE)),counters,guards).c
TARGET_PARTS := $(call object,$(filter-out fuzz/engine/engine_%.c fuzz/engine/edges_%.c,$(ENGINE)))
# Plug-ins call functions of the program that loads them.
$(BUILD)/fuzz-%: $(CORE) $(TARGET_PARTS) $(call object,$(EDGES) fuzz/target/target.c) $(BUILD)/fuzz/target/scope-%.o
	$(call step,link)$(TARGET_LD) $(LINK) -rdynamic -o $@ $^ $(LIB_FUZZING_ENGINE) $(LIBS)
$(BUILD)/afl-mutator-%.so: $(CORE) $(TARGET_PARTS) $(call object,fuzz/engine/edges_counters.c fuzz/target/afl_mutator.c) $(BUILD)/fuzz/target/scope-%.o
	$(call step,link)$(REFERENCE_CC) $(filter-out -pie,$(LINK)) -shared -Wl,-z,defs -o $@ $^ $(LIBS)

$(BUILD)/reference/%.o $(BUILD)/oracle/%.o: COMPILER = $(REFERENCE_CC)
COMPILER = $(CC)
$(BUILD)/fuzz/target/scope-%.o: fuzz/target/scope.c
	$(call step,compile)$(COMPILER) $(FLAGS) -DTARGET_OP='"$*"' -DTARGET_BACKEND='"$(TARGET_BACKEND)"' -c -o $@ $<

$(LOOPS:%=$(BUILD)/%_baseline.o): ISA_FLAGS :=
$(LOOPS:%=$(BUILD)/%_avx2.o): ISA_FLAGS := -mavx2 -mfma
$(LOOPS:%=$(BUILD)/%_avx512.o): ISA_FLAGS := -mavx512f -mavx512dq -mavx512vl -mfma -mprefer-vector-width=512
define compile_loops
$(BUILD)/$(1)_%.o: $(1).c
	$$(call step,compile)$$(COMPILER) $$(FLAGS) -O3 -fno-math-errno $$(ISA_FLAGS) -DREFERENCE_ISA=$$* -c -o $$@ $$<
endef
$(foreach file,$(LOOPS),$(eval $(call compile_loops,$(file))))

$(BUILD)/%.o: %.c
	$(call step,compile)$(COMPILER) $(FLAGS) -c -o $@ $<
$(BUILD)/%.o: $(BUILD)/%.c
	$(call step,compile)$(COMPILER) $(FLAGS) -c -o $@ $<

# Registries follow from the names of the files.
BINDING_FILES := $(wildcard ops/backend/*/*.bindings)
BINDINGS := $(sort $(patsubst %.bindings,%,$(notdir $(BINDING_FILES))))
NAMES := $(sort $(patsubst %.names,%,$(notdir $(wildcard ops/backend/binding/*.names))))
$(BUILD)/registry.c: Makefile $(OP_FILES) $(TABLE_FILES) $(BACKEND_FILES) $(BINDING_FILES) $(wildcard ops/backend/binding/*.names)
	$(call step,write){ echo '#include "ops/backend/backend.h"'; echo '#include "ops/backend/binding/binding.h"'; \
	   echo '#include "ops/backend/binding/coverage.h"'; \
	   for op in $(OPS); do echo "extern const OpDesc op_$$op;"; done; \
	   for backend in $(BACKENDS); do echo "extern const BackendKind be_$$backend;"; done; \
	   for table in $(TABLES); do echo "OpTable $$table;"; done; \
	   echo 'const OpDesc *const op_files[] = {'; \
	   for op in $(OPS); do echo "    &op_$$op,"; done; echo '    NULL};'; \
	   echo 'OpTable *const op_tables[] = {'; \
	   for table in $(TABLES); do echo "    $$table,"; done; echo '    NULL};'; \
	   echo 'const BackendKind *const backend_registry[] = {'; \
	   for backend in $(BACKENDS); do echo "    &be_$$backend,"; done; echo '    NULL};'; \
	   for file in $(BINDINGS); do echo "extern const char $${file}_bindings[];"; done; \
	   echo 'const BindingFile binding_files[] = {'; \
	   for file in $(BINDINGS); do echo "    {\"$$file\", $${file}_bindings},"; done; echo '    {0}};'; \
	   for file in $(NAMES); do echo "extern const char $${file}_names[];"; done; \
	   echo 'const CoverageFile coverage_files[] = {'; \
	   for file in $(NAMES); do echo "    {\"$$file\", $${file}_names},"; done; echo '    {0}};'; } > $@

# The folders NAME-VERSION that make backends and make frameworks fill.
PINNED := ops/backend/fetch/wheels.txt ops/backend/fetch/frameworks.txt
$(BUILD)/pinned.c: $(PINNED) Makefile
	@mkdir -p $(@D)
	@{ echo '#include "ops/backend/library.h"'; echo 'const char *const library_pinned[] = {'; \
	   awk '!seen[$$1]++ { print "    \"" $$1 "\"," }' $(PINNED); echo '    NULL};'; } > $@

# Files of other languages become strings of C, under their names.
EMBEDDED := $(shell find reports ops -name '*.sql' -o -name '*.css' -o -name '*.js' -o -name '*.c.in' -o -name '*.bindings' -o -name '*.names' -o -name '*.projects' | LC_ALL=C sort) corpus/known.cases
$(BUILD)/embedded.c: $(EMBEDDED) reference/embed Makefile
	$(call step,write)reference/embed $(EMBEDDED) >$@

# Tests: one program per file, linked with everything but the command line.
$(BUILD)/reference/test/t_affine $(BUILD)/reference/test/t_screen $(BUILD)/reference/test/t_mag $(BUILD)/reference/test/t_vectors $(BUILD)/reference/test/t_function $(BUILD)/reference/test/t_special $(BUILD)/reference/test/t_laws $(BUILD)/reference/test/t_complex $(BUILD)/ops/test/t_fourier $(BUILD)/reference/test/t_ball $(BUILD)/reference/test/t_equation $(BUILD)/ops/test/t_lapack $(BUILD)/ops/test/t_lapack_drivers $(BUILD)/ops/test/t_lapack_pairs $(BUILD)/ops/test/t_lapack_values $(BUILD)/ops/test/t_layers $(BUILD)/ops/test/t_layer_gradients: TEST_LIBS := -lmpfr -lgmp
$(TESTS): $(BUILD)/%: $(BUILD)/%.o $(CORE) $(call object,$(ENGINE))
	$(call step,link)$(CC) $(LINK) -rdynamic -o $@ $^ $(LIBFUZZER) $(TEST_LIBS) $(LIBS) -lstdc++
SHARED := -std=c17 -D_GNU_SOURCE -I. -g -Wall -Wextra $(if $(WERROR),-Werror) -fvisibility=hidden -shared -fPIC
$(BUILD)/tests/libfaulty.so: SHARED += -DFAULTY=9
$(BUILD)/tests/libfixed.so: SHARED += -DFAULTY=0
# Plug-ins of users, as they compile them.
PLUGINS := $(patsubst examples/plugin/%.c,$(BUILD)/tests/%.so,$(wildcard examples/plugin/*.c))
$(PLUGINS): $(BUILD)/tests/%.so: examples/plugin/%.c include/opconform.h
	$(call step,link)$(CC) -std=c17 -Iinclude -g -O2 -Wall -Wextra $(if $(WERROR),-Werror) -shared -fPIC -o $@ $< -lm
$(BUILD)/ops/test/t_wide: | $(BUILD)/tests/formulas.so
$(FAULTY): tests/faulty_blas.c
	$(call step,link)$(CC) $(SHARED) -O2 -fvisibility=default -o $@ $< -lm
$(BUILD)/tests/hostile: $(BUILD)/tests/hostile.o $(CORE)
	$(call step,link)$(CC) $(LINK) -rdynamic -o $@ $^ $(LIBS)
$(BUILD)/worker_rates $(BUILD)/sums_rates $(BUILD)/reference_rates: $(BUILD)/%: $(BUILD)/bench/%.o $(CORE)
	$(call step,link)$(CC) $(LINK) -rdynamic -o $@ $^ $(LIBS)
$(BUILD)/power: $(CORE) $(call object,$(ENGINE) $(wildcard bench/power/*.c))
	$(call step,link)$(CC) $(LINK) -rdynamic -o $@ $^ $(LIBFUZZER) $(LIBS) -lstdc++
# A CUDA runtime and cuBLAS in host memory (tests/fakecuda/fakecuda.c); libcudart and libcublas are this one library.
FAKECUDA := $(BUILD)/tests/fakecuda
$(FAKECUDA)/generate: $(CORE) $(call object,$(addprefix tests/fakecuda/,generate.c declarations.c))
	$(call step,link)$(CC) $(LINK) -o $@ $^ $(LIBS)
FAKECUDA_PARTS := $(addprefix tests/fakecuda/,fakecuda.c products.c lt.c epilogue.c dnn.c dnn_layers.c dnn_graph.c dnn_nodes.c) reference/base.c reference/dtype.c
$(FAKECUDA)/routines.c: $(FAKECUDA)/generate
	$(call step,write)$< routines >$@
$(FAKECUDA)/libcublas.so.12: $(FAKECUDA_PARTS) $(wildcard tests/fakecuda/*.h) tests/matrix_unit.h $(FAKECUDA)/routines.c
	$(call step,link)$(CC) $(SHARED) -O1 -w -Itests/fakecuda -o $@ $(FAKECUDA_PARTS) $(FAKECUDA)/routines.c -ldl -lm
	@for name in libcudart.so.12 libcublasLt.so.12 libcudnn.so.9; do ln -sf libcublas.so.12 $(FAKECUDA)/$$name; done
# Offers graphs to the real cuDNN, for a device that is only described, and a driver that runs nothing.
$(FAKECUDA)/offer: $(CORE) $(call object,tests/fakecuda/offer.c $(NATIVE_PARTS) $(CUDA_PARTS) $(addprefix $(DEVICE)/cudnn_,call.c graph_call.c))
	$(call step,link)$(CC) $(LINK) -o $@ $^ $(LIBS)
$(FAKECUDA)/driver/libcuda.so.1: tests/fakecuda/driver.c
	$(call step,link)$(CC) $(SHARED) -O1 -o $@ $<

# What is recorded, on the system's OpenBLAS.
$(BUILD)/tests/recorded_app: tests/recorded_app.c
	$(call step,link)$(CC) -std=c17 -D_GNU_SOURCE -O1 -g -Wall -Wextra $(if $(WERROR),-Werror) -o $@ $< -l:libopenblas.so.0 -lpthread
$(BUILD)/tests/ort_slots: $(BUILD)/tests/ort_slots.o
	$(call step,link)$(CC) $(LINK) -o $@ $^ $(LIBS)

test-programs: $(TESTS) $(FAULTY) $(PLUGINS) $(BUILD)/tests/ort_slots $(BUILD)/tests/recorded_app $(BUILD)/fuzz-gemm $(BUILD)/fuzz-gemv $(BUILD)/worker_rates $(BUILD)/sums_rates $(BUILD)/reference_rates $(BUILD)/power $(BUILD)/tests/hostile
simulators: $(FAKECUDA)/libcublas.so.12 $(FAKECUDA)/offer $(FAKECUDA)/driver/libcuda.so.1

# Installs Debian packages that are missing, as root or through sudo.
define install_packages
@missing=""; for p in $(1); do \
  dpkg-query -W -f='$${Status}' $$p 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$p"; done; \
if [ -n "$$missing" ]; then \
  if [ "$$(id -u)" = 0 ]; then run=""; \
  elif command -v sudo >/dev/null 2>&1; then run=sudo; \
  else echo "missing packages:$$missing; install them, or run as root or with sudo" >&2; exit 3; fi; \
  echo "installing$$missing" >&2; $$run apt-get -o DPkg::Lock::Timeout=300 update -qq && \
  DEBIAN_FRONTEND=noninteractive $$run apt-get -o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends $$missing >/dev/null; fi
endef
packages packages-fuzz packages-backends packages-test packages-deb packages-engines packages-all: packages%:
	$(call install_packages,$(PACKAGES$*))

# Inner makes, so that tools found above are seen below.
FUZZ_TIME ?= 60s
fuzz: packages-fuzz
	@$(MAKE) --no-print-directory $(BUILD)/opconform
	@$(BUILD)/opconform fuzz --time $(FUZZ_TIME) --jobs 2 --db $(BUILD)/findings.db; status=$$?; \
	 [ $$status -le 1 ] || exit $$status; \
	 printf 'report: '; $(BUILD)/opconform report --db $(BUILD)/findings.db --out $(BUILD)/report

# Files of Parquet are written by Arrow's library for Python; DuckDB reads them in tests.
PARQUET := .deps/parquet-26.0.1
$(PARQUET)/.done: ops/backend/fetch/parquet.txt | packages-backends
	$(call step,fetch)python3 -m pip --disable-pip-version-check install -q --no-deps --only-binary :all: --require-hashes \
	  --root-user-action ignore --upgrade --target $(@D) -r $< && touch $@

# More libraries, builds and versions: Debian's, and pinned wheels under .deps.
backends: packages-backends $(PARQUET)/.done
	@ops/backend/fetch/fetch-wheels .deps
	@ops/backend/fetch/fetch-frameworks .deps onnxruntime

# Headers and libraries of CUDA that tests hold ours against; they need no GPU.
cuda: packages-backends
	@ops/backend/fetch/fetch-cuda .deps

# FRAMEWORKS=torch fetches one of them only; GPU=1 their builds with CUDA and its libraries where there are any; PYTHON310=/path/python3.10 is the one that OneFlow needs.
frameworks: packages-backends
	@ops/backend/fetch/fetch-frameworks .deps $(FRAMEWORKS)

# Slow: a few cases a second. Older valgrinds do not read later versions of DWARF.
HUNT_OPTIONS ?= --op 'blas/*' --time 10m
hunt-valgrind: packages-fuzz
	$(call install_packages,valgrind)
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/valgrind CFLAGS="-O2 -gdwarf-4" $(BUILD)/valgrind/opconform
	@valgrind --quiet --error-limit=no --trace-children=yes --log-file=$(BUILD)/valgrind/%p.log \
	 $(BUILD)/valgrind/opconform fuzz --engine random --deadline 60s --db $(BUILD)/valgrind/findings.db $(HUNT_OPTIONS); \
	 status=$$?; [ $$status -le 1 ] || exit $$status; \
	 echo "database: $(BUILD)/valgrind/findings.db; what memcheck says: $(BUILD)/valgrind/*.log"

# tests/run has the list of the tests of make test; test-rest is everything else, and test-all is both.
test: packages-test
	@$(MAKE) --no-print-directory WERROR=1 all test-programs simulators
	@tests/run $(BUILD) quick
test-rest: packages-all
	@$(MAKE) --no-print-directory WERROR=1 all test-programs simulators $(RUFF)
	@tests/run $(BUILD) rest
test-all: packages-all
	@$(MAKE) --no-print-directory WERROR=1 all test-programs simulators $(RUFF)
	@tests/run $(BUILD) all
versions: packages-backends
	@LIST=older-wheels.txt ops/backend/fetch/fetch-wheels .deps/older
	@LIST=older-frameworks.txt ops/backend/fetch/fetch-frameworks .deps/older

test-long: packages-engines
	@$(MAKE) --no-print-directory all test-programs
	@tests/run-long $(BUILD)

bench: packages-fuzz
	@$(MAKE) --no-print-directory $(BUILD)/opconform
	@bench/run $(BUILD)

ASAN := BUILD=$(BUILD)/asan CFLAGS="-O1 -g -fno-omit-frame-pointer" HARDENING= \
  SANITIZE="-fsanitize=address,undefined -fno-sanitize-recover=all"
asan:
	@$(MAKE) --no-print-directory $(ASAN) all test-programs simulators
test-asan: packages-test
	@$(MAKE) --no-print-directory $(ASAN) $(TESTS:$(BUILD)/%=$(BUILD)/asan/%)
	@ASAN_OPTIONS=detect_leaks=0 TEST_SCALE=0.1 tests/run $(BUILD)/asan units

PARSER_TIME ?= 60
OWN_TARGETS := $(patsubst tests/fuzz_%.c,%,$(wildcard tests/fuzz_*.c))
PARSERS := $(BUILD)/parsers
fuzz-parsers: packages-fuzz
	@$(MAKE) --no-print-directory BUILD=$(PARSERS) CFLAGS="-O1 -g -fno-omit-frame-pointer" HARDENING= CC="$(REFERENCE_CC)" \
	  SANITIZE="-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all" $(OWN_TARGETS:%=$(PARSERS)/fuzz-own-%)
	@for target in $(OWN_TARGETS); do mkdir -p $(PARSERS)/corpus/$$target; \
	   $(PARSERS)/fuzz-own-$$target -max_total_time=$(PARSER_TIME) -print_final_stats=1 -artifact_prefix=$(PARSERS)/ \
	     $(PARSERS)/corpus/$$target || exit 1; done
# The custom mutator is that of cases.
$(BUILD)/fuzz-own-%: $(BUILD)/tests/fuzz_%.o $(CORE) $(filter-out $(BUILD)/fuzz/engine/libfuzzer%.o,$(TARGET_PARTS)) $(call object,$(EDGES))
	$(call step,link)$(TARGET_LD) $(LINK) -o $@ $^ $(LIB_FUZZING_ENGINE) $(LIBS)

gpu-bundle: packages
	@$(MAKE) --no-print-directory all
	@ops/backend/fetch/bundle-gpu $(BUILD) $(BUILD)/gpu-bundle

layers: $(BUILD)/opconform
	@tests/check-layers $(BUILD)
format:
	clang-format -i $$(git ls-files '*.c' '*.h')
# The analyser walks TIDY_NODES steps of a function's paths, 225000 if it is left alone; make test-long takes these, which
# cost three to five times as much.
TIDY_NODES ?= 50000
tidy:
	@echo $(COMMON) $(REST) $(wildcard ops/backend/*/native/*.c) $(call sources,fuzz) | xargs -P $(PROCESSORS) -n 8 sh -c \
	  'clang-tidy --quiet --warnings-as-errors="*" "$$@" -- -std=c17 -D_GNU_SOURCE -I. -DTARGET_OP=\"gemm\" -DTARGET_BACKEND=\"openblas\" \
	   -Xclang -analyzer-config -Xclang max-nodes=$(TIDY_NODES)' tidy
cppcheck:
	cppcheck -j $(PROCESSORS) --quiet --std=c11 --error-exitcode=1 --inline-suppr --enable=warning,portability \
	  --suppress=missingInclude -D_GNU_SOURCE -I. reference oracle ops reports fuzz
# ruff is no package of Debian's: a pinned wheel under .deps.
RUFF := .deps/ruff-0.17.5/bin/ruff
$(RUFF):
	$(call step,fetch)python3 -m pip --disable-pip-version-check install -q --no-deps --only-binary :all: --require-hashes \
	  --root-user-action ignore --upgrade --target .deps/ruff-0.17.5 -r ops/backend/fetch/ruff.txt

ruff: $(RUFF)
	$(RUFF) check --quiet --no-cache
# Programs of bash, and what they source: not what a folder of data may hold.
shellcheck:
	shellcheck --shell=bash --severity=warning --external-sources $$(git ls-files 'tests/*.sh') $$(git grep -lE '^#!.*sh$$' -- ':!docs')

PYTHON := ops/backend/framework/python
VERSION = $(shell sed -n 's/.*OPCONFORM_VERSION "\(.*\)"/\1/p' reports/store/version.h)
SHARE = $(DESTDIR)$(PREFIX)/share
WORKER = $(SHARE)/opconform/worker
install: all
	install -D $(BUILD)/opconform $(DESTDIR)$(PREFIX)/bin/opconform
	install -D -t $(DESTDIR)$(PREFIX)/bin $(NATIVE)
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/lib/opconform $(RECORDER)
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/include include/opconform.h
	@mkdir -p $(DESTDIR)$(PREFIX)/share/pkgconfig
	sed 's|@PREFIX@|$(PREFIX)|; s|@VERSION@|$(VERSION)|' include/opconform.pc.in >$(DESTDIR)$(PREFIX)/share/pkgconfig/opconform.pc
	install -D -m 644 -t $(WORKER) $(PYTHON)/*.py
	install -D -m 644 -t $(WORKER)/opconform_worker $(wildcard ops/backend/*/adapter_*.py) $(PYTHON)/opconform_worker/*.py $(PYTHON)/opconform_worker/*.in
	install -D -m 644 -t $(WORKER)/opconform python/opconform/*.py
	install -D -m 644 -t $(WORKER)/opconform/autotest python/opconform/autotest/*.py
	install -D -m 644 -t $(WORKER)/opconform_worker/programs $(PYTHON)/opconform_worker/programs/*.py
	install -D -m 644 -t $(SHARE)/doc/opconform README.md CHANGELOG.md LICENSE
	packaging/install-manual $(BUILD)/opconform $(SHARE)

# A package for Debian in build/.
deb: packages-deb
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/deb/build LDFLAGS="$(LDFLAGS) -s" all
	+@packaging/make-deb $(BUILD)/deb/build $(BUILD) $(VERSION)
clean:
	rm -rf $(BUILD)
distclean: clean
	rm -rf .deps

%.d: ;
-include $(shell find $(BUILD) -name '*.d' -type f 2>/dev/null)
.SECONDARY:
