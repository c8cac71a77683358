// Package descriptor gives the server the contract without the Go code that is made of commands.proto: that code is
// large, and would cost every process of the product memory. Nothing is read before it is asked for.
package descriptor

import (
	_ "embed" // contract.binpb
	"sync"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/runtime/protoimpl"

	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

// contract is a FileDescriptorSet of the files of the contract and of their imports.
//
//go:embed contract.binpb
var contract []byte

const commandsPath = "trailblaze/v1/commands.proto"

// files finds commands.proto beside the files that are linked. A program may also link the Go code of
// commands.proto, so it is not registered with those.
type files struct {
	raw map[string][]byte // by path
	own protoregistry.Files
}

var all = sync.OnceValue(func() *files {
	all := &files{raw: rawFiles()}
	// As generated code does it: protodesc checks what buf has checked, and initializes itself in every command.
	protoimpl.DescBuilder{RawDescriptor: all.raw[commandsPath], FileRegistry: all}.Build()
	return all
})

// rawFiles takes the set apart. Its only field is a file, whose first field is its path.
func rawFiles() map[string][]byte {
	out := map[string][]byte{}
	for rest := contract; len(rest) > 0; {
		_, _, n := protowire.ConsumeTag(rest)
		file, size := protowire.ConsumeBytes(rest[n:])
		rest = rest[n+size:]
		_, _, n = protowire.ConsumeTag(file)
		path, _ := protowire.ConsumeString(file[n:])
		out[path] = file
	}
	return out
}

// RegisterFile takes the file that DescBuilder makes.
func (f *files) RegisterFile(file protoreflect.FileDescriptor) error { return f.own.RegisterFile(file) }

func (f *files) FindFileByPath(path string) (protoreflect.FileDescriptor, error) {
	if file, err := f.own.FindFileByPath(path); err == nil {
		return file, nil
	}
	return protoregistry.GlobalFiles.FindFileByPath(path)
}

func (f *files) FindDescriptorByName(name protoreflect.FullName) (protoreflect.Descriptor, error) {
	if d, err := f.own.FindDescriptorByName(name); err == nil {
		return d, nil
	}
	return protoregistry.GlobalFiles.FindDescriptorByName(name)
}

// File is a file of the contract, or one that a file of the contract imports.
func File(path string) (protoreflect.FileDescriptor, error) {
	if Raw(path) == nil {
		return nil, protoregistry.NotFound
	}
	return all().FindFileByPath(path)
}

// Raw is the FileDescriptorProto of a file on the wire; nil when File knows no such file.
func Raw(path string) []byte { return all().raw[path] }

// Symbol returns the descriptor that the contract, or a file that it imports, has by a full name.
func Symbol(name string) (protoreflect.Descriptor, error) {
	d, err := all().FindDescriptorByName(protoreflect.FullName(name))
	if err == nil && Raw(d.ParentFile().Path()) == nil {
		return nil, protoregistry.NotFound
	}
	return d, err
}

// Commands is commands.proto.
func Commands() (protoreflect.FileDescriptor, error) { return File(commandsPath) }

// Services are all services of the contract.
func Services() ([]protoreflect.ServiceDescriptor, error) {
	c, err := Commands()
	if err != nil {
		return nil, err
	}
	var out []protoreflect.ServiceDescriptor
	for _, f := range []protoreflect.FileDescriptor{
		c, pb.File_trailblaze_v1_tool_service_proto, pb.File_trailblaze_v1_session_service_proto,
		pb.File_trailblaze_v1_agent_service_proto, pb.File_trailblaze_v1_view_service_proto,
	} {
		for i := range f.Services().Len() {
			out = append(out, f.Services().Get(i))
		}
	}
	return out, nil
}
