package api_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"

	"github.com/trailblaze-dev/trailblaze/internal/serve/api"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/hubtest"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
	"github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1/trailblazev1connect"
)

// BenchmarkCall is a call of a tool that does nothing, over each wire, beside the door that takes its name and arguments alone. The bar of a call over
// Connect is a median of 1 ms.
func BenchmarkCall(b *testing.B) {
	rig := hubtest.New(b, hubtest.Options{})
	mux := http.NewServeMux()
	api.Routes(mux, api.Options{Hub: rig.Hub, Status: func() any { return nil }})
	srv := httptest.NewServer(mux)
	b.Cleanup(srv.Close)
	client := &http.Client{Transport: &http.Transport{}}
	b.Cleanup(client.CloseIdleConnections)
	at := srv.URL + "/v1/tools/demo_echo?client=go&workspace=" + rig.Workspace
	b.Run("by name", func(b *testing.B) {
		timed(b, func() {
			resp, err := client.Post(at, "application/json", strings.NewReader("{}"))
			if err != nil || resp.StatusCode != http.StatusOK {
				b.Fatal(err)
			}
			_ = resp.Body.Close()
		})
	})
	for name, o := range map[string]connect.ClientOption{
		"connect": connect.WithClientOptions(), "connect json": connect.WithProtoJSON(), "grpc-web": connect.WithGRPCWeb(),
	} {
		c := trailblazev1connect.NewToolServiceClient(client, srv.URL, o)
		b.Run(name, func(b *testing.B) {
			timed(b, func() {
				r := &pb.CallToolRequest{Name: "demo_echo", Options: &pb.CallOptions{Client: "go", Workspace: rig.Workspace}}
				if _, err := c.CallTool(b.Context(), r); err != nil {
					b.Fatal(err)
				}
			})
		})
	}
}

// timed reports the median of a call, too, which a few slow calls on a busy machine do not move.
func timed(b *testing.B, call func()) {
	b.Helper()
	var took []time.Duration
	for b.Loop() {
		began := time.Now()
		call()
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
}
