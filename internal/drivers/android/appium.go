package android

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/adb"
)

// appium reads the tree from Appium's UiAutomator2 server, where that is installed: while it runs it has the phone's
// UiAutomation, so that neither our helper nor uiautomator can.
type appium struct {
	phone   adb.Device
	session string
	started io.Closer     // what keeps the server alive; nil when it ran before us
	ended   chan struct{} // closed when that has ended
	said    []byte        // by then
	end     context.CancelFunc
}

// The server's names and port are those of appium-uiautomator2-server.
const (
	appiumApp    = "io.appium.uiautomator2.server"
	appiumRunner = appiumApp + ".test/androidx.test.runner.AndroidJUnitRunner"
	appiumSocket = "tcp:6790"
	appiumStart  = 30 * time.Second
)

// findAppium returns the server of a phone, started when it does not run; nil when the phone has none.
func findAppium(ctx context.Context, phone adb.Device) (*appium, error) {
	const op = "start Appium's server on the phone"
	installed, err := adb.Run(ctx, phone, "pm list instrumentation")
	if err != nil || !strings.Contains(installed, appiumRunner) {
		return nil, nil //nolint:nilerr // a phone without pm has none either
	}
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	a := &appium{phone: phone, session: "trailblaze", ended: make(chan struct{}), end: end}
	ctx, cancel := context.WithTimeoutCause(ctx, appiumStart,
		fault.New(fault.Timeout, op, "it did not answer within %v", appiumStart))
	defer cancel()
	if a.ask(ctx, http.MethodGet, "/status", nil, nil) == nil {
		return a, nil
	}
	said, err := phone.Stream(life, "am instrument -w -e disableAnalytics true "+appiumRunner)
	if err != nil {
		end()
		return nil, fault.Wrap(err, "", op)
	}
	a.started = said
	go func() {
		defer close(a.ended)
		a.said, _ = io.ReadAll(io.LimitReader(said, 10_000))
	}()
	again := time.NewTicker(200 * time.Millisecond) // it does not say when it is ready
	defer again.Stop()
	for a.ask(ctx, http.MethodGet, "/status", nil, nil) != nil {
		select {
		case <-a.ended:
			a.close()
			return nil, fault.New(fault.Unavailable, op, "it ended: %.300s", a.said)
		case <-ctx.Done():
			a.close()
			return nil, fault.Wrap(context.Cause(ctx), "", op)
		case <-again.C:
		}
	}
	return a, nil
}

// close ends the server if it was started by us.
func (a *appium) close() {
	if a.started != nil {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		_, _ = adb.Run(ctx, a.phone, "am force-stop "+appiumApp)
		_ = a.started.Close()
		<-a.ended
	}
	a.end()
}

// source returns the tree as XML with the attributes of uiautomator's dump. A new session would make stale the elements
// that another client of the server knows, so that one is made only where there is none.
func (a *appium) source(ctx context.Context) ([]byte, error) {
	var xml string
	err := a.ask(ctx, http.MethodGet, "/session/"+a.session+"/source", nil, &xml)
	if err != nil && fault.KindOf(err) == fault.NotFound {
		caps := map[string]any{"capabilities": map[string]any{"alwaysMatch": map[string]any{}}}
		if err = a.ask(ctx, http.MethodPost, "/session", caps, nil); err == nil {
			err = a.ask(ctx, http.MethodGet, "/session/"+a.session+"/source", nil, &xml)
		}
	}
	return []byte(xml), err
}

// ask makes one request. out takes the reply's value.
func (a *appium) ask(ctx context.Context, method, path string, body, out any) error {
	const op = "ask Appium's server"
	conn, err := a.phone.Dial(ctx, appiumSocket)
	if err != nil {
		return fault.Wrap(err, "", op)
	}
	defer func() { _ = conn.Close() }()
	var data []byte
	if body != nil {
		if data, err = json.Marshal(body); err != nil {
			return fault.Wrap(err, fault.Internal, op)
		}
	}
	req, err := http.NewRequestWithContext(ctx, method, "http://127.0.0.1"+path, bytes.NewReader(data))
	if err != nil {
		return fault.Wrap(err, fault.Internal, op)
	}
	req.Close = true
	req.Header.Set("Content-Type", "application/json; charset=utf-8")
	if err := req.Write(conn); err != nil {
		return fault.Wrap(err, fault.Unavailable, op)
	}
	res, err := http.ReadResponse(bufio.NewReader(conn), req)
	if err != nil {
		return fault.Wrap(err, fault.Unavailable, op)
	}
	defer func() { _ = res.Body.Close() }()
	var reply struct {
		Session string          `json:"sessionId"`
		Value   json.RawMessage `json:"value"`
	}
	if err := json.NewDecoder(io.LimitReader(res.Body, maxDump)).Decode(&reply); err != nil {
		return fault.Wrap(err, fault.Unavailable, op)
	}
	switch {
	case res.StatusCode == http.StatusNotFound:
		return fault.New(fault.NotFound, op, "%s: %.300s", path, reply.Value)
	case res.StatusCode != http.StatusOK:
		return fault.New(fault.Unavailable, op, "%s: %s %.300s", path, res.Status, reply.Value)
	}
	if method == http.MethodPost && reply.Session != "" {
		a.session = reply.Session
	}
	if out == nil {
		return nil
	}
	return fault.Wrap(json.Unmarshal(reply.Value, out), fault.Unavailable, op)
}
