// Package descriptor tells the server what commands.proto says without the Go code that is made of it: that code is
// large, and would cost every process of the product memory.
package descriptor

import (
	_ "embed" // commands.binpb
	"sync"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"

	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

//go:embed commands.binpb
var commands []byte

// Commands is commands.proto.
var Commands = sync.OnceValues(func() (protoreflect.FileDescriptor, error) {
	set := &descriptorpb.FileDescriptorSet{}
	if err := proto.Unmarshal(commands, set); err != nil {
		return nil, err
	}
	return protodesc.NewFile(set.GetFile()[0], protoregistry.GlobalFiles)
})

// Services are all services of the contract.
func Services() ([]protoreflect.ServiceDescriptor, error) {
	c, err := Commands()
	if err != nil {
		return nil, err
	}
	var out []protoreflect.ServiceDescriptor
	for _, f := range []protoreflect.FileDescriptor{
		c, pb.File_trailblaze_v1_tool_service_proto, pb.File_trailblaze_v1_session_service_proto,
		pb.File_trailblaze_v1_agent_service_proto,
	} {
		for i := range f.Services().Len() {
			out = append(out, f.Services().Get(i))
		}
	}
	return out, nil
}

// Files finds commands.proto beside the files that are linked.
type Files struct{}

// FindFileByPath implements protodesc.Resolver.
func (Files) FindFileByPath(path string) (protoreflect.FileDescriptor, error) {
	f, err := Commands()
	if err == nil && f.Path() == path {
		return f, nil
	}
	return protoregistry.GlobalFiles.FindFileByPath(path)
}

// FindDescriptorByName implements protodesc.Resolver.
func (Files) FindDescriptorByName(name protoreflect.FullName) (protoreflect.Descriptor, error) {
	f, err := Commands()
	if err == nil && name.Parent() == f.Package() {
		if d := f.Services().ByName(name.Name()); d != nil {
			return d, nil
		}
		if d := f.Messages().ByName(name.Name()); d != nil {
			return d, nil
		}
	}
	return protoregistry.GlobalFiles.FindDescriptorByName(name)
}
