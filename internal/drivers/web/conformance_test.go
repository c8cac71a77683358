package web

import (
	"testing"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/drivertest"
)

// scenes are the suite's screens as web pages.
var scenes = map[string]string{
	"/form": `<!doctype html><title>Form</title><form onsubmit="return false">
<label>Name <input id=name></label> <label>Secret <input type=password value=hunter2></label>
<label><input type=checkbox> Agree</label>
<label>Colour <select><option>Red<option>Green<option>Blue</select></label>
<button disabled>Never</button> <button onclick="n++;said.textContent='Saved '+document.getElementById('name').value;
count.textContent='Saves: '+n">Save</button>
</form><p id=said></p><p id=count></p><script>let n=0</script>`,
	"/list": `<!doctype html><title>List</title><p id=chosen></p><div style="height:400px;overflow:auto" id=l></div>
<script>for(let i=0;i<100;i++){const b=document.createElement('button');b.textContent='Row '+i;b.style.cssText='display:block;height:40px;width:200px';
b.onclick=()=>chosen.textContent='Chosen: '+i;l.append(b)}</script>`,
	"/changing": `<!doctype html><title>Changing</title><button onclick="old.remove();setTimeout(()=>said.textContent='New',50)">Start</button>
<button id=old>Old</button><p id=said></p>`,
	"/windows": `<!doctype html><title>Windows</title><button onclick="box.showModal()">Ask</button>
<button onclick="n++;say()" style="position:fixed;left:200px;top:200px">Below</button><p id=said></p>
<dialog id=box style="position:fixed;left:100px;top:100px;width:400px;height:300px;margin:0"><p>Sure?</p>
<button onclick="box.close();yes='yes';say()">Yes</button></dialog>
<script>let n=0,yes='';function say(){said.textContent='Answer: '+yes+', taps: '+n}</script>`,
}

func subject(t testing.TB) drivertest.Subject {
	srv := serve(t, scenes)
	return drivertest.Subject{
		Has: []string{
			"AppManager", "Ascriber", "Clipboard", "Concealer", "Console", "Dialogs", "Downloader", "Evaluator",
			"Interrupter", "Leaver", "Lifeline", "Navigator", "Network", "Reader", "Recaller", "RefQuerier", "Routed",
			"StaleRefs", "Storage", "Tabs", "Viewport", "Waiter",
		},
		Scaled: func(t testing.TB) driver.Device { return newDevice(t, DeviceOptions{Preset: "Desktop HiDPI"}) },
		Open:   func(t testing.TB) driver.Device { return newDevice(t, DeviceOptions{}) },
		Show:   func(t testing.TB, d driver.Device, s drivertest.Scene) { open(t, d.(*Device), srv.URL+"/"+string(s)) },
	}
}

func TestConformance(t *testing.T) {
	t.Parallel()
	drivertest.Run(t, subject(t))
}

func BenchmarkConformance(b *testing.B) { drivertest.Bench(b, subject(b)) }
