package metrics

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// The bounds of an OTLP exporter.
const (
	otlpQueue   = 4096 // spans that wait; more are dropped and counted
	otlpBatch   = 512
	otlpEvery   = 5 * time.Second
	otlpTimeout = 10 * time.Second // of one delivery
)

// OTLP sends spans to an OpenTelemetry collector, as OTLP over HTTP with JSON.
type OTLP struct {
	url     string
	headers map[string]string
	service string
	version string
	client  *http.Client
	log     *slog.Logger

	spans   chan Span
	quit    chan struct{}
	once    sync.Once
	done    chan struct{}
	dropped atomic.Int64
	life    context.Context // of deliveries: Close's deadline ends it
	stop    context.CancelCauseFunc
}

// OTLPFromEnv is the exporter that OpenTelemetry's variables ask for, nil when they name no
// collector: by default nothing is sent anywhere.
func OTLPFromEnv(env func(string) string, version string, log *slog.Logger) (*OTLP, error) {
	if strings.EqualFold(env("OTEL_SDK_DISABLED"), "true") || env("OTEL_TRACES_EXPORTER") == "none" {
		return nil, nil
	}
	to := env("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
	if to == "" {
		base := env("OTEL_EXPORTER_OTLP_ENDPOINT")
		if base == "" {
			return nil, nil
		}
		to = strings.TrimSuffix(base, "/") + "/v1/traces"
	}
	if u, err := url.Parse(to); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fault.New(fault.Invalid, "read OTEL_EXPORTER_OTLP_ENDPOINT", "%q is not an http URL", to)
	}
	headers := map[string]string{}
	for pair := range strings.SplitSeq(cmp.Or(env("OTEL_EXPORTER_OTLP_TRACES_HEADERS"),
		env("OTEL_EXPORTER_OTLP_HEADERS")), ",") {
		if k, v, ok := strings.Cut(strings.TrimSpace(pair), "="); ok {
			if plain, err := url.PathUnescape(v); err == nil {
				v = plain
			}
			headers[k] = v
		}
	}
	return NewOTLP(to, headers, cmp.Or(env("OTEL_SERVICE_NAME"), "trailblaze"), version, log), nil
}

// NewOTLP starts an exporter. Close ends it.
func NewOTLP(to string, headers map[string]string, service, version string, log *slog.Logger) *OTLP {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	x := &OTLP{
		url: to, headers: headers, service: service, version: version, log: log,
		client: &http.Client{Timeout: otlpTimeout},
		spans:  make(chan Span, otlpQueue), quit: make(chan struct{}), done: make(chan struct{}),
	}
	x.life, x.stop = context.WithCancelCause(context.Background())
	go x.run()
	return x
}

// Export implements Exporter. A slow collector costs spans, never time.
func (x *OTLP) Export(s Span) {
	select {
	case x.spans <- s:
	default:
		x.dropped.Add(1)
	}
}

// Close implements Exporter.
func (x *OTLP) Close(ctx context.Context) error {
	x.once.Do(func() { close(x.quit) })
	select {
	case <-x.done:
		x.stop(nil)
		x.client.CloseIdleConnections()
		return nil
	case <-ctx.Done():
		x.stop(ctx.Err())
		<-x.done // the delivery under way ends with its context
		x.client.CloseIdleConnections()
		return fault.New(fault.Timeout, "send spans", "not all were delivered in time: %w", ctx.Err())
	}
}

func (x *OTLP) run() {
	defer close(x.done)
	tick := time.NewTicker(otlpEvery)
	defer tick.Stop()
	var batch []Span
	flush := func() {
		x.send(batch)
		batch = nil
	}
	for {
		select {
		case s := <-x.spans:
			if batch = append(batch, s); len(batch) >= otlpBatch {
				flush()
			}
		case <-tick.C:
			flush()
		case <-x.quit:
			for {
				select {
				case s := <-x.spans:
					if batch = append(batch, s); len(batch) >= otlpBatch {
						flush()
					}
					continue
				default:
				}
				flush()
				return
			}
		}
	}
}

