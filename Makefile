# Two commands do all set-up: `make demo` (the main job on a real browser) and `make test`.
GO      ?= go
BIN     := bin/trailblaze
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
STAMP   := github.com/trailblaze-dev/trailblaze/internal/cli/shell
LDFLAGS := -s -w -X $(STAMP).Version=$(VERSION) -X $(STAMP).Commit=$(shell git rev-parse HEAD 2>/dev/null)

# What is built without cgo and paths is compiled once: for the program, for vet, and for the tests outside of `make race`.
PLAIN   := CGO_ENABLED=0 $(GO)

.PHONY: help build runner android demo demo-phone shop test phone bundles bench-phone node shell race fonts record honest kills agent eval bars costs check editors lint generate proto proto-lint api drift nightly browser e2e-apps e2e-lists e2e-flows record-flows bench-flows wpt upstream kinds e2e-mcp e2e-servers heal conformance examples miniwob sdk helper bench bench-docs bench-tokens bench-ci fuzz faults attacks leak parity routing devices app bench-devices cross release packages clean

help: ## Show the targets
	@grep -hE '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 12

build: ## Build bin/trailblaze (no cgo)
	$(PLAIN) build -trimpath -ldflags '$(LDFLAGS)' -o $(BIN) ./cmd/trailblaze

runner: ## Build the runners that trailblaze bundle puts trails into, for phones of arm64 and emulators of amd64
	@for arch in arm64 amd64; do CGO_ENABLED=0 GOOS=linux GOARCH=$$arch $(GO) build -trimpath -o bin/trailblaze-runner-linux-$$arch \
	  -ldflags '-s -w -X github.com/trailblaze-dev/trailblaze/internal/app/bundle.Stamp=trailblaze-runner:$(VERSION);' ./cmd/trailblaze-runner || exit 1; done

browser: build ## Make sure there is a Chromium
	@$(BIN) browser path >/dev/null 2>&1 || $(BIN) browser install --yes

demo: browser ## Replay the sample shop's trails on a real browser and write a report
	$(BIN) demo

# Chromium without its window runs the same pages at half of the CPU time. Where Debian's package of it is, these tests use it;
# make race, make honest and what follows them use the browser that people have. TEST_BROWSER= takes that one here too.
TEST_BROWSER ?= $(or $(TRAILBLAZE_BROWSER),$(shell command -v chromium-headless-shell))

# Tests on a browser wait as much as they work, so three packages run at once, and the longest begin.
LONGEST := ./internal/trails/replay ./internal/drivers/web ./e2e/...

# Another browser may be chosen, and the tests run without this one: what cannot be installed is said and left.
shell: browser
	@test -n '$(TEST_BROWSER)$(filter-out undefined file,$(origin TEST_BROWSER))' || test "$$(id -u)" != 0 || ! command -v apt-get >/dev/null || \
	  { export DEBIAN_FRONTEND=noninteractive; install='apt-get install -y --no-install-recommends chromium-headless-shell'; \
    $$install || { apt-get update && $$install; }; } || echo "no headless shell: the tests take longer"

test: shell ## All tests against a real browser; `make check` vets
	TRAILBLAZE_BROWSER='$(TEST_BROWSER)' $(PLAIN) test -trimpath -count=1 -timeout 15m -vet=off -p 3 $(LONGEST) ./...

node: shell ## What `make test` skips on a machine without Node
	TRAILBLAZE_BROWSER='$(TEST_BROWSER)' $(PLAIN) test -trimpath -count=1 -run 'Kind|Example|Parity|IdleComposites|FailedAssertions|TestScripts/checkcalls' ./e2e ./e2e/parity ./e2e/security ./internal/cli

# The race detector sees one process of Go. These packages drive a binary that they build without it, read source, or test the page script.
UNRACED := /e2e$$|/e2e/(apps|conformance|faults|mcp|parity|security)$$|/archtest$$|/drivers/web/page$$

# Hundreds of pages, hostile scripts, files nested a million deep and thousands of events through the same code: `make test` plays them, and they would more than double the time of the race detector.
CORPORA := ^(TestHonestGreen|TestEventStream|TestPhoneCaptures|TestPhoneSelectorsLast|TestHostileTools|TestBombs|TestBombsInTypes|TestEndlessTop|TestEndlessBuiltins|TestInjections|TestThousandPictures)$$

race: browser ## The tests with the race detector, in another order each time
	$(GO) test -race -shuffle=on -skip '$(CORPORA)' -timeout 30m $$($(GO) list ./... | grep -vE '$(UNRACED)')

# $(call debian,PROGRAM,PACKAGE) installs a package of Debian where its program is not there.
debian = command -v $(1) >/dev/null || { apt-get install -y --no-install-recommends $(2) || { apt-get update && apt-get install -y --no-install-recommends $(2); }; }

android:
	@$(call debian,adb,adb)
	@$(call debian,javac,openjdk-17-jdk-headless)

