package page

import (
	"context"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/action"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Apps finds where an app is in a browser, by an id that it has on any platform; "" when the id is none.
type Apps func(m *memory.Store, appID string) (url string)

type launchIn struct {
	AppID      string `json:"appId" minLength:"1" jsonschema:"the app's id; in a browser its URL, or the id of an app that the project declares"`
	LaunchMode string `json:"launchMode,omitempty" enum:"REINSTALL,RESUME,FORCE_RESTART" default:"REINSTALL" jsonschema:"REINSTALL begins with no data, FORCE_RESTART keeps data, RESUME keeps the running app"`
	action.Expect
	action.Note
}

// launchApp starts an app. In a browser an app is a URL: its data is its origin's.
func launchApp(root string, apps Apps) tool.Tool {
	return action.Define(shared("launchApp", "Launch app", tool.Action, "core_interaction", "navigation").With(tool.Facts{
		Categories: []string{"CORE_INTERACTION", "NAVIGATION", "MOBILE"}, Default: 4, Replaces: "web_navigate",
		Effects:  &tool.Effects{Opens: []string{"appId"}},
		Sentence: func(p tool.Phrase) string { return "Start the app " + p.Plain("appId") },
	}), func(ctx context.Context, env tool.Env, in launchIn) (*tool.Result, error) {
		dev, err := action.Device(env)
		if err != nil {
			return nil, err
		}
		if dev.Info().Platform == driver.WebPlatform {
			return launchPage(ctx, env, root, apps, in)
		}
		apps, err := action.Capability[driver.AppManager](env, "launch app")
		if err != nil {
			return nil, err
		}
		effect, err := apps.LaunchApp(ctx, in.AppID, in.LaunchMode)
		ev := &tool.Evidence{Effect: effect}
		if err != nil {
			return &tool.Result{Evidence: ev}, fault.Wrap(err, "", "launch app")
		}
		return action.Result("Launched "+in.AppID, in.Expect, ev), nil
	})
}

func launchPage(ctx context.Context, env tool.Env, root string, apps Apps, in launchIn) (*tool.Result, error) {
	nav, err := action.Capability[driver.Navigator](env, "launch app")
	if err != nil {
		return nil, err
	}
	here, gone := nav.URL(ctx) // a navigation also leads out of a page that crashed
	where := in.AppID
	if url := apps(env.Memory(), in.AppID); url != "" {
		where = url
	}
	to, err := absolute(where, placesOf(ctx, env, here, root))
	if err != nil {
		return nil, err
	}
	origin := driver.Origin(to)
	switch {
	case in.LaunchMode == "RESUME" && gone == nil && origin != "" && driver.Origin(here) == origin:
		return action.NoEffect("the app is on the screen already", "%s is open already, at %s.", in.AppID, here), nil
	case in.LaunchMode == "REINSTALL" && origin != "":
		if driver.Origin(here) == origin { // else the page writes its data back while it is being left
			// Only now: a browser that shows another page does not yet know all of a tab's session storage.
			if err := forget(ctx, env, origin); err != nil && gone == nil {
				return nil, err
			}
			if _, err := nav.Navigate(ctx, driver.Navigation{URL: "about:blank"}); err != nil {
				return nil, fault.Wrap(err, "", "leave the running app")
			}
		}
		if err := forget(ctx, env, origin); err != nil {
			return nil, err
		}
	}
	return travel(ctx, env, driver.Navigation{URL: to}, in.Expect)
}

// forget empties what an origin stored. A driver that cannot is reported: an app that is only said to be fresh is not.
func forget(ctx context.Context, env tool.Env, origin string) error {
	apps, err := action.Capability[driver.AppManager](env, "clear app data")
	if err != nil {
		return err
	}
	return fault.Wrap(apps.ClearAppData(ctx, origin), "", "clear data of "+origin)
}

type appIn struct {
	AppID string `json:"appId,omitempty" jsonschema:"the app's id; in a browser its URL"`
	action.Note
}

func stopApp() tool.Tool {
	s := shared("stopApp", "Stop app", tool.Action).With(tool.Facts{
		Categories: []string{"DEVICE"}, Idempotent: true,
		Sentence: func(p tool.Phrase) string { return "Stop the app" + tool.Join(" ", p.Plain("appId")) },
	})
	s.ExposedToLLM = false
	return action.Define(s, func(ctx context.Context, env tool.Env, in appIn) (*tool.Result, error) {
		apps, err := action.Capability[driver.AppManager](env, "stop app")
		if err != nil {
			return nil, err
		}
		if err := apps.StopApp(ctx, in.AppID); err != nil {
			return nil, fault.Wrap(err, "", "stop app")
		}
		return action.NoEffect("a stopped app shows nothing", "Stopped %s.", in.AppID), nil
	})
}

type appsOut struct {
	AppIDs []string `json:"appIds" jsonschema:"in a browser: the origins that are open"`
}

// Text implements tool.Texter.
func (o appsOut) Text() string { return strings.Join(o.AppIDs, "\n") }

func listInstalledApps() tool.Tool {
	return tool.Define(shared("mobile_listInstalledApps", "List apps", tool.Query, "mobile_primitives").With(tool.Facts{
		Categories: []string{"DEVICE", "MOBILE"}, Replaces: "web_listTabs",
	}), func(ctx context.Context, env tool.Env, _ action.NoInput) (appsOut, error) {
		apps, err := action.Capability[driver.AppManager](env, "list apps")
		if err != nil {
			return appsOut{}, err
		}
		ids, err := apps.InstalledApps(ctx)
		slices.Sort(ids)
		return appsOut{AppIDs: ids}, fault.Wrap(err, "", "list apps")
	})
}

type clearIn struct {
	PackageID string `json:"packageId,omitempty" jsonschema:"the app's id; in a browser its URL"`
	action.Note
}

// clearAppData is the command of this name in the public tool list.
func clearAppData() tool.Tool {
	s := shared("clearAppData", "Clear app data", tool.Action).With(tool.Facts{Categories: []string{"STORAGE"}})
	s.ExposedToLLM, s.Destructive = false, true
	return action.Define(s, func(ctx context.Context, env tool.Env, in clearIn) (*tool.Result, error) {
		return clearData(ctx, env, in.PackageID)
	})
}

func mobileClearAppData() tool.Tool {
	s := shared("mobile_clearAppData", "Clear app data", tool.Action, "mobile_primitives").With(tool.Facts{
		Categories: []string{"DEVICE", "STORAGE", "MOBILE"},
	})
	s.ExposedToLLM, s.Destructive = false, true
	return action.Define(s, func(ctx context.Context, env tool.Env, in appIn) (*tool.Result, error) {
		return clearData(ctx, env, in.AppID)
	})
}

func clearData(ctx context.Context, env tool.Env, id string) (*tool.Result, error) {
	dev, err := action.Device(env)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(id) == "" {
		return nil, fault.New(fault.Invalid, "clear app data", "no app named")
	}
	if dev.Info().Platform == driver.WebPlatform {
		to, err := absolute(id, placesOf(ctx, env, "", ""))
		if err != nil {
			return nil, err
		}
		if id = driver.Origin(to); id == "" {
			return nil, fault.New(fault.Invalid, "clear app data", "%s has no origin whose data could be cleared", to)
		}
	}
	if err := forget(ctx, env, id); err != nil {
		return nil, err
	}
	return action.NoEffect("stored data shows nowhere until the app reads it", "Cleared the data of %s.", id), nil
}
