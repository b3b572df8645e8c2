# opconform: see README.md.  `make help` lists the targets.
ifeq ($(origin CC),default)
CC := clang
endif
# The reference and the oracle are always built by clang: gcc 12 removes roundings (selftest.c).
REFERENCE_CC ?= clang
PREFIX ?= /usr/local
BUILD ?= build
MAKEFLAGS += --no-builtin-rules
SANITIZE ?=
WARNINGS := -Wall -Wextra -Werror -Wstrict-prototypes -Wmissing-prototypes -Wshadow
CFLAGS ?= -O2 -g
FLAGS := -std=c17 -D_GNU_SOURCE -I. -ffp-contract=off -fvisibility=hidden $(WARNINGS) $(CFLAGS) $(SANITIZE) -MMD -MP
ARCH := $(shell uname -m)
# V=1 shows the commands.
Q := $(if $(V),,@)
LIBFUZZER := $(shell clang --print-resource-dir 2>/dev/null)/lib/linux/libclang_rt.fuzzer_no_main-$(ARCH).a
LIBS := -lsqlite3 -lffi -lm -ldl -lpthread

PACKAGES := clang libclang-rt-14-dev libstdc++-12-dev libsqlite3-dev libffi-dev
PACKAGES_FUZZ := libopenblas0-pthread libblis4-pthread libblas3
PACKAGES_BACKENDS := libsleef3 libdnnl2 libxnnpack0 libatlas3-base libopenblas0-serial libopenblas0-openmp python3-pip python3-numpy binutils
PACKAGES_TEST := $(PACKAGES_FUZZ) libsleef3 libdnnl2 libxnnpack0 libmpfr-dev sqlite3 python3 python3-numpy chromium
PACKAGES_LINT := clang-format clang-tidy cppcheck

COMMON := $(filter-out reference/product_kernel.c,$(wildcard reference/*.c)) $(wildcard oracle/*.c)
REST := $(wildcard ops/*.c) $(sort $(wildcard ops/blas/*.c ops/nn/*.c ops/program/*.c ops/backend/*.c)) $(wildcard reports/*.c reports/html/*.c)
MAIN_ONLY := fuzz/main.c fuzz/options.c fuzz/engine_random.c fuzz/engine_libfuzzer.c fuzz/worker.c \
  $(wildcard fuzz/command_*.c fuzz/campaign*.c fuzz/nightly*.c)
TARGET := fuzz/target.c
ENGINE := $(filter-out $(MAIN_ONLY) $(TARGET),$(wildcard fuzz/*.c))
OP_FILES := $(wildcard ops/*/op_*.c)
OPS := $(sort $(patsubst op_%.c,%,$(notdir $(OP_FILES))))
TABLE_FILES := $(wildcard ops/*/ops_*.c)
TABLES := $(sort $(patsubst %.c,%,$(notdir $(TABLE_FILES))))
BACKENDS := $(patsubst ops/backend/be_%.c,%,$(sort $(wildcard ops/backend/be_*.c)))
ISAS := baseline $(if $(filter x86_64,$(ARCH)),avx2 avx512)

object = $(patsubst %.c,$(BUILD)/%.o,$(1))
CORE := $(call object,$(COMMON) $(REST)) $(BUILD)/registry.o $(BUILD)/schema.o \
  $(ISAS:%=$(BUILD)/reference/product_kernel_%.o)
# Workers in C: one program for each library, started by opconform.
NATIVE := $(addprefix $(BUILD)/opconform-,torch tensorflow cublas cublaslt cudnn)
NATIVE_PARTS := $(addprefix ops/backend/native/,native_server.c native_call.c native_tensor.c)
THIN := $(OPS:%=$(BUILD)/fuzz-%)
TESTS := $(patsubst %.c,$(BUILD)/%,$(wildcard */test/t_*.c))
FAULTY := $(BUILD)/tests/libfaulty.so $(BUILD)/tests/libfixed.so

.PHONY: all help backends frameworks packages packages-% fuzz test test-long test-programs bench asan test-asan layers format gpu-bundle \
  tidy cppcheck install clean distclean fuzz-parsers hunt-valgrind