# An app that is not ours, for the phone to test on: its package on npm holds the APK.
APIDEMOS := bench/.peers/apidemos/package/apks/ApiDemos-debug.apk

$(APIDEMOS):
	mkdir -p bench/.peers/apidemos && cd bench/.peers/apidemos && npm pack --silent android-apidemos@5.0.0 && tar xf android-apidemos-5.0.0.tgz

PHONE_ENV := bench/.peers/phone-python

# The apps of ours for the phone: one whose state a test can read, and one with the screens of upstream's sample app.
# Debian's aapt reads the framework's resources up to Android 9.
SHOP      := bin/shop/shop.apk
SAMPLE    := bin/sample/sample.apk
AAPT_FW   := org.robolectric:android-all:9-robolectric-4913185-2

$(SHOP): $(shell find phone/shop -type f) | android
	$(call apk,shop)

$(SAMPLE): $(shell find phone/sample -type f) | android
	$(call apk,sample)

# $(call apk,NAME) builds the app of phone/NAME, which has no library.
define apk
@$(call debian,mvn,maven)
@$(call debian,aapt,aapt)
for a in $(AAPT_FW) $(ANDROID_FW) $(R8); do mvn -q -B -ntp dependency:get -Dtransitive=false -Dartifact=$$a || exit 1; done
rm -rf bin/$(1) && mkdir -p bin/$(1)/gen bin/$(1)/classes
aapt package -f -m -M phone/$(1)/AndroidManifest.xml $(patsubst %,-S %,$(wildcard phone/$(1)/res)) -J bin/$(1)/gen -F bin/$(1)/part.apk \
  -I $(M2)/org/robolectric/android-all/9-robolectric-4913185-2/android-all-9-robolectric-4913185-2.jar
javac -nowarn --release 11 -encoding UTF-8 -d bin/$(1)/classes -cp $(M2)/org/robolectric/android-all/15-robolectric-13954326/android-all-15-robolectric-13954326.jar \
  $$(find phone/$(1)/java bin/$(1)/gen -name '*.java')
java -cp $(M2)/com/android/tools/r8/8.5.35/r8-8.5.35.jar com.android.tools.r8.D8 --release --min-api 26 --output bin/$(1) \
  --lib $(M2)/org/robolectric/android-all/15-robolectric-13954326/android-all-15-robolectric-13954326.jar $$(find bin/$(1)/classes -name '*.class')
cd bin/$(1) && aapt add -k part.apk classes.dex >/dev/null && mv part.apk $(1).apk
endef

# Another app of ours, of AppCompat, RecyclerView and Material. These are versions whose resources Debian's aapt reads.
WISHES     := bin/wishes/wishes.apk
WISHES_FILE := $(shell find phone/wishes -type f)

