package extern_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/internal/makers/tools"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// A server that nobody here wrote has tools of any name. All of them can be called, and what had a name before keeps it.
func TestForeignNames(t *testing.T) {
	long := "x_" + strings.Repeat("long_", 20) + "name"
	modes := "named=get-sum=get_sum=fetch=web_click=readFile=wait=shop_open=public_open=文件=" + long
	plainly := []string{"public_fetch", "public_get_sum", "get_sum", "public_open", "public_readFile", "shop_open", "public_wait",
		"public_web_click", "public_x_long_long_long_long_long_long_long_long_long_lon_066553", "public_tool_39932f"}
	for _, c := range []struct {
		name  string
		names source.Names
		title string
		want  []string
		said  string
	}{
		{name: "as they are", want: plainly},
		{name: "one that is called as what is reserved", title: "web", names: source.Names{Include: []string{"fetch"}},
			want: []string{"mcp_web_fetch"}},
		{name: "a prefix for all", names: source.Names{Prefix: "pub", Include: []string{"*open", "get*"}},
			want: []string{"pub_get_sum", "pub_get_sum_9096b3", "pub_public_open", "pub_shop_open"}},
		{name: "none, and a pattern", names: source.Names{Plain: true, Exclude: []string{"get*", "web_*", "x_*"}},
			want: []string{"public_open", "shop_open", "tool_39932f"},
			said: "3 are left out, because a name is taken or not <namespace>_<action>: fetch, readFile, wait"},
		{name: "renamed", names: source.Names{Include: []string{"fetch", "gone"}, Rename: map[string]string{"fetch": "net_fetch"}},
			want: []string{"net_fetch"}, said: "names tools which it does not have: gone"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := acme(modes)
			if s.Name = c.title; s.Name == "" {
				s.Name = "public"
			}
			s.Names = c.names
			s.Names.Exclude = append(slices.Clone(s.Names.Exclude), "acme_*")
			r := startWith(t, options{servers: []source.Server{s}, change: func(o *source.Options) {
				o.BuiltIn, _ = tool.Collect(tools.BuiltinIn(o.Root, nil)...)
			}})
			found, problems, _ := r.sources[0].Load(t.Context())
			var got, said []string
			for _, f := range found {
				got = append(got, f.Spec().Name)
				if out := r.must(f.Spec().Name, `{}`); out["called"] == "" {
					t.Errorf("%s: %v", f.Spec().Name, out)
				}
			}
			for _, p := range problems {
				said = append(said, p.Error())
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("names (-want +got):\n%s", d)
			}
			if text := strings.Join(said, "\n"); len(said) > 1 || !strings.Contains(text, c.said) || c.said == "" && text != "" {
				t.Errorf("said: %q, want one line with %q", text, c.said)
			}
		})
	}
}
