package tools_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
)

const fieldPage = `
<form onsubmit="out.textContent='sent '+n.value;return false">
<label>Name <input id=n></label>
<label>Password <input id=p type=password></label>
<label>Note <textarea id=area></textarea></label>
<label>Code <input id=c maxlength=3></label><button>Send</button>
</form><p id=out></p><script>document.onkeydown=e=>{window.lastKey=e.key}</script>`

func TestType(t *testing.T) {
	t.Parallel()
	w := open(t, fieldPage)
	w.saw(w.do("web_type", args{"ref": `textbox "Name"`, "text": "Ada"}), `"Ada"`)
	w.is(`n.value`, "Ada")
	w.do("web_type", args{"ref": `textbox "Name"`, "text": "Grace"})
	w.is(`n.value`, "Grace")
	w.do("web_type", args{"ref": `textbox "Name"`, "text": " Hopper", "clearFirst": false})
	w.is(`n.value`, "Grace Hopper")
	w.do("web_type", args{"ref": `textbox "Note"`, "text": "one\ntwo"})
	w.is(`area.value`, "one\ntwo")
	w.do("web_type", args{"ref": `textbox "Name"`, "text": "Lin", "submit": true})
	w.is(`out.textContent`, "sent Lin")
	w.do("web_clear", args{"ref": `textbox "Name"`})
	w.is(`n.value`, "")
	w.do("fill", args{"selector": "#n", "value": "R35"})
	w.is(`n.value`, "R35")
	w.refuse(fault.NotActed, "web_type", args{"ref": `textbox "Code"`, "text": "12345"}) // the field cuts it off
}

// R179: a recording keeps tokens, never what they stand for.
func TestTypeRecordsTokens(t *testing.T) {
	t.Parallel()
	w := open(t, fieldPage)
	w.mem.Set("user", "Ada")
	w.do("web_type", args{"ref": `textbox "Name"`, "text": "{{user}}"})
	w.is(`n.value`, "Ada")
	if rec := string(w.last.Record.Args); !strings.Contains(rec, "{{user}}") || strings.Contains(rec, `"ref"`) || strings.Contains(rec, "clearFirst") {
		t.Errorf("recorded %s, want the token, no ref, no defaults", rec)
	}
}

func TestFocusedField(t *testing.T) {
	t.Parallel()
	w := open(t, fieldPage)
	w.do("tap", args{"ref": w.ref(`textbox "Name"`)})
	w.do("inputText", args{"text": "Ada"})
	w.is(`n.value`, "Ada")
	w.do("eraseText", args{"charactersToErase": 1})
	w.is(`n.value`, "Ad")
	w.do("clearText", nil)
	w.is(`n.value`, "")
	w.do("inputTextRandom", args{"variable": "id", "digitCount": 4})
	if v, _ := w.mem.Get("id"); v != w.js(`n.value`) || !strings.HasPrefix(w.js(`n.value`), "TBZ-") || len(w.js(`n.value`)) != 8 {
		t.Errorf("typed %q, remembered %v", w.js(`n.value`), v)
	}
	w.do("eraseText", nil)
	w.is(`n.value`, "")
	w.do("mobile_setClipboard", args{"text": "pasted"})
	w.do("mobile_pasteClipboard", nil)
	w.is(`n.value`, "pasted")
}

func TestKeys(t *testing.T) {
	t.Parallel()
	w := open(t, fieldPage)
	w.do("web_type", args{"ref": `textbox "Name"`, "text": "Ada"})
	w.do("web_pressKey", args{"key": "Enter"})
	w.is(`out.textContent`, "sent Ada")
	w.do("web_pressKey", args{"key": "Tab", "ref": `textbox "Name"`})
	w.is(`document.activeElement.id`, "p")
	w.do("pressKey", args{"keyCode": "ESCAPE", "effect": "none"})
	w.is(`window.lastKey`, "Escape")
	w.refuse(fault.Unsupported, "pressKey", args{"keyCode": "HOME"})
	w.saw(w.do("hideKeyboard", nil), "no on-screen keyboard")
	if w.last.Evidence.None == "" {
		t.Error("hideKeyboard declares no reason for having no effect")
	}
}

