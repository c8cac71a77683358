package api

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"github.com/trailblaze-dev/trailblaze/proto/descriptor"
	reflectionv1 "github.com/trailblaze-dev/trailblaze/proto/gen/grpc/reflection/v1"
)

// reflectionServices describe the other services to clients such as buf curl. Both have the same messages.
var reflectionServices = []string{"grpc.reflection.v1.ServerReflection", "grpc.reflection.v1alpha.ServerReflection"}

// reflection adds a service of reflectionServices. The library for it parses its own contract when a command starts.
func reflection(mux *http.ServeMux, service string) {
	procedure := "/" + service + "/ServerReflectionInfo"
	mux.Handle(procedure, connect.NewBidiStreamHandler(procedure, tellOfFiles))
}

// tellOfFiles answers the requests of a stream one after the other.
func tellOfFiles(
	_ context.Context,
	stream *connect.BidiStream[reflectionv1.ServerReflectionRequest, reflectionv1.ServerReflectionResponse],
) error {
	sent := map[string]bool{}
	for {
		req, err := stream.Receive()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if req.MessageRequest == nil {
			return connect.NewError(connect.CodeInvalidArgument, errors.New("the request asks for nothing that is known here"))
		}
		out := &reflectionv1.ServerReflectionResponse{ValidHost: req.Host, OriginalRequest: req}
		if err := find(out, sent); err != nil {
			out.MessageResponse = &reflectionv1.ServerReflectionResponse_ErrorResponse{
				ErrorResponse: &reflectionv1.ErrorResponse{ErrorCode: int32(connect.CodeNotFound), ErrorMessage: err.Error()},
			}
		}
		if err := stream.Send(out); err != nil {
			return err
		}
	}
}

// find fills in the answer to a request. sent are the files that the stream has had.
func find(out *reflectionv1.ServerReflectionResponse, sent map[string]bool) error {
	var file protoreflect.FileDescriptor
	var err error
	switch q := out.OriginalRequest.MessageRequest.(type) {
	case *reflectionv1.ServerReflectionRequest_ListServices:
		list := &reflectionv1.ListServiceResponse{}
		for _, name := range serviceNames() {
			list.Service = append(list.Service, &reflectionv1.ServiceResponse{Name: name})
		}
		out.MessageResponse = &reflectionv1.ServerReflectionResponse_ListServicesResponse{ListServicesResponse: list}
		return nil
	case *reflectionv1.ServerReflectionRequest_AllExtensionNumbersOfType:
		return extensions(out, q.AllExtensionNumbersOfType)
	case *reflectionv1.ServerReflectionRequest_FileByFilename:
		file, err = descriptor.File(q.FileByFilename)
	case *reflectionv1.ServerReflectionRequest_FileContainingSymbol:
		file, err = fileOf(descriptor.Symbol(q.FileContainingSymbol))
	case *reflectionv1.ServerReflectionRequest_FileContainingExtension:
		e := q.FileContainingExtension
		file, err = extensionFile(e.ContainingType, e.ExtensionNumber)
	}
	if err != nil {
		return err
	}
	out.MessageResponse = &reflectionv1.ServerReflectionResponse_FileDescriptorResponse{
		FileDescriptorResponse: &reflectionv1.FileDescriptorResponse{FileDescriptorProto: withImports(nil, file, sent)},
	}
	return nil
}

func fileOf(d protoreflect.Descriptor, err error) (protoreflect.FileDescriptor, error) {
	if err != nil {
		return nil, err
	}
	return d.ParentFile(), nil
}

func extensionFile(of string, number int32) (protoreflect.FileDescriptor, error) {
	x, err := protoregistry.GlobalTypes.FindExtensionByNumber(protoreflect.FullName(of), protoreflect.FieldNumber(number))
	if err != nil {
		return nil, err
	}
	return descriptor.File(x.TypeDescriptor().ParentFile().Path())
}

// extensions fills in the numbers of the extensions of a message.
func extensions(out *reflectionv1.ServerReflectionResponse, of string) error {
	if _, err := descriptor.Symbol(of); err != nil {
		return err
	}
	numbers := &reflectionv1.ExtensionNumberResponse{BaseTypeName: of}
	protoregistry.GlobalTypes.RangeExtensionsByMessage(protoreflect.FullName(of), func(x protoreflect.ExtensionType) bool {
		numbers.ExtensionNumber = append(numbers.ExtensionNumber, int32(x.TypeDescriptor().Number()))
		return true
	})
	slices.Sort(numbers.ExtensionNumber)
	out.MessageResponse = &reflectionv1.ServerReflectionResponse_AllExtensionNumbersResponse{
		AllExtensionNumbersResponse: numbers,
	}
	return nil
}

// withImports appends a file and, unless the stream has had them, the files that it imports.
func withImports(out [][]byte, file protoreflect.FileDescriptor, sent map[string]bool) [][]byte {
	sent[file.Path()] = true
	out = append(out, descriptor.Raw(file.Path()))
	for i := range file.Imports().Len() {
		if f := file.Imports().Get(i).FileDescriptor; !sent[f.Path()] {
			out = withImports(out, f, sent)
		}
	}
	return out
}