$(WISHES): $(WISHES_FILE) $(SHOP)
	rm -rf bin/wishes && mkdir -p bin/wishes/gen bin/wishes/classes
	mvn -q -B -ntp -f phone/wishes/pom.xml dependency:copy-dependencies -DoutputDirectory=$(CURDIR)/bin/wishes/lib
	cd bin/wishes/lib && for a in *.aar; do unzip -qo $$a -d $${a%.aar}; done
	cd bin/wishes && aapt package -f -m --auto-add-overlay -M ../../phone/wishes/AndroidManifest.xml -S ../../phone/wishes/res \
	  $$(for r in lib/*/res; do test -n "$$(find $$r -type f)" && echo "-S $$r"; done) -J gen -F wishes.apk \
	  --extra-packages $$(sed -n 's/.*package="\([^"]*\)".*/\1/p' lib/*/AndroidManifest.xml | paste -sd:) \
	  -I $(M2)/org/robolectric/android-all/9-robolectric-4913185-2/android-all-9-robolectric-4913185-2.jar
	cd bin/wishes && framework=$(M2)/org/robolectric/android-all/15-robolectric-13954326/android-all-15-robolectric-13954326.jar && \
	  javac -nowarn --release 11 -encoding UTF-8 -d classes -cp $$framework:$$(ls lib/*.jar lib/*/classes.jar | paste -sd:) \
	    $$(find ../../phone/wishes/java gen -name '*.java') && \
	  java -cp $(M2)/com/android/tools/r8/8.5.35/r8-8.5.35.jar com.android.tools.r8.D8 --release --min-api 26 --output . --lib $$framework \
	    $$(find classes -name '*.class') lib/*.jar lib/*/classes.jar && aapt add -k wishes.apk classes*.dex >/dev/null

# Apps of other makers, for flows on the phone: one is in the sources of a package on PyPI. Others that stand in the folder
# under the names in e2e/phones/flows_test.go are played on, too.
OTHERS     := bench/.peers/others
POLITE     := $(OTHERS)/com.politedroid_6.apk
FDROID     := packages/f4/d8/7beac4add64c4b3d03dac01a073dc7c6beb69a7adbd4215bc8def3075d46/fdroidserver-2.4.5.tar.gz
FDROID_SUM := f9b52646264c732678e32e37e23a995db20cc61d45622dda5830ce23255547f4

$(POLITE):
	mkdir -p $(OTHERS)
	python3 -c 'import urllib.request as u; u.urlretrieve("https://files.pythonhosted.org/$(FDROID)", "$(OTHERS)/sources.tar.gz")'
	echo '$(FDROID_SUM)  $(OTHERS)/sources.tar.gz' | sha256sum -c --quiet
	tar xzf $(OTHERS)/sources.tar.gz -C $(OTHERS) --strip-components=3 fdroidserver-2.4.5/tests/repo/$(@F)

# PHONE=all plays each flow 20 times on phones that are not broken, on each broken one, and ends things 200 times.
PHONE_LONG = $(if $(filter all,$(PHONE)),-flows all -tries 20 -all -kills 200 -wishes '$(CURDIR)/$(WISHES)' -others '$(CURDIR)/$(OTHERS)' -timeout 8h,-timeout 8m) \
  $(if $(wildcard $(UPSTREAM)/trails),-upstream '$(abspath $(UPSTREAM))')

phone: android $(APIDEMOS) $(SHOP) $(SAMPLE) $(if $(filter all,$(PHONE)),$(WISHES) $(POLITE)) ## The phone to test on: a real app on real Android framework code behind real adb, and the product on it; needs a JDK and adb. PHONE=all: all that takes long, too
	npm install --prefix bench/.peers --ignore-scripts --no-audit --no-fund --no-save @mobilenext/mobile-mcp@1.0.4
	test -x $(PHONE_ENV)/bin/python || { $(call venv,$(PHONE_ENV)); }
	$(PHONE_ENV)/bin/pip install -q --no-compile --disable-pip-version-check adbutils==2.12.0
	$(PLAIN) test -trimpath -count=1 -timeout 8m -v -run '^TestPhone' ./phone $(if $(filter all,$(PHONE)),-long) -phone '$(CURDIR)/$(APIDEMOS)' -shop '$(CURDIR)/$(SHOP)' -sample '$(CURDIR)/$(SAMPLE)' \
	  -python '$(CURDIR)/$(PHONE_ENV)/bin/python' -mobile-mcp '$(CURDIR)/bench/.peers/node_modules/@mobilenext/mobile-mcp/lib/index.js'
	$(PLAIN) test -trimpath -count=1 -v -run '^Test(Phone|Actors)$$' ./e2e/phones -phone '$(CURDIR)/$(APIDEMOS)' -shop '$(CURDIR)/$(SHOP)' -sample '$(CURDIR)/$(SAMPLE)' $(PHONE_LONG)

bundles: android $(APIDEMOS) ## A program with trails in it on the phone to test on, and for arm64 on an emulated processor; needs a JDK, adb and QEMU
	@$(call debian,qemu-aarch64-static,qemu-user-static)
	$(PLAIN) test -trimpath -count=1 -timeout 8m -v -run '^TestBundle(OnPhone|Arm64)$$' ./e2e/bundle -phone '$(CURDIR)/$(APIDEMOS)' -qemu qemu-aarch64-static

shop: $(SHOP) ## Build the app of ours for the phone to test on

demo-phone: build $(APIDEMOS) $(SHOP) ## Replay trails on the phone to test on, on an app of ours and one that is not, and write a report
	phone/demo/demo.sh $(CURDIR)/$(BIN) $(CURDIR)/$(APIDEMOS) $(CURDIR)/$(SHOP)

bench-phone: android $(APIDEMOS) ## The driver for Android beside its helper alone and beside mobile-mcp, on the phone to test on
	npm install --prefix bench/.peers --ignore-scripts --no-audit --no-fund --no-save @mobilenext/mobile-mcp@1.0.4
	$(PLAIN) test -trimpath -count=1 -timeout 10m -v -run '^TestSpeed$$' ./e2e/phones -speed -phone '$(CURDIR)/$(APIDEMOS)' \
	  -mobile-mcp '$(CURDIR)/bench/.peers/node_modules/@mobilenext/mobile-mcp/lib/index.js'

# The persons of these tests move the mouse and press the keys of an X display (XTEST); root gets what they need from Debian.
RECORD_REPEAT ?= 1
record: browser ## Record what persons do by hand in a browser on a display, and replay it RECORD_REPEAT times
	@$(call debian,Xvfb,xvfb)
	@$(call debian,xdotool,xdotool)
	cd e2e/apps && npm ci --ignore-scripts --no-audit --no-fund
	TRAILBLAZE_TEST_DISPLAY=1 RECORD_LIBRARIES='$(CURDIR)/e2e/apps' RECORD_REPEAT=$(RECORD_REPEAT) $(PLAIN) test -trimpath -count=1 -timeout 30m $(if $(RUN),-run '$(RUN)') ./internal/trails/attend
	TRAILBLAZE_TEST_DISPLAY=1 $(PLAIN) test -trimpath -count=1 -timeout 5m -run TestRecordByHand ./internal/cli

honest: browser ## All that must not be green, and what must, on the browser that people have; make test plays one in three
	$(PLAIN) test -trimpath -count=1 -timeout 20m -run '^TestHonest(Green|Phone)$$' ./internal/trails/replay -all

kills: ## 200 connections, helpers and phones ended under the calls of the driver for Android
	$(PLAIN) test -trimpath -count=1 -timeout 20m -run '^TestKills$$' ./internal/drivers/android -kills 200

# Debian's packages of fonts, of which the browser is shown one alone; nothing is installed. Not yet green: TestShownSecretIsPaintedOver with fonts-noto-core.
FONTS ?= fonts-dejavu-core fonts-liberation fonts-noto-core

fonts: shell ## The tests of the web driver and of replay with each of three sets of fonts alone; FONTS=fonts-liberation for one
	mkdir -p bin/fonts && cd bin/fonts && apt-get download $(FONTS)
	@for f in $(FONTS); do echo "== $$f"; dpkg-deb -x bin/fonts/$${f}_*.deb bin/fonts/$$f && \
	  echo "<fontconfig><dir>$(CURDIR)/bin/fonts/$$f</dir><cachedir>$(CURDIR)/bin/fonts/cache</cachedir></fontconfig>" > bin/fonts/$$f.conf && \
	  FONTCONFIG_FILE=$(CURDIR)/bin/fonts/$$f.conf TRAILBLAZE_BROWSER='$(TEST_BROWSER)' \
	  $(PLAIN) test -trimpath -count=1 -timeout 15m ./internal/drivers/web/... ./internal/trails/replay || exit 1; done

nightly: PHONE = all
nightly: PACKAGE = all
nightly: RECORD_REPEAT = 20
nightly: fonts cross editors packages phone bundles e2e-apps e2e-lists faults leak routing devices fuzz kinds parity heal record bars bench bench-devices ## What takes too long for every change

agent: browser ## Trails in plain language in all modes, with a scripted model on every wire: each two ways; AGENT=all: each all ways, 20 replays; AGENT=short: three trails, each way once. A trail of each kind, and of cookie banners from npm. And ninety wrong models (docs/wrong-models.md), on both wires, with =short on one
	npm install --prefix bench/.peers --ignore-scripts --no-audit --no-fund --no-save vanilla-cookieconsent@3.1.0 cookieconsent@3.1.1 klaro@0.7.22
	TRAILBLAZE_BROWSER='$(TEST_BROWSER)' TRAILBLAZE_AGENT=$(or $(AGENT),some) $(PLAIN) test -trimpath -count=1 -timeout 60m \
	  -run '^Test(AgentInEveryMode|AgentOnActors|AgentRedoesOneStep|ModelHealsOneStep|ConditionIsRecorded|BannersOfOthers|EachKindIsKept|Detours|WrongModels)$$' ./e2e -banners '$(CURDIR)/bench/.peers/node_modules'

eval: browser ## The evaluation on the sample shop with the scripts of its tasks in place of a model; EVAL='--llm provider/model'
	$(BIN) eval $(or $(EVAL),--llm scripted) --output-dir bin/eval

bars: browser ## All tests, one after the other, held to what is promised in a time; needs a machine that does nothing else
	TRAILBLAZE_BARS=1 $(PLAIN) test -trimpath -count=1 -p 1 -parallel 1 -timeout 30m ./...

costs: ## What a tool of each kind costs beside a built-in one, and a cold list beside five servers, held to their bars
	TRAILBLAZE_BARS=1 $(PLAIN) test -trimpath -count=1 -p 1 -v -run TestCosts ./internal/makers/workspace ./e2e

check: ## Format, vet, house rules
	@test -z "$$(gofmt -l $$(find . -name '*.go' -not -path '*/.*') | tee /dev/stderr)"
	$(PLAIN) vet -trimpath ./...
	$(PLAIN) test -trimpath ./internal/ground/archtest

editors: ## Trails in an editor: the YAML language server from npm completes and marks them by our schemas
	npm install --prefix bench/.peers --ignore-scripts --no-audit --no-fund --no-save yaml-language-server@2.0.0
	$(PLAIN) test -trimpath -count=1 -timeout 5m -v ./e2e/editor -yaml-language-server '$(CURDIR)/bench/.peers/node_modules/yaml-language-server/bin/yaml-language-server'

lint: ## golangci-lint with the house rules
	$(GO) run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0 run

drift: ## Fail when the page script or the report page is not what its sources say; the other generated files are checked by `make test`
	npm ci --prefix internal/trails/report/ui --ignore-scripts --no-audit --no-fund
	npx --yes -p typescript@5.9.3 tsc --noEmit -p internal/trails/report/ui
	$(PLAIN) test -trimpath -count=1 -run 'TestBundleIsCurrent' ./internal/trails/report ./internal/drivers/web/page

generate: proto ## Make everything that is generated (contract of the API, page script, report page, docs)
	$(GO) generate ./...

# The contract of the API. The plug-ins are those of go.mod; buf asks no registry.
BUF := $(CURDIR)/bench/.peers/node_modules/.bin/buf
BUF_ES := $(dir $(BUF))protoc-gen-es

$(BUF) $(BUF_ES) &:
	npm install --prefix bench/.peers --ignore-scripts --no-audit --no-fund --no-save @bufbuild/buf@1.75.0 @bufbuild/protoc-gen-es@2.17.0

proto: $(BUF) $(BUF_ES) ## Make proto/trailblaze/v1/commands.proto of the tools, and the Go code of all of proto/
	$(PLAIN) test -trimpath -count=1 -run TestContract ./internal/app -contract
	cd proto && $(BUF) lint && $(BUF) generate && \
	  $(BUF) build --exclude-source-info --as-file-descriptor-set -o descriptor/contract.binpb
	cd proto && $(BUF) generate --template buf.sdk.yaml # the SDKs
	cd proto && $(BUF) generate --template buf.view.yaml # the viewer

# The environment of Python for the examples, the SDK and the clients of the API. A system's Python may come without venv.
PYTHON_ENV := examples/acme-python/.venv

# $(call venv,FOLDER) makes an environment of Python.
venv = python3 -m venv --clear $(1) || { apt-get install -y --no-install-recommends python3-venv || \
	  { apt-get update && apt-get install -y --no-install-recommends python3-venv; } && python3 -m venv --clear $(1); }

$(PYTHON_ENV)/ready: examples/acme-python/requirements.txt Makefile
	$(call venv,$(PYTHON_ENV))
	$(PYTHON_ENV)/bin/pip install -q --no-compile --disable-pip-version-check -r $<
	$(PYTHON_ENV)/bin/pip install -q --no-compile --disable-pip-version-check --target $(PYTHON_ENV)/mcp1 mcp==1.30.0 'httpx<1' # the major version before
	touch $@

api: browser $(BUF) $(PYTHON_ENV)/ready ## The typed API, called by clients of other makers: buf curl, grpcio, openapi-typescript, schemathesis; and what may change in the contract
	npm install --prefix bench/.peers --ignore-scripts --no-audit --no-fund --no-save @bufbuild/buf@1.75.0 openapi-typescript@7.13.0 typescript@5.9.3
	$(PYTHON_ENV)/bin/pip install -q --no-compile --disable-pip-version-check grpcio==1.85.1 grpcio-tools==1.85.1 schemathesis==4.32.5
	$(PLAIN) test -trimpath -count=1 -timeout 7m -v ./e2e/api -clients

HASH  := \#
COMMA := ,

proto-lint: $(BUF) ## Check the contract: style, and that nothing breaks what AGAINST (default: main) promises
	cd proto && $(BUF) lint && $(BUF) breaking --against '$(or $(AGAINST),../.git$(HASH)branch=main$(COMMA)subdir=proto)'

e2e-apps: browser ## Replay recorded trails on real apps and widget libraries, 20 times each (REPEAT=), and twice on variants of their pages
	cd e2e/apps && npm ci --ignore-scripts --no-audit --no-fund
	$(PLAIN) test -trimpath -count=1 -timeout 20m ./e2e/apps -apps -jobs 2 -v -tries 2 -repeat $(or $(REPEAT),20)

e2e-lists: browser ## Drag items to their places in the lists of libraries
	cd e2e/apps && npm ci --ignore-scripts --no-audit --no-fund
	$(PLAIN) test -trimpath -count=1 -timeout 5m -run '^TestDragPlaces$$' ./internal/makers/tools -lists '$(CURDIR)/e2e/apps/node_modules'

e2e-flows: browser ## The same for all flows, and more often on the variants; FLOWS=a,b for some
	cd e2e/apps && npm ci --ignore-scripts --no-audit --no-fund
	$(PLAIN) test -trimpath -count=1 -timeout 90m -run 'TestFlows' ./e2e/apps -apps -jobs 2 -v -tries 20 -flows $(or $(FLOWS),all)

record-flows: browser ## Perform the flows live and write their trails anew; FLOWS=a,b for some
	cd e2e/apps && npm ci --ignore-scripts --no-audit --no-fund
	$(PLAIN) test -trimpath -count=1 -timeout 30m -run TestRecord ./e2e/apps -record -v -flows $(or $(FLOWS),all)

bench-flows: browser ## The flows through our MCP server and Playwright's: calls, ms, bytes of replies
	cd e2e/apps && npm ci --ignore-scripts --no-audit --no-fund
	npm install --prefix bench/.peers --ignore-scripts --no-audit --no-fund --no-save @playwright/mcp@0.0.83
	$(PLAIN) test -trimpath -count=1 -timeout 60m -run TestPeers ./e2e/apps -v -flows $(or $(FLOWS),all) -peer ../../bench/.peers/node_modules/@playwright/mcp/cli.js

# The pages are fetched, not kept here; WPT=dir takes a checkout that is there already.
WPT     ?= bench/.peers/wpt
WPT_AT  := d6859d7d6b4564fbbef94ebb323012944263e301

app: browser ## The viewer, driven by trails of ours, by keyboard and as screen readers see it (axe), in both themes and at 320 px; and pages that attack it
	npm install --prefix bench/.peers/axe --ignore-scripts --no-audit --no-fund --no-save axe-core@4.14.1
	TRAILBLAZE_BROWSER='$(TEST_BROWSER)' $(PLAIN) test -trimpath -count=1 -timeout 5m -v ./e2e/app -axe '$(CURDIR)/bench/.peers/axe/node_modules/axe-core/axe.min.js'

wpt: browser ## Names and roles beside Chromium's own on the public suites (WPT accname, html-aam, wai-aria); WPT=dir
	@test -d '$(WPT)/accname' || { git init -q '$(WPT)' && cd '$(WPT)' && \
	  git remote add origin https://github.com/web-platform-tests/wpt && git sparse-checkout set accname html-aam wai-aria && \
	  git fetch -q --depth 1 --filter=blob:none origin $(WPT_AT) && git checkout -q FETCH_HEAD; }
	$(PLAIN) test -trimpath -count=1 -timeout 20m -run TestWPTAgreement -v ./internal/drivers/web/page -wpt '$(abspath $(WPT))'

# The project whose files are read here too; UPSTREAM=dir takes a checkout that is there already.
UPSTREAM    ?= bench/.peers/upstream
UPSTREAM_AT := a022ca69b7fecd0ba7659f2c000fb459213c87d6

upstream: ## The trails, tools and tests of the upstream project, held to docs/upstream.md; UPSTREAM=dir
	@test -d '$(UPSTREAM)/trails' || { git init -q '$(UPSTREAM)' && cd '$(UPSTREAM)' && \
	  { git remote add origin https://github.com/block/trailblaze 2>/dev/null || true; } && \
	  git fetch -q --depth 1 origin $(UPSTREAM_AT) && git checkout -q FETCH_HEAD; }
	$(PLAIN) test -trimpath -count=1 -timeout 10m -run TestUpstream ./internal/app -upstream '$(abspath $(UPSTREAM))'

NODE_DEPS := examples/acme-typescript/node_modules

$(NODE_DEPS)/.package-lock.json: examples/acme-typescript/package-lock.json
	npm ci --prefix examples/acme-typescript --ignore-scripts --no-audit --no-fund

examples: browser $(PYTHON_ENV)/ready $(NODE_DEPS)/.package-lock.json ## The examples, on the sample shop
	$(PLAIN) build -trimpath -o examples/acme-go/bin/acme-tools ./examples/acme-go
	$(PLAIN) test -trimpath -count=1 -timeout 15m -run 'TestExample' -v ./e2e -examples

miniwob: browser $(PYTHON_ENV)/ready ## Ten tasks of MiniWoB++ on the pages of its Python package, three seeds each, played by a policy
	rm -rf bench/.peers/miniwob && $(PYTHON_ENV)/bin/pip install -q --no-compile --no-deps --disable-pip-version-check --target bench/.peers/miniwob miniwob==1.1.0
	TRAILBLAZE_BROWSER='$(TEST_BROWSER)' $(PLAIN) test -trimpath -count=1 -timeout 5m -run '^TestMiniWoB$$' -v ./internal/agent/eval -miniwob '$(CURDIR)/bench/.peers/miniwob/miniwob/html/miniwob'

sdk: browser $(BUF) $(PYTHON_ENV)/ready ## Install the SDKs into empty projects, type-check them against a renamed command, and run the documents' examples
	sdk/install.sh $(PYTHON_ENV)/bin/python bench/.peers/sdk
	$(PLAIN) test -trimpath -count=1 -timeout 5m -run 'TestSDK|TestParityOfSDKs|TestReservingByAllDoors' -v ./e2e ./e2e/parity ./e2e/devices -sdk '$(CURDIR)/bench/.peers/sdk'

kinds: browser ## A trail through each kind of custom tool, recorded and replayed 20 times
	$(PLAIN) test -trimpath -count=1 -timeout 20m -run 'TestEachKindReplays' -v ./e2e -plays 20

e2e-mcp: browser ## The MCP server, driven by the official TypeScript SDK and the MCP Inspector
	cd e2e/mcp && npm ci --ignore-scripts --no-audit --no-fund
	$(PLAIN) test -trimpath -count=1 -timeout 30m $(if $(RUN),-run '$(RUN)') ./e2e/mcp -clients

SERVERS_ENV := e2e/servers/.venv

$(SERVERS_ENV)/ready: e2e/servers/requirements.txt
	$(call venv,$(SERVERS_ENV))
	$(SERVERS_ENV)/bin/pip install -q --no-compile --no-deps --disable-pip-version-check -r $<
	touch $@

e2e-servers: $(SERVERS_ENV)/ready ## Five public MCP servers as makers of tools: all of their tools are listed, and one of each is called
	cd e2e/servers && npm ci --ignore-scripts --no-audit --no-fund
	$(PLAIN) test -trimpath -count=1 -timeout 60s -run TestPublicServers -v ./internal/makers/extern -public

# HEAL=short is every fifth pair, HEAL=25 every 25th, HEAL=name those whose names have it. What became of the pairs that rules are developed on is in bin/heal.txt.
heal: shell ## Healing on two corpora of pairs of pages, in all modes; HEAL=short, HEAL=25, HEAL=name
	cd e2e/heal && npm ci --ignore-scripts --no-audit --no-fund
	TRAILBLAZE_BROWSER='$(TEST_BROWSER)' $(PLAIN) test -trimpath -count=1 -timeout 60m -run '^TestHeal$$' -v ./e2e/heal \
	  -heal $(or $(HEAL),all) -pairs '$(CURDIR)/bin/heal.txt' $(if $(HEAL),,-docs '$(CURDIR)/docs/healing.md')

conformance: ## The public MCP conformance suite, against the daemon and against a build with its fixtures
	cd e2e/conformance && npm ci --ignore-scripts --no-audit --no-fund
	$(PLAIN) test -trimpath -count=1 -timeout 20m ./e2e/conformance -suite

bench: browser ## Side by side with the raw protocol floor and playwright-core; exits 1 beyond a bar
	npm install --prefix bench/.peers --ignore-scripts --no-audit --no-fund --no-save playwright-core@1.65.1
	node bench/bench.mjs $(BENCH)

bench-docs: ## Measure once and write the tables of docs/performance.md; needs a machine that does nothing else
	$(MAKE) bench BENCH='--docs docs/performance.md $(BENCH)'
	node bench/mcp/cli.mjs --docs docs/performance.md
	$(MAKE) bench-tokens

bench-tokens: browser ## Tokens of our snapshots beside Playwright's, and of a question of our agent: write them into docs/performance.md
	npm install --prefix bench/.peers --ignore-scripts --no-audit --no-fund --no-save @playwright/mcp@0.0.83
	node bench/mcp/tokens.mjs --peer bench/.peers/node_modules/@playwright/mcp/cli.js --browser "$$($(BIN) browser path)" --docs docs/performance.md

bench-ci: browser ## The short form: ratios of flow, click, snapshot and version, with a tolerance of 30 %
	node bench/bench.mjs --ci --rounds 2 --tolerance 0.3

# The helper for phones: Java of ours against Android's framework and r8, both from Maven Central. The jar is committed, so that
# nothing but this target needs Java; its test fails when the sources are newer.
M2         := $(HOME)/.m2/repository
ANDROID_FW := org.robolectric:android-all:15-robolectric-13954326
R8         := com.android.tools:r8:8.5.35
HELPER     := internal/drivers/android/automation

helper: ## Compile the Java helper for phones into helper.jar (javac and mvn)
	for a in $(ANDROID_FW) $(R8); do mvn -q -B -ntp dependency:get -Dtransitive=false -Dartifact=$$a || exit 1; done
	rm -rf bin/helper && mkdir -p bin/helper/classes
	javac -nowarn --release 11 -d bin/helper/classes -cp $(M2)/org/robolectric/android-all/15-robolectric-13954326/android-all-15-robolectric-13954326.jar \
	  $(HELPER)/java/trailblaze/helper/*.java
	java -cp $(M2)/com/android/tools/r8/8.5.35/r8-8.5.35.jar com.android.tools.r8.D8 --release --min-api 24 \
	  --lib $(M2)/org/robolectric/android-all/15-robolectric-13954326/android-all-15-robolectric-13954326.jar \
	  --output bin/helper $$(find bin/helper/classes -name '*.class')
	$(PLAIN) test -trimpath -count=1 -run TestJarIsOfItsSources ./$(HELPER) -dex $(CURDIR)/bin/helper/classes.dex

fuzz: ## Every fuzz target for 60 s; FUZZTIME=20s
	@$(GO) list -f '{{.ImportPath}}' ./... | while read p; do \
	  for f in $$($(PLAIN) test -list '^Fuzz' $$p 2>/dev/null | grep '^Fuzz'); do echo "== $$p $$f"; \
	    $(GO) test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) $$p || exit 1; done; done

leak: browser ## 1,000 open/act/close cycles and 2,000 mixed calls through the daemon leak nothing
	TRAILBLAZE_CYCLES=1000 $(PLAIN) test -trimpath -count=1 -timeout 30m -run TestCycles -v ./internal/drivers/web
	TRAILBLAZE_CALLS=2000 $(PLAIN) test -trimpath -count=1 -timeout 30m -run TestMixedCalls -v ./e2e/faults

parity: browser ## Every tool through every door: the same result, error, events, evidence and recording
	$(PLAIN) test -trimpath -count=1 -timeout 15m ./e2e/parity -all

routing: browser ## 2,000 calls of one external server on 4 browsers and 4 stand-ins of phones with the race detector; 300 of them are in `make race`
	TRAILBLAZE_ROUTING=2000 $(GO) test -race -count=1 -timeout 20m -run TestRouting -v ./e2e/hub

devices: shell android $(APIDEMOS) $(SHOP) ## Trails on several devices: each flow 20 times, on browsers and on two phones to test on, and 20 times a phone and a browser that go in the middle; REPEAT=5; needs a JDK and adb
	TRAILBLAZE_BROWSER='$(TEST_BROWSER)' REPEAT=$(or $(REPEAT),20) $(PLAIN) test -trimpath -count=1 -timeout 9m -run 'TestScripts/actors$$' ./internal/cli
	TRAILBLAZE_BROWSER='$(TEST_BROWSER)' $(PLAIN) test -trimpath -count=$(or $(REPEAT),20) -timeout 9m -run 'TestScripts/actorsgone$$' ./internal/cli
	$(PLAIN) test -trimpath -count=1 -timeout 40m -v -run '^TestActors$$' ./e2e/phones -phone '$(CURDIR)/$(APIDEMOS)' -shop '$(CURDIR)/$(SHOP)' -plays $(or $(REPEAT),20)

bench-devices: shell ## Trails on several browsers beside one, a call on a reserved phone, 500 trails on 50 stand-ins of phones in one process; DOCS=docs/performance.md writes the table
	TRAILBLAZE_BROWSER='$(TEST_BROWSER)' $(PLAIN) test -trimpath -count=1 -timeout 9m -v -run '^TestManyDevices$$' ./e2e/devices -many $(if $(DOCS),-docs '$(abspath $(DOCS))')

faults: browser ## Stuck pages, huge texts, hostile tools, and 120 processes (KILLS=) killed at random moments under running calls; SEED= repeats one
	$(PLAIN) test -trimpath -count=1 -timeout 20m -run 'TestRandomKills|TestHugeTexts|TestFirstNavigationAway|TestHostileTools' ./e2e/faults -v -long -kills $(or $(KILLS),120) -seed $(or $(SEED),0)

attacks: browser ## What a cloned project, a script, a server, a page or a stranger may do: a row each, with what came of it, memory and CPU
	TRAILBLAZE_BROWSER='$(TEST_BROWSER)' $(PLAIN) test -trimpath -count=1 -timeout 20m -run 'TestAttacks|TestProjectTable' ./e2e/security -attacks -v

SYSTEMS ?= linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64

cross: ## Build without cgo for every system we ship to; SYSTEMS='linux/arm64 windows/amd64' for some
	@for t in $(SYSTEMS); do \
	  echo "== $$t"; CGO_ENABLED=0 GOOS=$${t%/*} GOARCH=$${t#*/} $(GO) build -trimpath -o /dev/null ./cmd/trailblaze || exit 1; done

# The version of a release, unless a tag names it, is that of the SDKs.
RELEASE ?= $(patsubst v%,%,$(shell git describe --tags --exact-match 2>/dev/null || sed -n 's/^version = "\(.*\)"/\1/p' sdk/python/pyproject.toml))

release: ## Make a release in dist: archives and packages for every system, SDKs, SBOMs, checksums; RELEASE=1.2.3, SYSTEMS=linux/amd64 for some
	release/release.sh '$(RELEASE)' dist $(SYSTEMS)

PACKAGES = $(if $(filter all,$(PACKAGE)),-all -timeout 30m,-timeout 8m)

packages: browser ## Make a release for linux/amd64 and install each of its packages into an empty place; PACKAGE=all: every system, a Debian, a module proxy, and the release twice
	@$(call debian,ruby,ruby)
	$(if $(filter all,$(PACKAGE)),@$(call debian,ffmpeg,ffmpeg))
	@$(call venv,bin/venv)
	$(MAKE) release SYSTEMS='$(if $(filter all,$(PACKAGE)),$(SYSTEMS),linux/amd64)'
	$(PLAIN) test -trimpath -count=1 -v ./e2e/packages -dist '$(CURDIR)/dist' $(PACKAGES)

clean: ## Remove what was built
	rm -rf bin dist bench/.peers examples/acme-go/bin $(PYTHON_ENV) $(SERVERS_ENV) $(NODE_DEPS) e2e/apps/node_modules e2e/heal/node_modules e2e/mcp/node_modules e2e/servers/node_modules e2e/conformance/node_modules internal/trails/report/ui/node_modules
