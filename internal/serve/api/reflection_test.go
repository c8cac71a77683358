package api_test

import (
	"slices"
	"testing"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/trailblaze-dev/trailblaze/internal/serve/hub"
	reflectionv1 "github.com/trailblaze-dev/trailblaze/proto/gen/grpc/reflection/v1"
)

type reflected = connect.BidiStreamForClient[reflectionv1.ServerReflectionRequest, reflectionv1.ServerReflectionResponse]

// ask sends one request on a stream and receives its answer.
func ask(t *testing.T, s *reflected, req *reflectionv1.ServerReflectionRequest) *reflectionv1.ServerReflectionResponse {
	t.Helper()
	if err := s.Send(req); err != nil {
		t.Fatal(err)
	}
	res, err := s.Receive()
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func symbol(name string) *reflectionv1.ServerReflectionRequest {
	return &reflectionv1.ServerReflectionRequest{
		MessageRequest: &reflectionv1.ServerReflectionRequest_FileContainingSymbol{FileContainingSymbol: name},
	}
}

// TestReflection (R42): what a client is told of each service is whole, in both versions: its files build without others.
func TestReflection(t *testing.T) {
	d := open(t, hub.Options{})
	for _, version := range []string{"v1", "v1alpha"} {
		t.Run(version, func(t *testing.T) {
			c := connect.NewClient[reflectionv1.ServerReflectionRequest, reflectionv1.ServerReflectionResponse](
				d.http2Client(), d.url+"/grpc.reflection."+version+".ServerReflection/ServerReflectionInfo", connect.WithGRPC())
			stream := c.CallBidiStream(t.Context())
			defer func() { _, _ = stream.CloseRequest(), stream.CloseResponse() }()

			list := ask(t, stream, &reflectionv1.ServerReflectionRequest{
				MessageRequest: &reflectionv1.ServerReflectionRequest_ListServices{},
			}).GetListServicesResponse().GetService()
			set, before := &descriptorpb.FileDescriptorSet{}, 0
			for _, s := range list {
				for _, raw := range ask(t, stream, symbol(s.Name)).GetFileDescriptorResponse().GetFileDescriptorProto() {
					f := &descriptorpb.FileDescriptorProto{}
					if err := proto.Unmarshal(raw, f); err != nil {
						t.Fatal(err)
					}
					if has := func(o *descriptorpb.FileDescriptorProto) bool { return o.GetName() == f.GetName() }; !slices.ContainsFunc(set.File, has) {
						set.File = append(set.File, f)
					}
					before++
				}
			}
			if len(list) < 6 || before > len(set.File)+len(list) {
				t.Errorf("%d services, %d files in %d answers: an import is sent once on a stream", len(list), len(set.File), before)
			}
			files, err := protodesc.NewFiles(set)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range list {
				if _, err := files.FindDescriptorByName(protoreflect.FullName(s.Name)); err != nil {
					t.Errorf("%s: %v", s.Name, err)
				}
			}

			if raw := ask(t, stream, symbol("trailblaze.v1.TrailblazeCommands.IsVisible")).GetFileDescriptorResponse(); len(raw.GetFileDescriptorProto()) != 1 {
				t.Errorf("a method: %v", raw)
			}
			numbers := ask(t, stream, &reflectionv1.ServerReflectionRequest{
				MessageRequest: &reflectionv1.ServerReflectionRequest_AllExtensionNumbersOfType{AllExtensionNumbersOfType: "google.protobuf.MethodOptions"},
			}).GetAllExtensionNumbersResponse().GetExtensionNumber()
			if len(numbers) == 0 {
				t.Fatal("no extension of the options of methods")
			}
			if raw := ask(t, stream, &reflectionv1.ServerReflectionRequest{
				MessageRequest: &reflectionv1.ServerReflectionRequest_FileContainingExtension{FileContainingExtension: &reflectionv1.ExtensionRequest{
					ContainingType: "google.protobuf.MethodOptions", ExtensionNumber: numbers[0]}},
			}).GetFileDescriptorResponse(); len(raw.GetFileDescriptorProto()) == 0 {
				t.Errorf("extension %d: no file", numbers[0])
			}
			if e := ask(t, stream, symbol("trailblaze.v1.Nothing")).GetErrorResponse(); e.GetErrorCode() != int32(connect.CodeNotFound) {
				t.Errorf("an unknown symbol: %v", e)
			}
		})
	}
}