all: $(BUILD)/opconform $(NATIVE) $(THIN)

help:
	@echo "make              build $(BUILD)/opconform and the thin fuzz targets"
	@echo "make fuzz         install what is missing, build, fuzz the system's BLAS for a minute, report"
	@echo "make backends     more libraries and versions, fetched into .deps"
	@echo "make frameworks   PyTorch, TensorFlow, PaddlePaddle, JAX and OneFlow for the CPU, into .deps (7.1 GB); FRAMEWORKS=torch for one, GPU=1 with CUDA"
	@echo "make test         install what is missing, build, run every test"
	@echo "make test-long    the million-case runs: identities, correct variants, planted faults, storms"
	@echo "make bench        cases per second and where the time goes"
	@echo "make asan         build with ASan and UBSan under build/asan; make test-asan runs the unit tests so"
	@echo "make hunt-valgrind the BLAS of the system under valgrind, HUNT_OPTIONS for fuzz's own options"
	@echo "make fuzz-parsers fuzz our own parsers, shrinkers and reports under ASan and UBSan"
	@echo "make gpu-bundle   a folder for a machine with a GPU and no compiler: ./opconform-gpu selftest, ./opconform-gpu fuzz ..."
	@echo "make layers format tidy cppcheck    checks of the source"
	@echo "make install PREFIX=/usr/local      make clean, make distclean"

$(BUILD)/opconform: $(CORE) $(call object,$(ENGINE) $(MAIN_ONLY))
	$(Q)$(CC) $(SANITIZE) -rdynamic -o $@ $^ $(LIBFUZZER) $(LIBS) -lstdc++

$(NATIVE): $(BUILD)/opconform-%: $(CORE) $(call object,$(NATIVE_PARTS))
$(BUILD)/opconform-torch: $(call object,$(wildcard ops/backend/native/torch_*.c))
$(BUILD)/opconform-tensorflow: $(call object,$(wildcard ops/backend/native/tensorflow_*.c))
$(BUILD)/opconform-cublas: $(call object,$(wildcard ops/backend/native/cuda_*.c ops/backend/native/cublas_*.c))
# All three ask cuBLAS how the device adds.
CUDA_PARTS := $(wildcard ops/backend/native/cuda_*.c) $(addprefix ops/backend/native/cublas_,library.c probe.c)
$(BUILD)/opconform-cublaslt: $(call object,$(CUDA_PARTS) $(wildcard ops/backend/native/cublaslt_*.c))
$(BUILD)/opconform-cudnn: $(call object,$(CUDA_PARTS) $(wildcard ops/backend/native/cudnn_*.c))
$(NATIVE):
	$(Q)$(CC) $(SANITIZE) -o $@ $^ $(LIBS)

$(BUILD)/fuzz-%: $(CORE) $(call object,$(ENGINE)) $(BUILD)/fuzz/target-%.o
	$(Q)$(REFERENCE_CC) $(SANITIZE) -fsanitize=fuzzer -o $@ $^ $(LIBS)

$(BUILD)/fuzz/target-%.o: fuzz/target.c
	@mkdir -p $(@D)
	$(Q)$(CC) $(FLAGS) -DTARGET_OP='"$*"' -c -o $@ $<

$(BUILD)/reference/product_kernel_baseline.o: ISA_FLAGS :=
$(BUILD)/reference/product_kernel_avx2.o: ISA_FLAGS := -mavx2 -mfma
$(BUILD)/reference/product_kernel_avx512.o: ISA_FLAGS := -mavx512f -mavx512dq -mavx512vl -mfma -mprefer-vector-width=512
$(BUILD)/reference/product_kernel_%.o: reference/product_kernel.c
	@mkdir -p $(@D)
	$(Q)$(REFERENCE_CC) $(FLAGS) -O3 $(ISA_FLAGS) -DPRODUCT_ISA=$* -c -o $@ $<

$(BUILD)/reference/%.o: reference/%.c
	@mkdir -p $(@D)
	$(Q)$(REFERENCE_CC) $(FLAGS) -c -o $@ $<
