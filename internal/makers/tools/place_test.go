package tools_test

import (
	"flag"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
)

var lists = flag.String("lists", "", "the node_modules of e2e/apps: drag in the lists of libraries, too (`make e2e-lists`)")

// TestDragPlaces: an item comes to lie before or after another, in lists that sort while it is dragged, that sort on the
// drop, and that lie across; the answer says what the order became.
func TestDragPlaces(t *testing.T) {
	t.Parallel()
	const (
		ul    = `<style>li{padding:8px;margin:4px 0;background:#eee;width:200px}</style><ul id=l><li>A<li>B<li>C<li>D</ul>`
		row   = `<style>ul{display:flex;list-style:none}li{padding:18px;margin:4px;background:#eee;width:60px}</style><ul id=l><li>A<li>B<li>C<li>D</ul>`
		drops = `<script>for(const i of l.children){i.draggable=true;i.ondragstart=e=>{e.dataTransfer.setData('text',i.textContent);window.it=i};
i.ondragover=e=>e.preventDefault();
			i.ondrop=e=>{e.preventDefault();const r=i.getBoundingClientRect();e.clientY<r.top+r.height/2?i.before(it):i.after(it)}}</script>`
		follows = `<script>let it=null;l.onpointerdown=e=>{it=e.target.closest('li')};onpointerup=()=>{it=null};
			onpointermove=e=>{const o=it&&document.elementFromPoint(e.clientX,e.clientY)?.closest('li');if(!o||o===it)return;const r=o.getBoundingClientRect();
			const low=l.style.display==='flex'||getComputedStyle(l).display==='flex'?e.clientX<r.left+r.width/2:e.clientY<r.top+r.height/2;
low?o.before(it):o.after(it)}</script>`
		back = `<script>let ups=0;addEventListener('pointerup',()=>{if(++ups<3)
			l.append(...[...l.children].sort((x,y)=>x.textContent<y.textContent?-1:1))})</script>`
		sortable = `<script src=/lib/sortablejs/Sortable.min.js></script><script>new Sortable(l,{animation:150,OPTIONS})</script>`
		jquery   = `<script src=/lib/jquery/dist/jquery.js></script><script src=/lib/jquery-ui/dist/jquery-ui.js></script><script>$('#l').sortable()</script>`
		html5    = `<script src=/lib/html5sortable/dist/html5sortable.min.js></script><script>sortable('#l')</script>`
	)
	pages := map[string]string{"sorts on the drop": ul + drops, "sorts meanwhile": ul + follows, "lies across": row + follows,
		"moves it back twice": ul + follows + back}
	served := map[string]http.HandlerFunc{}
	if *lists != "" {
		pages["SortableJS"], pages["SortableJS across"] = ul+sortable, row+sortable
		pages["SortableJS by the mouse"] = ul + strings.Replace(sortable, "OPTIONS", "forceFallback:true", 1)
		pages["jQuery UI"], pages["html5sortable"] = ul+jquery, ul+html5
		served["/lib/"] = func(w http.ResponseWriter, r *http.Request) {
			http.ServeFile(w, r, filepath.Join(*lists, strings.TrimPrefix(r.URL.Path, "/lib/")))
		}
	}
	for name, page := range pages {
		t.Run(name, func(t *testing.T) {
			for _, c := range []struct{ from, place, to, want string }{
				{"A", "after", "C", "BCAD"}, {"A", "before", "C", "BACD"}, {"D", "before", "B", "ADBC"}, {"D", "after", "B", "ABDC"},
				{"A", "after", "D", "BCDA"}, {"D", "before", "A", "DABC"}, {"A", "after", "B", "BACD"}, {"B", "before", "A", "BACD"},
			} {
				w := open(t, strings.Replace(page, ",OPTIONS", "", 1), served)
				got := w.do("web_drag", args{"ref": c.from, "toRef": c.to, "place": c.place})
				if again := strings.Contains(got, "it was dragged 3 times"); again != (name == "moves it back twice") {
					t.Errorf("dragged again, or not told: %s", got)
				}
				w.is(`[...l.children].map(x=>x.textContent.trim()).join('')`, c.want)
				w.saw(got, `The order is now "`+strings.Join(strings.Split(c.want, ""), `", "`)+`".`)
				if rec := string(w.last.Record.Args); !strings.Contains(rec, `"place":"`+c.place+`"`) {
					t.Errorf("recorded %s, want the place", rec)
				}
			}
		})
	}
	w := open(t, ul)
	err := w.refuse(fault.NotActed, "web_drag", args{"ref": "A", "toRef": "C", "place": "after"})
	if !strings.Contains(err.Error(), `the order is "A", "B", "C", "D"`) {
		t.Errorf("a list that does not sort: %v", err)
	}
	w.refuse(fault.Invalid, "web_drag", args{"ref": "A", "dx": 9, "place": "after"})
}
