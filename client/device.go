// Code generated from proto/trailblaze/v1 by sdk/gen. DO NOT EDIT.

package client

import (
	connect "connectrpc.com/connect"
	driver "github.com/trailblaze-dev/trailblaze/driver"
	fault "github.com/trailblaze-dev/trailblaze/fault"
	dial "github.com/trailblaze-dev/trailblaze/internal/serve/daemon/dial"
	commandsv1connect "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1/commands/commandsv1connect"
	trailblazev1connect "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1/trailblazev1connect"
	strings "strings"
)

// Device has the commands for devices of every kind. A backend is nil when the device is of another platform.
type Device struct {
	commandsv1connect.TrailblazeCommandsClient
	Mobile   commandsv1connect.MobileCommandsClient
	Web      commandsv1connect.WebCommandsClient
	Desktop  commandsv1connect.DesktopCommandsClient
	Manage   commandsv1connect.ManagementCommandsClient
	Sessions trailblazev1connect.SessionServiceClient
	Tools    trailblazev1connect.ToolServiceClient

	Platform driver.Platform
}

func (o *Options) deviceOf(by ...connect.Interceptor) Device {
	http := dial.Signed{Token: o.Token, By: o.HTTP}
	with := connect.WithInterceptors(by...)
	d := Device{Platform: driver.Platform(strings.ToLower(string(o.Platform)))}
	d.TrailblazeCommandsClient = commandsv1connect.NewTrailblazeCommandsClient(http, o.URL, with)
	if d.Platform == "android" || d.Platform == "ios" {
		d.Mobile = commandsv1connect.NewMobileCommandsClient(http, o.URL, with)
	}
	if d.Platform == "web" {
		d.Web = commandsv1connect.NewWebCommandsClient(http, o.URL, with)
	}
	if d.Platform == "desktop" {
		d.Desktop = commandsv1connect.NewDesktopCommandsClient(http, o.URL, with)
	}
	d.Manage = commandsv1connect.NewManagementCommandsClient(http, o.URL, with)
	d.Sessions = trailblazev1connect.NewSessionServiceClient(http, o.URL, with)
	d.Tools = trailblazev1connect.NewToolServiceClient(http, o.URL, with)
	return d
}

func noContext() error {
	return fault.New("invalid", "", "the call has no _meta.trailblaze with an address to call back").
		WithHint("Call the tool through Trailblaze, or make a client without a context.")
}

func noModel() error {
	return fault.New("unsupported", "", "this call may not ask the model").
		WithHint("Write sampling: true to the server in trailblaze.yaml, and configure a model.")
}