$(BUILD)/oracle/%.o: oracle/%.c
	@mkdir -p $(@D)
	$(Q)$(REFERENCE_CC) $(FLAGS) -c -o $@ $<
$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(Q)$(CC) $(FLAGS) -c -o $@ $<
$(BUILD)/%.o: $(BUILD)/%.c
	$(Q)$(CC) $(FLAGS) -c -o $@ $<

# Registries follow from the names of the files.
$(BUILD)/registry.c: Makefile $(OP_FILES) $(TABLE_FILES) $(wildcard ops/backend/be_*.c)
	@mkdir -p $(@D)
	@{ echo '#include "ops/backend.h"'; \
	   for op in $(OPS); do echo "extern const OpDesc op_$$op;"; done; \
	   for backend in $(BACKENDS); do echo "extern const BackendKind be_$$backend;"; done; \
	   for table in $(TABLES); do echo "OpTable $$table;"; done; \
	   echo 'const OpDesc *const op_files[] = {'; \
	   for op in $(OPS); do echo "    &op_$$op,"; done; echo '    NULL};'; \
	   echo 'OpTable *const op_tables[] = {'; \
	   for table in $(TABLES); do echo "    $$table,"; done; echo '    NULL};'; \
	   echo 'const BackendKind *const backend_registry[] = {'; \
	   for backend in $(BACKENDS); do echo "    &be_$$backend,"; done; echo '    NULL};'; } > $@

