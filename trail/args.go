package trail

import "github.com/trailblaze-dev/trailblaze/fault"

// BindArgs gives the trail's declared parameters their values: flags win over file, file over defaults. Values follow
// the declared type. All that is wrong is reported in one error.
func (t *Trail) BindArgs(flags map[string]string, file map[string]any) (map[string]any, error) {
	return nil, fault.New(fault.Internal, "bind args", "not yet")
}
