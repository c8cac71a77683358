package phones

import "strings"

// flow is something a person does on an app, and what the app must show at its end.
type flow struct {
	name  string
	at    string   // activity that it begins at; the name of an app of ours and what that has stored
	does  []string // calls: tool, then name=value, separated by |
	truth []string
}

const (
	shop   = "dev.trailblaze.shop"
	wishes = "dev.trailblaze.wishes"
	sample = "xyz.block.trailblaze.examples.sampleapp"
)

// others are apps of other makers: the file in the folder of -others, and the activity that flows begin at. They begin without
// data, so the flows launch them anew.
var others = map[string]struct{ file, activity string }{
	"polite":     {"com.politedroid_6.apk", "com.politedroid/.Preferences"},
	"selendroid": {"selendroid-test-app.apk", "io.selendroid.testapp/.HomeScreenActivity"},
	"cafe":       {"DroidCafe9.apk", "com.example.android.droidcafe/.MainActivity"},
	"chat":       {"UIBestPractice.apk", "eason.uibestpractice/.MainActivity"},
	"drawer":     {"dynolister.apk", "io.github.ylimit.benchapp/.MainActivity"},
}

// ours are the activities of our apps that flows begin at.
var ours = map[string]string{"shop": shop + "/.SignIn", "wishes": wishes + "/.Wishes", "sample": sample + "/.SampleAppActivity"}

// component is the activity that the flow begins at, and what the app has stored by then, when it is ours.
func (f flow) component() (activity, stored string, own bool) {
	for name, activity := range ours {
		if stored, own := strings.CutPrefix(f.at, name); own {
			return activity, stored, true
		}
	}
	return app + "/" + f.at, "", false
}

func (f flow) calls() (out [][]string) {
	activity, _, _ := f.component()
	mode := "RESUME"
	if o, other := others[f.at]; other {
		activity, mode = o.activity, "REINSTALL"
	}
	out = append(out, []string{"launchApp", "appId=" + activity, "launchMode=" + mode})
	for _, d := range f.does {
		out = append(out, strings.Split(d, "|"))
	}
	return out
}

