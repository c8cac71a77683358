package beside

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// requestTime bounds one request with its answer.
const requestTime = 30 * time.Second

type getIn struct {
	URL     string            `json:"url" jsonschema:"http or https address" minLength:"1"`
	Headers map[string]string `json:"headers,omitempty" jsonschema:"further headers"`
}

type sendIn struct {
	getIn
	Method string `json:"method,omitempty" jsonschema:"default: POST" enum:"POST,PUT,PATCH,DELETE"`
	Body   string `json:"body,omitempty" jsonschema:"sent as it is; name its type in the header Content-Type, default application/json"`
	Status int    `json:"expectStatus,omitempty" jsonschema:"the status that the answer must have; default: any below 400"`
}

var requests = &tool.Effects{Opens: []string{"url"}, Sends: []string{"headers", "body"}}

func httpGet() tool.Tool {
	return tool.Define(spec("httpGet", "Get over HTTP", "NETWORK", tool.Query, requests),
		func(ctx context.Context, _ tool.Env, in getIn) (*tool.Result, error) {
			_, text, err := in.ask(ctx, http.MethodGet, "")
			if err != nil {
				return nil, err
			}
			return tool.TextResult("%s", text), nil
		})
}

func httpSend() tool.Tool {
	return tool.Define(spec("httpSend", "Send over HTTP", "NETWORK", tool.Action, requests),
		func(ctx context.Context, _ tool.Env, in sendIn) (*tool.Result, error) {
			method := http.MethodPost
			if in.Method != "" {
				method = in.Method
			}
			status, text, err := in.ask(ctx, method, in.Body)
			if err != nil {
				return nil, err
			}
			if in.Status != 0 && status != in.Status || in.Status == 0 && status >= http.StatusBadRequest {
				return nil, fault.New(fault.Assertion, "send request", "%s %s was answered with %s", method, in.URL, text).
					WithHint("If this is how it should be, declare `expectStatus: %d` on the call.", status)
			}
			r := done(fmt.Sprintf("%s %s was answered with status %d", method, in.URL, status))
			r.Content = tool.TextResult("%s", text).Content
			return r, nil
		})
}

// ask sends one request. A redirect is not followed: the caller may ask for its address, which policy decides about.
func (in getIn) ask(ctx context.Context, method, body string) (status int, text string, err error) {
	const op = "send request"
	if len(body) > maxSent {
		return 0, "", fault.New(fault.Invalid, op, "the body has more than %d bytes", maxSent)
	}
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, in.URL, strings.NewReader(body))
	if err != nil || req.URL.Scheme != "http" && req.URL.Scheme != "https" || req.URL.Hostname() == "" {
		return 0, "", fault.New(fault.Invalid, op, "%q is no address of http or https", in.URL)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for name, value := range in.Headers {
		req.Header.Set(name, value)
	}
	transport := &http.Transport{DisableKeepAlives: true, DialContext: dialer(tool.DialOf(ctx), req.URL)}
	client := http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	res, err := client.Do(req)
	if err != nil {
		return 0, "", fault.Wrap(err, kindOf(err), op)
	}
	defer func() { _ = res.Body.Close() }()
	data, err := io.ReadAll(io.LimitReader(res.Body, maxText+1))
	if err != nil {
		return 0, "", fault.Wrap(err, fault.Unavailable, op)
	}
	return res.StatusCode, answerOf(res, data), nil
}

// answerOf is an answer as text.
func answerOf(res *http.Response, data []byte) string {
	head := "HTTP " + res.Status
	for _, name := range []string{"Content-Type", "Location"} {
		if v := res.Header.Get(name); v != "" {
			head += "\n" + name + ": " + v
		}
	}
	tail := ""
	if len(data) > maxText {
		data, tail = data[:maxText], "\n(cut off)"
	}
	return head + "\n\n" + strings.ToValidUTF8(string(data), "\uFFFD") + tail
}

func kindOf(err error) fault.Kind {
	if fault.KindOf(err) == fault.Denied {
		return fault.Denied
	}
	return fault.Unavailable
}

// dialer connects by way of the policy, which looks at the address that a name has at that moment.
func dialer(by tool.Dial, to *url.URL) func(context.Context, string, string) (net.Conn, error) {
	if by == nil {
		return (&net.Dialer{}).DialContext
	}
	return func(ctx context.Context, _, address string) (net.Conn, error) {
		host, port, err := net.SplitHostPort(address)
		if err != nil {
			return nil, err
		}
		n, err := strconv.Atoi(port)
		if err != nil {
			return nil, err
		}
		return by(ctx, host, n, to.Scheme == "https")
	}
}
