// Code generated from proto/trailblaze/v1 by sdk/gen. DO NOT EDIT.

package client

import (
	connect "connectrpc.com/connect"
	driver "github.com/trailblaze-dev/trailblaze/driver"
	commandsv1connect "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1/commands/commandsv1connect"
	trailblazev1connect "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1/trailblazev1connect"
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

func newDevice(platform driver.Platform, http connect.HTTPClient, url string, o connect.ClientOption) Device {
	d := Device{Platform: platform}
	d.TrailblazeCommandsClient = commandsv1connect.NewTrailblazeCommandsClient(http, url, o)
	if platform == "android" || platform == "ios" {
		d.Mobile = commandsv1connect.NewMobileCommandsClient(http, url, o)
	}
	if platform == "web" {
		d.Web = commandsv1connect.NewWebCommandsClient(http, url, o)
	}
	if platform == "desktop" {
		d.Desktop = commandsv1connect.NewDesktopCommandsClient(http, url, o)
	}
	d.Manage = commandsv1connect.NewManagementCommandsClient(http, url, o)
	d.Sessions = trailblazev1connect.NewSessionServiceClient(http, url, o)
	d.Tools = trailblazev1connect.NewToolServiceClient(http, url, o)
	return d
}
