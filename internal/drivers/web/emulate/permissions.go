package emulate

import (
	"context"
	"strings"

	"github.com/chromedp/cdproto/browser"
	proto "github.com/chromedp/cdproto/cdp"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
)

// SetPermissions grants a context the named permissions and denies the rest: a prompt would hang a
// page forever.
func SetPermissions(ctx context.Context, root *cdp.Session, id proto.BrowserContextID, names []string) error {
	granted := map[string]bool{}
	for _, p := range names {
		granted[strings.ToLower(p)] = true
	}
	for _, name := range permissions {
		setting := browser.PermissionSettingDenied
		if granted[name] {
			setting = browser.PermissionSettingGranted
		}
		delete(granted, name)
		params := browser.SetPermissionParams{
			Permission: &browser.PermissionDescriptor{Name: name}, Setting: setting, BrowserContextID: id,
		}
		if setting == browser.PermissionSettingDenied {
			cdp.Send(root, browser.SetPermission, params)
		} else if err := cdp.Do(ctx, root, browser.SetPermission, params); err != nil {
			return fault.Wrap(err, fault.Invalid, "grant permission "+name)
		}
	}
	for name := range granted {
		return fault.New(fault.Invalid, "grant permission", "no permission is called %q", name).
			WithHint("Known are: %s.", strings.Join(permissions, ", "))
	}
	return nil
}

// permissions are those a page can prompt for, in the words of the Permissions API.
var permissions = []string{
	"geolocation", "notifications", "camera", "microphone", "midi", "clipboard-read", "clipboard-write",
	"idle-detection", "window-management", "local-fonts", "storage-access", "display-capture",
}