var flows = []flow{
	{"other settings", "polite", []string{"tap|text=Phone vibrate"}, []string{"!checkbox+"}},
	{"other registration", "selendroid", []string{"tap|text=startUserRegistrationCD", "tap|id=inputUsername", "inputText|text=ada_l",
		"tap|id=inputEmail", "inputText|text=ada@example.com", "tap|id=input_preferedProgrammingLanguage", "tap|text=Java",
		"tap|id=input_adds", "tap|id=btnRegisterUser"}, []string{"'ada_l'", "'ada@example.com'", "'Java'", "'true'"}},
	{"other popup", "selendroid", []string{"tap|text=DISPLAY POPUP WINDOW", "tap|text=DISMISS"}, []string{"!'DISMISS'", "'DISPLAY POPUP WINDOW'"}},
	{"other wait", "selendroid", []string{"tap|text=SHOW PROGRESS BAR FOR A WHILE", "assertVisible|text=Welcome to register a new User|timeoutMs=20000"},
		[]string{"'Welcome to register a new User'"}},
	{"other order", "cafe", []string{"tap|text=Donuts are glazed and sprinkled with candy.", "tap|id=fab", "assertVisible|text=SUBMIT"}, []string{"'SUBMIT'"}},
	{"other chat", "chat", []string{"tap|text=Type something here", "inputText|text=How are you?", "tap|text=SEND", "assertVisible|text=How are you?"},
		[]string{"'How are you?'"}},
	{"other drawer", "drawer", []string{"tap|text=Open navigation drawer", "tap|text=Gallery", "assertVisible|text=This is gallery Fragment"},
		[]string{"'This is gallery Fragment'"}},
	{"type", ".view.Controls1", []string{"tap|id=edit", "inputText|text=Hello World"}, []string{"edit=Hello World"}},
	{"retype", ".view.Controls1", []string{"tap|id=edit", "inputText|text=wrong", "clearText", "inputText|text=right 1"},
		[]string{"edit=right 1"}},
	{"umlauts", ".view.Controls1", []string{"tap|id=edit", "inputText|text=Größe 漢字"}, []string{"edit=Größe 漢字"}},
	{"boxes", ".view.Controls1", []string{"tap|text=Checkbox 1", "tap|id=check2"}, []string{"check1+", "check2+"}},
	{"radio", ".view.Controls1", []string{"tap|text=RadioButton 1", "tap|text=RadioButton 2"},
		[]string{"radio2+", "radio1-"}},
	{"star", ".view.Controls1", []string{"tap|text=Star"}, []string{"star+"}},
	{"toggles", ".view.Controls1", []string{"tap|id=toggle1", "tap|id=toggle2"}, []string{"toggle1+", "toggle2+"}},
	{"planet", ".view.Controls1", []string{"tap|id=spinner1", "tap|text=Mars"}, []string{"spinner1=Mars"}},
	{"colour", ".view.Spinner1", []string{"tap|id=spinner1", "tap|text=blue"}, []string{"spinner1=blue"}},
	{"last planet", ".view.Spinner1", []string{"tap|id=spinner2", "tap|text=Pluto"}, []string{"spinner2=Pluto"}},
	{"one genre", ".view.List10", []string{"tap|text=Comedy", "tap|text=Drama"}, []string{"Drama:+", "Comedy:-"}},
	{"genres", ".view.List11", []string{"tap|text=Drama", "tap|text=History"},
		[]string{"Drama:+", "History:+", "Action:-"}},
	{"far row", ".view.List1", []string{"scrollUntilTextIsVisible|text=Camembert de Normandie"},
		[]string{"'Camembert de Normandie'", "!'Abertam'"}},
	{"message", ".app.AlertDialogSamples", []string{"tap|text=OK Cancel dialog with a message", "tap|text=OK"},
		[]string{"@.app.AlertDialogSamples", "'List dialog'", "!'Cancel'"}},
	{"command", ".app.AlertDialogSamples", []string{"tap|text=List dialog", "tap|text=Command two",
		"assertVisible|text=You selected: 1 , Command two"}, []string{"'You selected: 1 , Command two'"}},
	{"map", ".app.AlertDialogSamples", []string{"tap|text=Single choice list", "tap|text=Satellite"},
		[]string{"Satellite:+", "Map:-"}},
	{"alarm", ".app.AlertDialogSamples", []string{"tap|text=Repeat alarm", "tap|text=Every Wednesday"},
		[]string{"Every Wednesday:+"}},
	{"sign in", ".app.AlertDialogSamples", []string{"tap|text=Text Entry dialog", "tap|id=username_edit", "inputText|text=ann",
		"tap|id=password_edit", "inputText|text=hunter2"}, []string{"username_edit=ann", "password_edit=•••••••"}},
	{"meal", ".view.RadioGroup1", []string{"tap|text=Dinner"}, []string{"Dinner:+", "Lunch:-"}},
	{"no meal", ".view.RadioGroup1", []string{"tap|text=Clear"}, []string{"Lunch:-", "'You have selected: (none)'"}},
	{"dogs", ".view.ExpandableList1", []string{"tap|text=Dog Names", "assertVisible|text=Bandit"},
		[]string{"'Bandit'", "!'Fluffy'"}},
	{"switch", ".view.Switches", []string{"tap|text=Monitored switch"}, []string{"monitored_switch+"}},
	{"next", ".view.TextSwitcher1", []string{"tap|text=Next", "tap|text=Next", "tap|text=Next"}, []string{"'3'"}},
	{"invisible", ".view.Visibility1", []string{"tap|text=Invis"}, []string{"!'View B'", "'View A'"}},
	{"visible again", ".view.Visibility1", []string{"tap|text=Gone", "tap|text=Vis"}, []string{"'View B'"}},
	{"result", ".app.ReceiveResult", []string{"tap|text=Get Result", "tap|text=Corky"},
		[]string{"results=(okay -1) Corky!"}},
	{"forward", ".app.Forwarding", []string{"tap|text=Go"}, []string{"@.app.ForwardTarget"}},
	{"menu", ".app.FragmentContextMenu", []string{"longPress|text=Long press me", "assertVisible|text=Menu A"},
		[]string{"'Menu A'", "'Menu B'"}},
	{"stack", ".app.FragmentStack", []string{"tap|text=Push", "tap|text=Push", "tap|text=Pop"},
		[]string{"text=Fragment #2"}},
	{"far button", ".view.ScrollView2", []string{"scrollUntilTextIsVisible|text=BUTTON 40", "assertVisible|text=BUTTON 40"},
		[]string{"'BUTTON 40'"}},
	{"country", ".view.AutoComplete1", []string{"tap|id=edit", "inputText|text=Bul", "tap|text=Bulgaria",
		"assertVisible|text=Bulgaria"},
		[]string{"edit=Bulgaria"}},
	{"walk", ".ApiDemos", []string{"tap|text=Views", "scrollUntilTextIsVisible|text=Switches", "tap|text=Switches"},
		[]string{"@.view.Switches"}},
	{"back", ".ApiDemos", []string{"tap|text=App", "tap|text=Activity", "pressBack"},
		[]string{"'Alarm'", "!'Hello World'"}},
	{"title", ".app.CustomTitle", []string{"tap|id=left_text_edit", "clearText", "inputText|text=Port", "tap|text=Change Left"},
		[]string{"left_text=Port"}},
	{"tab", ".app.ActionBarTabs", []string{"tap|text=Toggle tab mode", "tap|text=Add new tab"}, []string{"'TAB 0'"}},
	{"button", ".view.Buttons1", []string{"tap|text=Toggle"}, []string{"button_toggle+"}},
	{"list setting", ".preference.PreferencesFromXml", []string{"tap|text=List preference", "tap|text=Beta Option 02",
		"assertNotVisibleWithText|text=Gamma Option 03"},
		[]string{"!'Gamma Option 03'", "'List preference'"}},
	{"shop sign in", `shop`, []string{"tap|id=user", "inputText|text=ada", "tap|id=password", "inputText|text=trail",
		"tap|id=sign_in"}, []string{`{"user":"ada"}`, "'Compass Light'"}},
	{"shop wrong password", `shop`, []string{"tap|id=user", "inputText|text=ada", "tap|id=password", "inputText|text=trial",
		"tap|id=sign_in", "assertVisible|text=Wrong user name or password"},
		[]string{"{}", "problem=Wrong user name or password"}},
	{"shop add", `shop{"user":"ada"}`, []string{"tap|text=Compass Light", "tap|id=add_to_cart"},
		[]string{`{"user":"ada","cart":{"Compass Light":1}}`}},
	{"shop three", `shop{"user":"ada"}`, []string{"tap|text=Boots Pro", "tap|id=quantity", "tap|text=3", "tap|id=add_to_cart"},
		[]string{`{"user":"ada","cart":{"Boots Pro":3}}`}},
	{"shop far", `shop{"user":"ada"}`, []string{"scrollUntilTextIsVisible|text=Stove Classic", "tap|text=Stove Classic", "tap|id=add_to_cart"},
		[]string{`{"user":"ada","cart":{"Stove Classic":1}}`}},
	{"shop clear", `shop{"user":"ada","cart":{"Rope Mini":2}}`, []string{"tap|text=CART (2)", "tap|id=clear", "tap|text=REMOVE"},
		[]string{`{"user":"ada","cart":{}}`, "total=The cart is empty"}},
	{"shop keep", `shop{"user":"ada","cart":{"Rope Mini":2}}`, []string{"tap|text=CART (2)", "tap|id=clear", "tap|text=CANCEL"},
		[]string{`{"user":"ada","cart":{"Rope Mini":2}}`, "total=Total: 72.50 €"}},
	{"shop order", `shop{"user":"ada","cart":{"Map Mini":1}}`, []string{"tap|text=CART (1)", "tap|id=checkout", "tap|id=name", "inputText|text=Ada Lovelace",
		"tap|id=street", "inputText|text=12 St James Square", "tap|id=city", "inputText|text=London",
		"tap|id=place_order", "tap|text=CONFIRM"},
		[]string{`{"user":"ada","cart":{},"orders":[{"items":{"Map Mini":1},"cents":3000,"name":"Ada Lovelace",` +
			`"street":"12 St James Square","city":"London","country":0,"express":false,"gift":false}]}`}},
	{"shop gift", `shop{"user":"ada","cart":{"Map Mini":1}}`, []string{"tap|text=CART (1)", "tap|id=checkout", "tap|id=name", "inputText|text=Gödel",
		"tap|id=street", "inputText|text=1 Ring", "tap|id=city", "inputText|text=Wien", "tap|id=country", "tap|text=Germany",
		"tap|id=express", "tap|id=gift", "tap|id=place_order", "tap|text=CONFIRM"},
		[]string{`{"user":"ada","cart":{},"orders":[{"items":{"Map Mini":1},"cents":3000,"name":"Gödel",` +
			`"street":"1 Ring","city":"Wien","country":2,"express":true,"gift":true}]}`}},
	{"shop no order", `shop{"user":"ada","cart":{"Map Mini":1}}`, []string{"tap|text=CART (1)", "tap|id=checkout", "tap|id=name", "inputText|text=Ada",
		"tap|id=place_order"},
		[]string{`{"user":"ada","cart":{"Map Mini":1}}`, "name=Ada"}},
	{"shop allow", `shop{"user":"ada","cart":{"Map Mini":1}}`, []string{"tap|text=CART (1)", "tap|id=checkout", "tap|id=locate", "tap|text=ALLOW"},
		[]string{`{"user":"ada","cart":{"Map Mini":1},"location":true}`}},
	{"shop refuse", `shop{"user":"ada","cart":{"Map Mini":1}}`, []string{"tap|text=CART (1)", "tap|id=checkout", "tap|id=locate", "tap|text=DON'T ALLOW"},
		[]string{`{"user":"ada","cart":{"Map Mini":1},"location":false}`}},
	{"wishes far", `wishes`, []string{"scrollUntilTextIsVisible|text=Stove Classic", "tap|text=Stove Classic"},
		[]string{`{"wishes":["Stove Classic"],"note":""}`}},
	{"wishes undone", `wishes`, []string{"tap|text=Boots Large", "tap|text=UNDO"}, []string{`{"wishes":[],"note":""}`}},
	{"wishes cleared", `wishes{"wishes":["Boots Pro"],"note":""}`, []string{"tap|text=CLEAR WISHES", "tap|text=REMOVE"},
		[]string{`{"wishes":[],"note":""}`}},
	{"sample held", `sample`, []string{"tap|text=Tap Me", "longPress|text=Long Press Me", "tap|text=Copy"}, []string{"'Tap Count: 1'", "!'Copy'"}},
	{"wishes noted", `wishes{"wishes":["Boots Pro"],"note":""}`, []string{"tap|id=note", "inputText|text=for Ada", "tap|id=save_note"},
		[]string{`{"wishes":["Boots Pro"],"note":"for Ada"}`}},
	{"shop sign out", `shop{"user":"ada","cart":{"Map Mini":1}}`, []string{"tap|text=More options", "tap|text=Sign out"},
		[]string{`{"cart":{"Map Mini":1}}`, "!'More options'"}},
}
