package page

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/action"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Apps finds what an app is on a platform, by the id of a target or one that it has on any platform: its address in a
// browser, the ids that it may have on a phone. None: the id is none of the project's.
type Apps func(m *memory.Store, p driver.Platform, appID string) []string

// startTime is the deadline of a call that starts an app on a phone, also on one that is busy.
const startTime = 2 * time.Minute

type launchIn struct {
	AppID      string `json:"appId" minLength:"1" jsonschema:"the app's id; in a browser its URL, or the id of an app that the project declares"`
	LaunchMode string `json:"launchMode,omitempty" enum:"REINSTALL,RESUME,FORCE_RESTART" default:"REINSTALL" jsonschema:"REINSTALL begins with no data, FORCE_RESTART keeps data, RESUME keeps the running app"`
	action.Expect
	action.Note
}

// launchApp starts an app. In a browser an app is a URL: its data is its origin's.
func launchApp(root string, apps Apps) tool.Tool {
	s := shared("launchApp", "Launch app", tool.Action, "core_interaction", "navigation").With(tool.Facts{
		Categories: []string{"CORE_INTERACTION", "NAVIGATION", "MOBILE"}, Default: 4, Replaces: "web_navigate",
		Effects: &tool.Effects{Opens: []string{"appId"}, Does: []string{"clear"}, DoesNow: func(a tool.Args) []string {
			if a.Is("launchMode", "RESUME") || a.Is("launchMode", "FORCE_RESTART") {
				return nil
			}
			return []string{"clear"}
		}},
		Sentence: func(p tool.Phrase) string { return "Start the app " + p.Plain("appId") },
	})
	s.PhoneTimeout = startTime
	return action.Define(s, func(ctx context.Context, env tool.Env, in launchIn) (*tool.Result, error) {
		dev, err := action.Device(env)
		if err != nil {
			return nil, err
		}
		if dev.Info().Platform == driver.WebPlatform {
			return launchPage(ctx, env, root, apps, in)
		}
		manager, id, err := appOf(ctx, env, apps, in.AppID, "launch app")
		if err != nil {
			return nil, err
		}
		effect, err := manager.LaunchApp(ctx, id, in.LaunchMode)
		ev := &tool.Evidence{Effect: effect}
		if err != nil {
			return &tool.Result{Evidence: ev}, fault.Wrap(err, "", "launch app")
		}
		return action.Result("Launched "+cmp.Or(effect.App, id), in.Expect, ev), nil
	})
}

// appOf finds the app of a phone that an id means: itself, or the first of a target's ids that is installed.
func appOf(ctx context.Context, env tool.Env, apps Apps, id, op string) (driver.AppManager, string, error) {
	manager, err := action.Capability[driver.AppManager](env, op)
	if err != nil {
		return nil, "", err
	}
	p := env.Device().Info().Platform
	if p == driver.WebPlatform {
		return manager, id, nil
	}
	ids := apps(env.Memory(), p, id)
	if len(ids) == 0 || len(ids) == 1 {
		return manager, cmp.Or(strings.Join(ids, ""), id), nil
	}
	installed, err := manager.InstalledApps(ctx)
	if err != nil {
		return nil, "", fault.Wrap(err, "", op)
	}
	for _, candidate := range ids {
		if slices.Contains(installed, candidate) {
			return manager, candidate, nil
		}
	}
	return nil, "", fault.New(fault.NotFound, op, "the target %s is not installed: none of %s", id,
		strings.Join(ids, ", ")).WithHint("Install the app, or add its id to android.app_ids of the target.")
}

func launchPage(ctx context.Context, env tool.Env, root string, apps Apps, in launchIn) (*tool.Result, error) {
	nav, err := action.Capability[driver.Navigator](env, "launch app")
	if err != nil {
		return nil, err
	}
	here, gone := nav.URL(ctx) // a navigation also leads out of a page that crashed
	where := in.AppID
	if urls := apps(env.Memory(), driver.WebPlatform, in.AppID); len(urls) > 0 {
		where = urls[0]
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

func stopApp(apps Apps) tool.Tool {
	s := shared("stopApp", "Stop app", tool.Action).With(tool.Facts{
		Categories: []string{"DEVICE"}, Idempotent: true,
		Sentence: func(p tool.Phrase) string { return "Stop the app" + tool.Join(" ", p.Plain("appId")) },
	})
	s.ExposedToLLM = false
	return action.Define(s, func(ctx context.Context, env tool.Env, in appIn) (*tool.Result, error) {
		manager, id, err := appOf(ctx, env, apps, in.AppID, "stop app")
		if err != nil {
			return nil, err
		}
		if err := manager.StopApp(ctx, id); err != nil {
			return nil, fault.Wrap(err, "", "stop app")
		}
		return action.NoEffect("a stopped app shows nothing", "Stopped %s.", id), nil
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

// clears are the effects of a tool that deletes the data of an app.
var clears = &tool.Effects{Does: []string{"clear"}}

// clearAppData is the command of this name in the public tool list.
func clearAppData(apps Apps) tool.Tool {
	s := shared("clearAppData", "Clear app data", tool.Action).With(tool.Facts{
		Categories: []string{"STORAGE"}, Effects: clears,
	})
	s.ExposedToLLM, s.Destructive = false, true
	return action.Define(s, func(ctx context.Context, env tool.Env, in clearIn) (*tool.Result, error) {
		return clearData(ctx, env, apps, in.PackageID)
	})
}

func mobileClearAppData(apps Apps) tool.Tool {
	s := shared("mobile_clearAppData", "Clear app data", tool.Action, "mobile_primitives").With(tool.Facts{
		Categories: []string{"DEVICE", "STORAGE", "MOBILE"}, Effects: clears,
	})
	s.ExposedToLLM, s.Destructive = false, true
	return action.Define(s, func(ctx context.Context, env tool.Env, in appIn) (*tool.Result, error) {
		return clearData(ctx, env, apps, in.AppID)
	})
}

func clearData(ctx context.Context, env tool.Env, apps Apps, id string) (*tool.Result, error) {
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
	} else if _, id, err = appOf(ctx, env, apps, id, "clear app data"); err != nil {
		return nil, err
	}
	if err := forget(ctx, env, id); err != nil {
		return nil, err
	}
	return action.NoEffect("stored data shows nowhere until the app reads it", "Cleared the data of %s.", id), nil
}
