package launch

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// quiet keeps the browser from connecting to anything but the pages under test, and from prompting
// a person.
var quiet = []string{
	// Nothing is fetched, reported or synchronised.
	"--disable-background-networking", "--disable-breakpad", "--disable-client-side-phishing-detection",
	"--disable-component-update", "--disable-crash-reporter", "--disable-default-apps", "--disable-domain-reliability",
	"--disable-field-trial-config", "--disable-quic", "--disable-sync", "--disable-variations-seed-fetch",
	"--metrics-recording-only", "--no-pings", "--no-service-autorun", "--safebrowsing-disable-auto-update",
	"--disable-extensions", "--disable-component-extensions-with-background-pages",
	// It asks for the accounts of its user and for updates all the same; it connects to no port 9.
	"--gaia-url=http://127.0.0.1:9", "--component-updater=url-source=http://127.0.0.1:9/",
	// Nobody is asked.
	"--no-first-run", "--no-default-browser-check", "--disable-infobars", "--disable-prompt-on-repost",
	"--disable-search-engine-choice-screen", "--disable-popup-blocking", "--disable-external-intent-requests",
	"--password-store=basic", "--use-mock-keychain", "--deny-permission-prompts",
	// A page behaves the same whether its tab is in front or not, on a slow machine and a fast one.
	"--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows",
	"--disable-renderer-backgrounding", "--disable-hang-monitor",
	"--disable-back-forward-cache", "--allow-pre-commit-input", "--force-color-profile=srgb", "--enable-automation",
}

// offFeatures are features that phone home, or change pages in ways a test does not expect.
var offFeatures = []string{
	"AcceptCHFrame", "AutofillServerCommunication", "CertificateTransparencyComponentUpdater",
	"DestroyProfileOnBrowserClose",
	"DialMediaRouteProvider", "GlobalMediaControls", "HttpsFirstBalancedModeAutoEnable", "HttpsUpgrades",
	"InterestFeedContentSuggestions", "MediaRouter", "OptimizationGuideModelDownloading", "OptimizationHints",
	"OptimizationHintsFetching", "OptimizationTargetPrediction", "PaintHolding", "Prerender2", "PrivacySandboxSettings4",
	"SafetyHub", "SegmentationPlatform", "Translate", "AutoDeElevate", "RenderDocument", "ThirdPartyStoragePartitioning",
	"LensOverlay", "NetworkTimeServiceQuerying",
	// Each window starts processes for menus and for suggestions below the address, which costs most of a second.
	"PreloadTopChromeWebUI", "WebUIOmniboxAimPopup", "WebUIOmniboxPopup",
	// It holds timers and messages back after a click until a frame was drawn, which costs each
	// action one.
	"DeferRendererTasksAfterInput",
}

// Flags is the whole command line for a browser with that profile, without its program name.
func Flags(o Options, profile string) []string {
	args := append([]string{}, quiet...)
	args = append(args, "--disable-features="+strings.Join(offFeatures, ","),
		"--remote-debugging-pipe", "--user-data-dir="+profile, "--no-startup-window")
	if !o.Headed {
		args = append(args, "--headless=new", "--hide-scrollbars", "--mute-audio",
			"--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4")
	}
	if strings.Contains(filepath.Base(o.Path), "headless") { // else a page that is stuck holds the frames of other sites
		args = append(args, "--site-per-process")
	}
	if runtime.GOOS == "linux" {
		args = append(args, "--disable-dev-shm-usage") // containers have 64 MB there, and a big page dies of it
		if os.Geteuid() == 0 {
			args = append(args, "--no-sandbox") // Chromium refuses to start as root with one
		}
	}
	return append(args, o.Args...)
}
