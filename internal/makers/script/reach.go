package script

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// The bounds of a script's requests and files.
const (
	maxBody      = 1 << 20 // bytes of a request, a response and a file
	maxRedirects = 5
	fetchTime    = 30 * time.Second
)

// access holds the things that one call may touch outside of the tools it calls: the hosts and files that its tool
// declares, which policy has decided about before the call.
type access struct {
	tool          string
	root          string
	hosts         []string
	secrets       []string          // that the tool declares by name
	secretArg     func(string) bool // says whether an argument is declared for secrets
	reads, writes []string
	trusted       func() error // asked before the first of them is used
}

func newAccess(ctx context.Context, s *scripted, args json.RawMessage) *access {
	r := &access{tool: s.spec.Name, root: s.root, hosts: s.declared.Hosts, secrets: s.declared.Secrets,
		secretArg: s.spec.Secret, trusted: s.trusted(ctx)}
	var a tool.Args
	_ = json.Unmarshal(args, &a)
	r.reads = append(a.Texts(s.declared.Effects.Reads...), s.declared.Files.Read...)
	r.writes = append(a.Texts(s.declared.Effects.Writes...), s.declared.Files.Write...)
	return r
}

func (r *access) denied(op, what, hint string) error {
	return fault.New(fault.Denied, op, "%s does not declare %s", r.tool, what).WithHint("%s", hint)
}

// request is a request of a script to the network.
type request struct {
	URL     string
	Method  string
	Headers map[string]string
	Body    *string
}

// fetch sends one request, and follows redirects as far as they stay with hosts that the tool declares.
func (r *access) fetch(ctx context.Context, raw json.RawMessage) (any, error) {
	var in request
	if err := json.Unmarshal(raw, &in); err != nil {
		return nil, fault.New(fault.Invalid, "fetch", "the URL, method and headers are texts, and so is the body")
	}
	body := ""
	if in.Body != nil {
		body = *in.Body
	}
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, strings.ToUpper(in.Method), in.URL, strings.NewReader(body))
	if err != nil {
		return nil, fault.Wrap(err, fault.Invalid, "fetch")
	}
	for k, v := range in.Headers {
		req.Header.Set(k, v)
	}
	exact, err := r.host(req.URL)
	if err == nil {
		err = r.trusted()
	}
	if err != nil {
		return nil, err
	}
	transport := &http.Transport{DialContext: dialer(exact).DialContext, DisableKeepAlives: true}
	client := &http.Client{Transport: transport, CheckRedirect: func(next *http.Request, via []*http.Request) error {
		if len(via) > maxRedirects {
			return fault.New(fault.Invalid, "fetch", "it was redirected more than %d times", maxRedirects)
		}
		again, err := r.host(next.URL)
		if err == nil && exact && !again {
			transport.DialContext = dialer(false).DialContext
		}
		return err
	}}
	res, err := client.Do(req)
	if err != nil {
		return nil, fault.Wrap(err, "", "fetch")
	}
	defer func() { _ = res.Body.Close() }()
	data, err := io.ReadAll(io.LimitReader(res.Body, maxBody+1))
	if err != nil {
		return nil, fault.Wrap(err, fault.Unavailable, "fetch")
	}
	if len(data) > maxBody {
		return nil, fault.New(fault.Invalid, "fetch", "the response of %s is longer than %d bytes", req.URL.Host, maxBody)
	}
	headers := map[string]string{}
	for k := range res.Header {
		headers[strings.ToLower(k)] = res.Header.Get(k)
	}
	return map[string]any{"status": res.StatusCode, "url": res.Request.URL.String(), "headers": headers,
		"body": strings.ToValidUTF8(string(data), "\uFFFD")}, nil
}

// host checks that a URL is of a host that the tool declares; exact is true for one that it names without a wildcard.
func (r *access) host(u *url.URL) (exact bool, err error) {
	if u.Scheme != "http" && u.Scheme != "https" {
		return false, fault.New(fault.Denied, "fetch", "%s is neither http nor https", u.Redacted())
	}
	host := strings.ToLower(u.Hostname())
	for _, h := range r.hosts {
		h = strings.ToLower(h)
		if scheme, rest, said := strings.Cut(h, "://"); said {
			if h = rest; scheme != u.Scheme {
				continue
			}
		}
		if h == host || h == strings.ToLower(u.Host) {
			return true, nil
		}
		if ok, _ := path.Match(h, host); ok {
			exact = false
			return exact, nil
		}
	}
	return false, r.denied("fetch", "the host "+u.Host, "Add it to hosts in the tool's spec.")
}

// dialer connects to the addresses that a name has when it is connected to. Addresses of this machine and its network
// are refused unless the tool names the host, and those that hand out a machine's credentials always.
func dialer(named bool) *net.Dialer {
	return &net.Dialer{Timeout: fetchTime, ControlContext: func(_ context.Context, _, to string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(to)
		if err != nil || !allowsAddress(at.Addr().Unmap(), named) {
			return fault.New(fault.Denied, "fetch", "the address %s is not reached from a tool", to)
		}
		return nil
	}}
}

var (
	credentials = []netip.Addr{netip.MustParseAddr("100.100.100.200"), netip.MustParseAddr("168.63.129.16"),
		netip.MustParseAddr("192.0.0.192"), netip.MustParseAddr("fd00:ec2::254"), netip.MustParseAddr("fd20:ce::254")}
	shared = netip.MustParsePrefix("100.64.0.0/10")
)

func allowsAddress(ip netip.Addr, named bool) bool {
	if ip.IsLinkLocalUnicast() || ip.IsMulticast() || slices.Contains(credentials, ip) {
		return false
	}
	return named || !ip.IsPrivate() && !ip.IsLoopback() && !ip.IsUnspecified() && !shared.Contains(ip)
}

// read reads a declared file of the workspace as text.
func (r *access) read(name string) (any, error) {
	if !declares(r.reads, name) {
		return nil, r.denied("read file", "that it reads "+name, "Add it to files.read in the tool's spec.")
	}
	if err := r.trusted(); err != nil {
		return nil, err
	}
	var data []byte
	err := file.Within("read file", r.root, name, func(root *os.Root, name string) (err error) {
		data, err = file.ReadIn(root, name, maxBody)
		return err
	})
	if err != nil {
		return nil, err
	}
	return strings.ToValidUTF8(string(data), "\uFFFD"), nil
}

// write writes a declared file of the workspace.
func (r *access) write(raw json.RawMessage) error {
	var in struct{ Path, Text string }
	if err := json.Unmarshal(raw, &in); err != nil {
		return fault.New(fault.Invalid, "write file", "it needs a path and a text")
	}
	if !declares(r.writes, in.Path) {
		return r.denied("write file", "that it writes "+in.Path, "Add it to files.write in the tool's spec.")
	}
	if len(in.Text) > maxBody {
		return fault.New(fault.Invalid, "write file", "the text is longer than %d bytes", maxBody)
	}
	if err := r.trusted(); err != nil {
		return err
	}
	return file.Within("write file", r.root, in.Path, func(root *os.Root, name string) error {
		return file.ReplaceIn(root, name, []byte(in.Text))
	})
}

func declares(list []string, name string) bool {
	return slices.ContainsFunc(list, func(d string) bool { return path.Clean(d) == path.Clean(name) })
}
