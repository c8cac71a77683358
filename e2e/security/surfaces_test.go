package security

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"image"
	_ "image/png"
	"strings"
	"testing"
)

// TestSurfacesThatCannotBeRead: in a session with secrets a picture shows no canvas that a worker or WebGL draws on,
// none with bare pixels, and no video, and the reply says so; a drawing in 2D that shows no secret stays.
func TestSurfacesThatCannotBeRead(t *testing.T) {
	const doc = `<!doctype html><body style="margin:0"><style>canvas,video{display:block;width:200px;height:40px}</style>
<canvas id=chart width=200 height=40></canvas><canvas id=worker width=200 height=40></canvas><canvas id=gl width=200 height=40></canvas>
<canvas id=pixels width=200 height=40></canvas><canvas id=pattern width=200 height=40></canvas><canvas id=bitmap width=200 height=40></canvas>
<canvas id=copy width=200 height=40></canvas><video id=film muted autoplay playsinline></video><p id=said>wait</p>
<script type=module>
const at = (id) => document.getElementById(id), paint = (p, text) => { p.fillStyle = "red"; p.font = "30px monospace"; p.fillText(text, 0, 30); };
const spare = () => Object.assign(document.createElement("canvas"), {width: 200, height: 40});
paint(at("chart").getContext("2d"), "chart");
const hidden = spare(), pen = hidden.getContext("2d", {willReadFrequently: true}); paint(pen, SECRET);
const work = new Worker(URL.createObjectURL(new Blob(["onmessage=(e)=>{const p=e.data.getContext('2d');p.fillStyle='red';" +
"p.font='30px monospace';p.fillText(" + JSON.stringify(SECRET) + ",0,30);requestAnimationFrame(()=>postMessage(1))}"])));
const drawn = new Promise((done) => { work.onmessage = done; });
const off = at("worker").transferControlToOffscreen(); work.postMessage(off, [off]);
const g = at("gl").getContext("webgl", {preserveDrawingBuffer: true}) ?? (() => { throw "no WebGL" })();
const shade = (type, text) => { const s = g.createShader(type); g.shaderSource(s, text); g.compileShader(s); return s; };
const prog = g.createProgram(); g.attachShader(prog, shade(g.VERTEX_SHADER,
"attribute vec2 p;varying vec2 v;void main(){v=vec2(p.x,1.-p.y);gl_Position=vec4(p*2.-1.,0,1);}"));
g.attachShader(prog, shade(g.FRAGMENT_SHADER, "precision mediump float;varying vec2 v;uniform sampler2D t;void main(){gl_FragColor=texture2D(t,v);}"));
g.linkProgram(prog); g.useProgram(prog); g.bindBuffer(g.ARRAY_BUFFER, g.createBuffer()); g.bufferData(g.ARRAY_BUFFER,
new Float32Array([0,0,1,0,0,1,1,1]), g.STATIC_DRAW);
g.enableVertexAttribArray(0); g.vertexAttribPointer(0, 2, g.FLOAT, false, 0, 0); g.bindTexture(g.TEXTURE_2D, g.createTexture());
g.texImage2D(g.TEXTURE_2D, 0, g.RGBA, g.RGBA, g.UNSIGNED_BYTE, hidden);
for (const f of [g.TEXTURE_MIN_FILTER, g.TEXTURE_MAG_FILTER]) g.texParameteri(g.TEXTURE_2D, f, g.NEAREST);
for (const f of [g.TEXTURE_WRAP_S, g.TEXTURE_WRAP_T]) g.texParameteri(g.TEXTURE_2D, f, g.CLAMP_TO_EDGE);
g.drawArrays(g.TRIANGLE_STRIP, 0, 4);
at("pixels").getContext("2d").putImageData(pen.getImageData(0, 0, 200, 40), 0, 0);
const p = at("pattern").getContext("2d"); p.fillStyle = p.createPattern(hidden, "repeat"); p.fillRect(0, 0, 200, 40);
at("bitmap").getContext("bitmaprenderer").transferFromImageBitmap(await createImageBitmap(hidden));
at("copy").getContext("2d").drawImage(at("gl"), 0, 0);
const film = at("film"); film.srcObject = hidden.captureStream(5); setInterval(() => paint(pen, SECRET), 100);
await film.play(); await new Promise((f) => film.requestVideoFrameCallback(f)); await drawn;
at("said").textContent = "ready";
</script>`
	rows := []string{"chart", "worker", "gl", "pixels", "pattern", "bitmap", "copy", "film"}
	url := served(t, strings.ReplaceAll(doc, "SECRET", `"hunter2x"`))
	for _, secret := range []bool{false, true} {
		var env []string
		if secret {
			env = []string{"TRAILBLAZE_SECRET_word=hunter2x"}
		}
		h := newHouse(t, env...)
		h.Start()
		h.must("web_navigate", map[string]any{"url": url})
		h.must("assertVisibleWithText", map[string]any{"text": "ready"})
		a := h.must("getScreenshot", map[string]any{"format": "png"})
		pic := pictureOf(t, a)
		for i, name := range rows {
			red := 0
			for y := 40 * i; y < 40*i+40; y++ {
				for x := range 200 {
					if r, g, b, _ := pic.At(x, y).RGBA(); r > 0x8000 && g < 0x7000 && b < 0x7000 {
						red++
					}
				}
			}
			if shown := red > 20; shown != (!secret || name == "chart") {
				t.Errorf("with a secret: %v, %s shows: %v", secret, name, shown)
			}
		}
		if said := strings.Contains(a.text(), "Painted over: 6 "); said != secret {
			t.Errorf("with a secret: %v, the reply says: %s", secret, a.text())
		}
	}
}

func pictureOf(t *testing.T, a answer) image.Image {
	t.Helper()
	var reply struct {
		Result struct {
			Content []struct {
				Type string
				Data string
			}
		}
	}
	if err := json.Unmarshal([]byte(a.raw), &reply); err != nil {
		t.Fatal(err)
	}
	for _, c := range reply.Result.Content {
		if c.Type != "image" {
			continue
		}
		data, err := base64.StdEncoding.DecodeString(c.Data)
		if err != nil {
			t.Fatal(err)
		}
		pic, _, err := image.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		return pic
	}
	t.Fatalf("no picture: %.300s", a.raw)
	return nil
}