func TestFillSecret(t *testing.T) {
	t.Parallel()
	w := open(t, fieldPage)
	w.mem.SetSecret("password", "hunter2-s3cret")
	for _, a := range []args{{"name": "password"}, {"value": "{{password}}"}} {
		a["ref"] = `textbox "Password"`
		if strings.Contains(w.do("web_fillSecret", a)+string(w.last.Record.Args), "s3cret") {
			t.Error("the secret is told")
		}
		w.is(`p.value.length`, "14")
		if a["value"] != nil && !strings.Contains(string(w.last.Record.Args), "{{password}}") {
			t.Errorf("recorded %s, want the token", w.last.Record.Args)
		}
		w.do("web_clear", args{"ref": `textbox "Password"`})
	}
	w.refuse(fault.NotFound, "web_fillSecret", args{"ref": `textbox "Password"`, "name": "nope"})

	t.Run("only on its own site", func(t *testing.T) {
		w.mem.BindOrigin("password", "https://bank.test")
		w.refuse(fault.Denied, "web_fillSecret", args{"ref": `textbox "Password"`, "name": "password"})
		w.refuse(fault.Denied, "web_type", args{"ref": `textbox "Name"`, "text": "{{password}}"})
		w.is(`p.value + n.value`, "")
		w.mem.BindOrigin("password", w.server.URL)
		w.do("web_fillSecret", args{"ref": `textbox "Password"`, "name": "password"})
	})
}

// A page that wants a secret of another origin says it is that origin, has its frame focused, or is that origin's
// page in a sandbox: nothing is typed into any of them.
func TestSecretOfAnotherOrigin(t *testing.T) {
	t.Parallel()
	const typed = ` oninput="parent.postMessage('typed','*')" onkeydown="parent.postMessage('typed','*')"`
	other := httptest.NewServer(html(`<label>Inner <input autofocus` + typed + `></label><script>document.querySelector('input').focus()</script>`))
	defer other.Close()
	w := open(t, `<label>Liar <input id=liar></label><label>Own <input id=own></label>
<iframe title=foreign src="`+strings.Replace(other.URL, "127.0.0.1", "localhost", 1)+`"></iframe>
<iframe title=sandbox sandbox="allow-scripts" srcdoc='<label>Boxed <input`+strings.ReplaceAll(typed, "'", "&#39;")+`></label>'></iframe>
<iframe title=inherits srcdoc='<label>Inherits <input id=i></label>'></iframe>
<script>
window.told = 0; addEventListener('message', () => told++);
const bank = {location: {origin: 'https://bank.test', href: 'https://bank.test/'}, origin: 'https://bank.test'}; bank.self = bank.window = bank;
Object.defineProperty(liar, 'ownerDocument', {value: {defaultView: bank}});
Object.defineProperty(Node.prototype, 'ownerDocument', {value: {defaultView: bank}, configurable: true});
window.origin = 'https://bank.test';
</script>`)
	w.mem.SetSecret("bank", "b4nk-s3cret")
	w.mem.BindOrigin("bank", "https://bank.test")
	w.mem.SetSecret("shop", "sh0p-s3cret")
	w.mem.BindOrigin("shop", w.server.URL)
	w.refuse(fault.Denied, "web_fillSecret", args{"ref": `textbox "Liar"`, "name": "bank"})
	w.refuse(fault.Denied, "web_type", args{"ref": `textbox "Liar"`, "text": "{{bank}}", "keys": true})
	w.is(`liar.value`, "")
	w.refuse(fault.Denied, "web_fillSecret", args{"ref": `textbox "Boxed"`, "name": "shop"})
	w.do("web_click", args{"ref": `textbox "Inner"`})
	told := w.js(`told`)
	w.refuse(fault.Denied, "inputText", args{"text": "{{shop}}"})
	w.is(`told`, told)
	w.do("web_fillSecret", args{"ref": `textbox "Inherits"`, "name": "shop"})
	w.do("web_fillSecret", args{"ref": `textbox "Own"`, "name": "shop"})
	w.is(`own.value.length`, "11")
}

// TestFocusToCome: a page that gives a field the focus by itself is typed into when it has, also by a call that comes
// before.
func TestFocusToCome(t *testing.T) {
	w := open(t, `<label>Name <input autofocus disabled oninput="o.textContent='Name '+this.value"></label><p id=o></p>
		<script>const i = document.querySelector('input')
		setTimeout(() => { i.disabled = false; i.focus() }, 400)</script>`)
	w.do("web_type", args{"text": "Ada"})
	w.do("web_verifyTextVisible", args{"text": "Name Ada"})
}