// send delivers a batch once. Keeping spans for an absent collector would cost more than they are
// worth.
func (x *OTLP) send(batch []Span) {
	if n := x.dropped.Swap(0); n > 0 {
		x.log.Warn("spans were dropped, the collector does not keep up", "spans", n)
	}
	if len(batch) == 0 {
		return
	}
	if err := x.post(batch); err != nil {
		x.log.Warn("spans could not be delivered", "spans", len(batch), "error", err)
	}
}

func (x *OTLP) post(batch []Span) error {
	body, err := json.Marshal(x.document(batch))
	if err != nil {
		return fault.Wrap(err, fault.Internal, "write spans")
	}
	req, err := http.NewRequestWithContext(x.life, http.MethodPost, x.url, bytes.NewReader(body))
	if err != nil {
		return fault.Wrap(err, fault.Invalid, "send spans")
	}
	req.Header.Set("Content-Type", "application/json")
	for k, v := range x.headers {
		req.Header.Set(k, v)
	}
	res, err := x.client.Do(req)
	if err != nil {
		return fault.Wrap(err, fault.Unavailable, "send spans")
	}
	defer func() { _ = res.Body.Close() }()
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, 1<<16))
	if res.StatusCode >= 300 {
		return fault.New(fault.Unavailable, "send spans", "the collector answered %s", res.Status)
	}
	return nil
}

// The OTLP document, as its JSON mapping of protocol buffers wants it: ids in hexadecimal, times as texts.
type (
	otlpValue struct {
		String string `json:"stringValue"`
	}
	otlpAttribute struct {
		Key   string    `json:"key"`
		Value otlpValue `json:"value"`
	}
	otlpStatus struct {
		Code    int    `json:"code,omitempty"` // 1 ok, 2 error
		Message string `json:"message,omitempty"`
	}
	otlpSpan struct {
		TraceID    string          `json:"traceId"`
		SpanID     string          `json:"spanId"`
		Parent     string          `json:"parentSpanId,omitempty"`
		Name       string          `json:"name"`
		Kind       int             `json:"kind"` // 1: internal
		Start      string          `json:"startTimeUnixNano"`
		End        string          `json:"endTimeUnixNano"`
		Attributes []otlpAttribute `json:"attributes,omitempty"`
		Status     otlpStatus      `json:"status"`
	}
	otlpScope struct {
		Name    string `json:"name"`
		Version string `json:"version,omitempty"`
	}
	otlpScoped struct {
		Scope otlpScope  `json:"scope"`
		Spans []otlpSpan `json:"spans"`
	}
	otlpResource struct {
		Attributes []otlpAttribute `json:"attributes"`
	}
	otlpGroup struct {
		Resource otlpResource `json:"resource"`
		Scoped   []otlpScoped `json:"scopeSpans"`
	}
	otlpDocument struct {
		Groups []otlpGroup `json:"resourceSpans"`
	}
)

func (x *OTLP) document(batch []Span) otlpDocument {
	spans := make([]otlpSpan, 0, len(batch))
	for _, s := range batch {
		o := otlpSpan{
			TraceID: s.Trace, SpanID: s.ID, Parent: s.Parent, Name: s.Name, Kind: 1, Start: nano(s.Start),
			End:        nano(s.End),
			Attributes: attributes(s.Attributes), Status: otlpStatus{Code: 1},
		}
		if s.Failed {
			o.Status = otlpStatus{Code: 2, Message: s.Message}
		}
		spans = append(spans, o)
	}
	return otlpDocument{Groups: []otlpGroup{{
		Resource: otlpResource{Attributes: attributes(map[string]string{"service.name": x.service,
			"service.version": x.version})},
		Scoped: []otlpScoped{{Scope: otlpScope{Name: "trailblaze", Version: x.version}, Spans: spans}},
	}}}
}

func attributes(in map[string]string) []otlpAttribute {
	var out []otlpAttribute
	for _, k := range slices.Sorted(maps.Keys(in)) {
		if in[k] != "" {
			out = append(out, otlpAttribute{k, otlpValue{in[k]}})
		}
	}
	return out
}

func nano(t time.Time) string { return strconv.FormatInt(t.UnixNano(), 10) }

// String names where spans go, for logs.
func (x *OTLP) String() string { return fmt.Sprintf("OTLP to %s", x.url) }