# SQL becomes text in C, under the name of its file.
SQL := $(wildcard reports/*.sql reports/merge/*.sql)
$(BUILD)/schema.c: $(SQL) Makefile
	@mkdir -p $(@D)
	@for file in $(SQL); do name=$$(basename $$file .sql)_sql; \
	   echo "extern const char $$name[];"; echo "const char $$name[] ="; \
	   sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/.*/"&\\n"/' $$file; echo ';'; done > $@

# Tests: one program per file, linked with everything but the command line.
$(BUILD)/reference/test/t_affine $(BUILD)/reference/test/t_vectors $(BUILD)/reference/test/t_function $(BUILD)/reference/test/t_ball $(BUILD)/ops/test/t_layers $(BUILD)/ops/test/t_layer_gradients: TEST_LIBS := -lmpfr -lgmp
$(TESTS): $(BUILD)/%: $(BUILD)/%.o $(CORE) $(call object,$(ENGINE))
	$(Q)$(CC) $(SANITIZE) -rdynamic -o $@ $^ $(TEST_LIBS) $(LIBS)
$(BUILD)/tests/libfaulty.so: tests/faulty_blas.c
	@mkdir -p $(@D)
	$(CC) -std=c17 -O2 -g -Wall -Wextra -Werror -shared -fPIC -DFAULTY=9 -o $@ $< -lm
$(BUILD)/tests/libfixed.so: tests/faulty_blas.c
	@mkdir -p $(@D)
	$(CC) -std=c17 -O2 -g -Wall -Wextra -Werror -shared -fPIC -DFAULTY=0 -o $@ $< -lm
$(BUILD)/worker_rates: $(BUILD)/bench/worker_rates.o $(CORE) $(call object,$(ENGINE))
	$(Q)$(CC) $(SANITIZE) -rdynamic -o $@ $^ $(LIBS)
# A CUDA runtime and cuBLAS in host memory (tests/fakecuda/fakecuda.c); libcudart and libcublas are this one library.
FAKECUDA := $(BUILD)/tests/fakecuda
$(FAKECUDA)/generate: $(CORE) $(call object,$(addprefix tests/fakecuda/,generate.c declarations.c))
	$(Q)$(CC) $(SANITIZE) -o $@ $^ $(LIBS)
FAKECUDA_PARTS := $(addprefix tests/fakecuda/,fakecuda.c products.c lt.c epilogue.c dnn.c dnn_layers.c dnn_graph.c dnn_nodes.c) reference/dtype.c
$(FAKECUDA)/libcublas.so.12: $(FAKECUDA_PARTS) $(wildcard tests/fakecuda/*.h) tests/matrix_unit.h $(FAKECUDA)/generate
	$(FAKECUDA)/generate routines >$(FAKECUDA)/routines.c
	$(Q)$(CC) -std=c17 -D_GNU_SOURCE -O1 -g -w -I. -Itests/fakecuda -fvisibility=hidden -shared -fPIC -o $@ $(FAKECUDA_PARTS) $(FAKECUDA)/routines.c -ldl -lm
	for name in libcudart.so.12 libcublasLt.so.12 libcudnn.so.9; do ln -sf libcublas.so.12 $(FAKECUDA)/$$name; done
# Offers graphs to the real cuDNN, for a device that is only described, and a driver that runs nothing.
$(FAKECUDA)/offer: $(CORE) $(call object,tests/fakecuda/offer.c $(NATIVE_PARTS) $(CUDA_PARTS) $(addprefix ops/backend/native/cudnn_,calls.c graph_calls.c))
	$(Q)$(CC) $(SANITIZE) -o $@ $^ $(LIBS)
$(FAKECUDA)/driver/libcuda.so.1: tests/fakecuda/driver.c
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c17 -O1 -g -Wall -Wextra -Werror -fvisibility=hidden -shared -fPIC -o $@ $<

test-programs: $(FAKECUDA)/offer $(FAKECUDA)/driver/libcuda.so.1 $(TESTS) $(FAULTY) $(FAKECUDA)/libcublas.so.12 $(BUILD)/worker_rates

# Installs Debian packages that are missing, as root or through sudo.
define install_packages
@missing=""; for p in $(1); do \
  dpkg-query -W -f='$${Status}' $$p 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$p"; done; \
if [ -n "$$missing" ]; then \
  if [ "$$(id -u)" = 0 ]; then run=""; \
  elif command -v sudo >/dev/null 2>&1; then run=sudo; \
  else echo "missing packages:$$missing; install them, or run as root or with sudo" >&2; exit 3; fi; \
  echo "installing$$missing" >&2; $$run apt-get update -qq && \
  DEBIAN_FRONTEND=noninteractive $$run apt-get install -y -qq --no-install-recommends $$missing >/dev/null; fi
endef
packages:
	$(call install_packages,$(PACKAGES))
packages-fuzz: packages
	$(call install_packages,$(PACKAGES_FUZZ))
packages-test: packages
	$(call install_packages,$(PACKAGES_TEST))
packages-backends: packages-fuzz
	$(call install_packages,$(PACKAGES_BACKENDS))
packages-lint: packages
	$(call install_packages,$(PACKAGES_LINT))

# Inner makes, so that tools found above are seen below.
FUZZ_TIME ?= 60s
fuzz: packages-fuzz
	@$(MAKE) --no-print-directory all
	@$(BUILD)/opconform fuzz --time $(FUZZ_TIME) --jobs 2 --db $(BUILD)/findings.db; status=$$?; \
	 [ $$status -le 1 ] || exit $$status; \
	 echo; $(BUILD)/opconform query open --db $(BUILD)/findings.db; \
	 echo; echo "database: $(BUILD)/findings.db"; \
	 printf 'report:   '; $(BUILD)/opconform report --db $(BUILD)/findings.db --out $(BUILD)/report

# More libraries, builds and versions: Debian's, and pinned wheels under .deps.
backends: packages-backends
	@ops/backend/fetch-wheels .deps

# FRAMEWORKS=torch fetches one of them only; GPU=1 their builds with CUDA and its libraries where there are any; PYTHON310=/path/python3.10 is the one that OneFlow needs.
frameworks: packages-backends
	@ops/backend/fetch-frameworks .deps $(FRAMEWORKS)

# Slow: a few cases a second. Older valgrinds do not read later versions of DWARF.
HUNT_OPTIONS ?= --op 'blas/*' --time 10m
hunt-valgrind: packages-fuzz
	$(call install_packages,valgrind)
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/valgrind CFLAGS="-O2 -gdwarf-4" $(BUILD)/valgrind/opconform
	@valgrind --quiet --error-limit=no --trace-children=yes --log-file=$(BUILD)/valgrind/%p.log \
	 $(BUILD)/valgrind/opconform fuzz --engine random --deadline 60s --db $(BUILD)/valgrind/findings.db $(HUNT_OPTIONS); \
	 status=$$?; [ $$status -le 1 ] || exit $$status; \
	 echo "database: $(BUILD)/valgrind/findings.db; what memcheck says: $(BUILD)/valgrind/*.log"

test: packages-test packages-lint
	@$(MAKE) --no-print-directory all test-programs
	@tests/run $(BUILD)

test-long: packages-test
	@$(MAKE) --no-print-directory all test-programs
	@tests/run-long $(BUILD)

bench: packages-fuzz
	@$(MAKE) --no-print-directory all
	@bench/run $(BUILD)

asan:
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/asan CFLAGS="-O1 -g -fno-omit-frame-pointer" \
	  SANITIZE="-fsanitize=address,undefined -fno-sanitize-recover=all" all test-programs
test-asan: asan
	@ASAN_OPTIONS=detect_leaks=0 TEST_SCALE=0.1 tests/run-units $(BUILD)/asan

PARSER_TIME ?= 60
OWN_TARGETS := $(patsubst tests/fuzz_%.c,%,$(wildcard tests/fuzz_*.c))
PARSERS := $(BUILD)/parsers
fuzz-parsers: packages-fuzz
	@$(MAKE) --no-print-directory BUILD=$(PARSERS) CFLAGS="-O1 -g -fno-omit-frame-pointer" CC="$(REFERENCE_CC)" \
	  SANITIZE="-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all" $(OWN_TARGETS:%=$(PARSERS)/fuzz-own-%)
	@for target in $(OWN_TARGETS); do mkdir -p $(PARSERS)/corpus/$$target; \
	   $(PARSERS)/fuzz-own-$$target -max_total_time=$(PARSER_TIME) -print_final_stats=1 -artifact_prefix=$(PARSERS)/ \
	     $(PARSERS)/corpus/$$target || exit 1; done
$(BUILD)/fuzz-own-%: tests/fuzz_%.c $(CORE) $(call object,$(filter-out fuzz/libfuzzer_hooks.c,$(ENGINE)))
	$(Q)$(REFERENCE_CC) $(FLAGS) -fsanitize=fuzzer -o $@ $(filter %.c %.o,$^) $(LIBS)

gpu-bundle: packages
	@$(MAKE) --no-print-directory all
	@ops/backend/bundle-gpu $(BUILD) $(BUILD)/gpu-bundle

layers:
	@tests/check-layers
format:
	clang-format -i $$(git ls-files '*.c' '*.h' ':!docs/findings')
tidy: $(BUILD)/registry.c
	clang-tidy --quiet --warnings-as-errors='*' $(COMMON) $(REST) $(wildcard ops/backend/native/*.c fuzz/*.c) -- -std=c17 -D_GNU_SOURCE -I. -DTARGET_OP='"gemm"'
cppcheck:
	cppcheck --quiet --std=c11 --error-exitcode=1 --inline-suppr --enable=warning,portability \
	  --suppress=missingInclude -D_GNU_SOURCE -I. reference oracle ops reports fuzz

install: all
	install -D $(BUILD)/opconform $(DESTDIR)$(PREFIX)/bin/opconform
	install -D -t $(DESTDIR)$(PREFIX)/bin $(NATIVE)
	install -D -t $(DESTDIR)$(PREFIX)/share/opconform/worker ops/backend/worker/start.py
	install -D -t $(DESTDIR)$(PREFIX)/share/opconform/worker/opconform_worker ops/backend/worker/opconform_worker/*.py
	install -D -t $(DESTDIR)$(PREFIX)/share/opconform/worker/opconform_worker/programs ops/backend/worker/opconform_worker/programs/*.py
clean:
	rm -rf $(BUILD)
distclean: clean
	rm -rf .deps

%.d: ;
-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
.SECONDARY:
