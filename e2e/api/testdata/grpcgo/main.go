// Command grpcgo calls the typed API with the library of gRPC for Go, which the product does not link.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

func main() {
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("all is well")
}

func run(address, token string) error {
	conn, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+token)
	call := func(name, args string) (*pb.CallToolResponse, error) {
		out := &pb.CallToolResponse{}
		return out, conn.Invoke(ctx, "/trailblaze.v1.ToolService/CallTool", &pb.CallToolRequest{Name: name, ArgsJson: args}, out)
	}
	r, err := call("config", `{"action":"GET","key":"maxTokens"}`)
	if err != nil || r.GetResult().GetFailure() != nil {
		return fmt.Errorf("config: %v %w", r, err)
	}
	_, err = call("confik", "{}")
	s, _ := status.FromError(err)
	if s.Code() != codes.NotFound && s.Code() != codes.InvalidArgument || len(s.Details()) != 1 {
		return fmt.Errorf("a tool that there is not: %w", err)
	}
	if f, ok := s.Details()[0].(*pb.Failure); !ok || f.GetKind() == "" {
		return fmt.Errorf("its failure: %v", s.Details())
	}
	stream, err := conn.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true}, "/trailblaze.v1.ToolService/WatchTool")
	if err == nil {
		err = stream.SendMsg(&pb.WatchToolRequest{Call: &pb.CallToolRequest{Name: "device", ArgsJson: `{"action":"LIST"}`}})
	}
	if err == nil {
		err = stream.CloseSend()
	}
	got := &pb.WatchToolResponse{}
	for err == nil && got.GetResult() == nil {
		err = stream.RecvMsg(got)
	}
	if err != nil {
		return fmt.Errorf("stream: %w", err)
	}
	if err := stream.RecvMsg(got); err != io.EOF {
		return fmt.Errorf("the end of the stream: %w", err)
	}
	late, end := context.WithTimeout(ctx, time.Nanosecond)
	defer end()
	err = conn.Invoke(late, "/trailblaze.v1.ToolService/ListTools", &pb.ListToolsRequest{}, &pb.ListToolsResponse{})
	if status.Code(err) != codes.DeadlineExceeded {
		return fmt.Errorf("a deadline: %w", err)
	}
	return nil
}
