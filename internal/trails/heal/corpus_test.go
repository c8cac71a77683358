package heal_test

// drift is one way in which a page of the demo shop changes between a recording and a replay.
type drift struct {
	kind   string // text, id, place, wrapper, decoy, removal, replacement
	name   string
	page   string // of pages
	target string // CSS of the recorded element, before the change
	// script changes the page; t is the recorded element, q finds one, make makes one. The element that a person would
	// call the same afterwards is t as long as it is in the page, or what keep() was told; gone() says that there is none.
	script string
}

// pages are the pages of the corpus: an address, what to do before it loads, and what shows that it is there.
var pages = map[string]struct{ path, before, ready string }{
	"home":     {"/", "", "#products article:nth-child(10) button"},
	"product":  {"/product/juniper-pack", "", "#reviews blockquote"},
	"cart":     {"/cart", filledCart, "#lines li button"},
	"checkout": {"/checkout", filledCart, "#mini li"},
	"returns":  {"/returns", "", "#return button"},
	"account":  {"/account", "", "#sign-in button"},
	"inside":   {"/account", "sessionStorage.setItem('name', 'Robin')", "#inside:not([hidden])"},
	"packing":  {"/packing", "", "#log div"},
}

const filledCart = `localStorage.setItem('fernway-cart', JSON.stringify([
	{slug: 'fell-boots', name: 'Fell Boots', price: 18900, art: 'boot', hue: 30, count: 1, options: ''},
	{slug: 'enamel-mug', name: 'Enamel Mug', price: 1400, art: 'mug', hue: 210, count: 2, options: ''},
	{slug: 'valley-map', name: 'Valley Map', price: 1200, art: 'map', hue: 120, count: 1, options: ''}]))`

// The elements that the cases are about.
const (
	buyBoots     = "#products article:nth-child(5) button"
	buyMug       = "#products article:nth-child(6) button"
	search       = "input[name=q]"
	category     = "select[name=category]"
	inStock      = "input[name=stock]"
	cartLink     = ".cart-link"
	addToCart    = "#buy > button"
	sizeGuide    = "#buy a"
	sizeM        = "input[name=size][value=M]"
	yourWords    = "#review textarea"
	sendReview   = "#review button"
	removeBoots  = "#lines li:nth-child(1) button"
	removeMug    = "#lines li:nth-child(2) button"
	voucher      = "#voucher"
	goToCheckout = "#go"
	total        = "#total"
	fullName     = "input[name=name]"
	email        = "input[name=email]"
	phone        = "input[name=phone]"
	country      = "select[name=country]"
	town         = "input[name=town]"
	byBike       = "input[value=bike]"
	gift         = "input[name=gift]"
	terms        = "input[name=terms]"
	placeOrder   = "#order aside button"
	orderNumber  = "input[name=number]"
	sendIn       = "#return button"
	moneyBack    = "input[value=refund]"
	password     = "input[name=password]"
	signIn       = "#sign-in button"
	signOut      = "#sign-out"
	letters      = "#t-letters"
	water        = "#water"
	stove        = "#pack li:nth-child(3)"
	returnsLink  = "header nav a[href='/returns']"
	rope         = "#log div:nth-child(4) input"
)

var corpus = []drift{
	// Text: the same thing in other words.
	{"text", "basket for cart", "product", addToCart, `t.textContent = 'Add to basket'`},
	{"text", "basket for cart on a card", "home", buyBoots, `t.textContent = 'Add to basket'`},
	{"text", "basket for cart on all cards", "home", buyMug,
		`document.querySelectorAll('#products article button').forEach(b => b.textContent = 'Add to basket')`},
	{"text", "a word more", "checkout", placeOrder, `t.textContent = 'Place your order'`},
	{"text", "capitals and a mark", "checkout", placeOrder, `t.textContent = 'PLACE ORDER »'`},
	{"text", "log in for sign in", "account", signIn, `t.textContent = 'Log in'`},
	{"text", "log out for sign out", "inside", signOut, `t.textContent = 'Log out'`},
	{"text", "delete for remove", "cart", removeBoots, `document.querySelectorAll('#lines button').forEach(b => b.textContent = 'Delete')`},
	{"text", "one remove becomes delete", "cart", removeMug, `t.textContent = 'Delete'`},
	{"text", "proceed to checkout", "cart", goToCheckout, `t.textContent = 'Checkout'`},
	{"text", "redeem a voucher", "cart", voucher, `t.textContent = 'Use a voucher'`},
	{"text", "email address", "checkout", email, `label(t, 'Email address')`},
	{"text", "e-mail", "account", email, `label(t, 'E-mail')`},
	{"text", "your full name", "checkout", fullName, `label(t, 'Your full name')`},
	{"text", "telephone", "checkout", phone, `label(t, 'Telephone')`},
	{"text", "city for town", "checkout", town, `label(t, 'City')`},
	{"text", "submit review", "product", sendReview, `t.textContent = 'Submit review'`},
	{"text", "find for search", "home", search, `label(t, 'Find')`},
	{"text", "terms and conditions", "checkout", terms, `t.parentNode.lastChild.textContent = ' I have read the conditions'`},
	{"text", "another language, with its id", "cart", voucher, `t.textContent = 'Gutschein einlösen'`},
	{"text", "a rewritten hint", "returns", orderNumber, `t.placeholder = 'such as FW-123456'; label(t, 'Your order number')`},
	{"text", "a badge in the link", "home", returnsLink, `t.textContent = 'Returns!'`},

	// Id: what authors write for scripts changes; a person sees nothing of it.
	{"id", "another test id", "home", cartLink, `t.dataset.testid = 'basket-link'`},
	{"id", "no test id", "home", cartLink, `delete t.dataset.testid`},
	{"id", "another test id of the total", "cart", total, `t.dataset.testid = 'grand-total'`},
	{"id", "another id", "cart", voucher, `t.id = 'coupon-3f9a1c'`},
	{"id", "another id and words", "cart", voucher, `t.id = 'x1'; t.textContent = 'I have a coupon'`},
	{"id", "generated ids", "account", signIn, `t.closest('form').id = 'f-8a7b6c5d'`},
	{"id", "ids of tabs", "inside", letters, `t.id = 'tab-2'`},
	{"id", "test ids everywhere", "checkout", placeOrder, `document.querySelectorAll('button,input').forEach((e, i) => e.dataset.testid = 'ctl-' + i)`},
	{"id", "slider renamed", "packing", water, `t.id = 'litres'`},

	// Place: the same thing elsewhere.
	{"place", "the first of the page", "product", addToCart, `t.parentNode.prepend(t)`},
	{"place", "out of the summary", "checkout", placeOrder, `q('#order > div').append(t)`},
	{"place", "below the form", "returns", sendIn, `t.closest('form').append(make('p', 'We answer within a week.'), t)`},
	{"place", "cards in another order", "home", buyBoots, `const g = q('#products'); [...g.children].reverse().forEach(c => g.append(c))`},
	{"place", "lines in another order", "cart", removeMug, `const g = q('#lines'); [...g.children].reverse().forEach(c => g.append(c))`},
	{"place", "one more line above", "cart", removeBoots,
		`const c = copy(t.closest('li')); c.ariaLabel = 'Cedar Mug'; c.querySelector('b').textContent = 'Cedar Mug'; q('#lines').prepend(c)`},
	{"place", "navigation at the bottom", "home", cartLink, `q('footer').append(t.closest('nav'))`},
	{"place", "fields in another order", "checkout", email, `const p = t.closest('.two'); [...p.children].reverse().forEach(c => p.append(c))`},
	{"place", "voucher above the sums", "cart", voucher, `q('aside dl').before(t)`},
	{"place", "password first", "account", password, `t.closest('form').prepend(t.closest('label'))`},
	{"place", "tick above the list", "checkout", terms, `q('aside h2').before(t.closest('label'))`},
	{"place", "sorted packing list", "packing", stove,
		`const g = t.parentNode;
		[...g.children].sort((a, b) => a.textContent < b.textContent ? -1 : 1).forEach(c => g.append(c))`},

	// Wrapper: what holds it is built otherwise.
	{"wrapper", "two more divs", "product", addToCart, `wrap(wrap(t, 'div'), 'div')`},
	{"wrapper", "a section without a name", "checkout", placeOrder, `wrap(t, 'section')`},
	{"wrapper", "a toolbar", "cart", voucher, `wrap(t, 'div').setAttribute('role', 'toolbar')`},
	{"wrapper", "rows for list items", "cart", removeBoots, `wrap(t, 'span')`},
	{"wrapper", "a link for a button", "cart", voucher,
		`const a = make('a', t.textContent); a.href = '#voucher'; a.id = t.id; t.replaceWith(a); keep(a)`},
	{"wrapper", "a button for a link", "cart", goToCheckout, `const b = make('button', t.textContent); b.id = t.id; t.replaceWith(b); keep(b)`},
	{"wrapper", "a group with a name", "home", search,
		`const w = wrap(t.closest('label'), 'div'); w.setAttribute('role', 'group'); w.setAttribute('aria-label', 'Filters')`},
	{"wrapper", "another heading", "checkout", fullName, `q('#s-you').textContent = 'About you'`},
	{"wrapper", "another heading and words", "checkout", email, `q('#s-you').textContent = 'Contact'; label(t, 'E-mail')`},
	{"wrapper", "no landmarks", "returns", sendIn, `const d = make('div', ''); const m = q('main'); d.append(...m.childNodes); m.replaceWith(d)`},
	{"wrapper", "a form in place of a div", "inside", signOut, `wrap(t, 'form')`},
	{"wrapper", "an icon in the button", "account", signIn, `t.innerHTML = '<svg width="8" height="8" aria-hidden="true"></svg> Sign in'`},

	// Decoy: something that looks like it comes along; it is still there.
	{"decoy", "the same words in another product", "product", addToCart, `q('main').append(card('Ridge Tent', 'Add to cart'))`},
	{"decoy", "the same words above", "product", addToCart, `q('main').prepend(make('button', 'Add to cart')); t.textContent = 'Add to basket'`},
	{"decoy", "a second search", "home", search, `q('footer').append(field('Search', 'search')); label(t, 'Find')`},
	{"decoy", "a newsletter", "checkout", email, `q('footer').append(field('Email', 'email')); label(t, 'Email address')`},
	{"decoy", "its test id on another", "home", cartLink,
		`const a = make('a', 'Wish list'); a.href = '/wishes'; a.dataset.testid = 'cart-link'; t.before(a); t.dataset.testid = 'basket'`},
	{"decoy", "a banner", "checkout", placeOrder, `q('header').append(make('button', 'Place order')); t.textContent = 'Place your order'`},
	{"decoy", "a line of almost the same name", "cart", removeMug,
		`const c = copy(t.closest('li')); c.ariaLabel = 'Enamel Mug XL'; c.querySelector('b').textContent = 'Enamel Mug XL'; q('#lines').prepend(c)`},
	{"decoy", "delete all", "cart", removeBoots, `q('#lines').before(make('button', 'Remove all')); t.textContent = 'Delete'`},
	{"decoy", "another password", "account", password, `t.closest('form').append(field('Repeat password', 'password'))`},
	{"decoy", "sign up beside sign in", "account", signIn, `t.before(make('button', 'Sign up')); t.textContent = 'Log in'`},

	// Removal: it is gone, and what is like it must not be taken.
	{"removal", "sold out of the page", "product", addToCart, `t.remove(); gone()`},
	{"removal", "with a decoy elsewhere", "product", addToCart, `t.remove(); q('main').append(card('Ridge Tent', 'Add to cart')); gone()`},
	{"removal", "with the same words in the header", "checkout", placeOrder, `t.remove(); q('header').append(make('button', 'Place order')); gone()`},
	{"removal", "a card among cards", "home", buyBoots, `t.closest('article').remove(); gone()`},
	{"removal", "the button of a card", "home", buyMug, `t.remove(); gone()`},
	{"removal", "a line of the cart", "cart", removeMug, `t.closest('li').remove(); gone()`},
	{"removal", "a line, and the others renamed", "cart", removeMug,
		`t.closest('li').remove(); document.querySelectorAll('#lines button').forEach(b => b.textContent = 'Delete'); gone()`},
	{"removal", "all other lines", "cart", removeBoots, `[...document.querySelectorAll('#lines li')].slice(0, 2).forEach(l => l.remove()); gone()`},
	{"removal", "a field", "checkout", phone, `t.closest('label').remove(); gone()`},
	{"removal", "the voucher", "cart", voucher, `t.remove(); gone()`},
	{"removal", "a choice", "product", sizeM, `t.closest('label').remove(); gone()`},
	{"removal", "the size guide", "product", sizeGuide, `t.remove(); gone()`},
	{"removal", "the link to the cart", "home", cartLink, `t.remove(); gone()`},
	{"removal", "the search", "home", search, `t.closest('label').remove(); gone()`},
	{"removal", "a choice of delivery", "checkout", byBike, `t.closest('label').remove(); gone()`},
	{"removal", "the password", "account", password, `t.closest('label').remove(); gone()`},
	{"removal", "the sum", "cart", total, `t.previousElementSibling.remove(); t.remove(); gone()`},
	{"removal", "an entry of a list", "packing", stove, `t.remove(); gone()`},
	{"removal", "a tick of a list", "packing", rope, `t.closest('div').remove(); gone()`},
	{"removal", "the email, with a newsletter left", "checkout", email,
		`t.closest('label').remove(); q('footer').append(field('Email', 'email')); gone()`},

	// Replacement: something else stands in its place, even under its id.
	{"replacement", "tell me when", "product", addToCart, `t.textContent = 'Tell me when it is back'; gone()`},
	{"replacement", "remove from cart", "product", addToCart, `t.textContent = 'Remove from cart'; gone()`},
	{"replacement", "add to wish list", "product", addToCart, `t.textContent = 'Add to wish list'; gone()`},
	{"replacement", "cancel order", "checkout", placeOrder, `t.textContent = 'Cancel order'; gone()`},
	{"replacement", "save draft", "checkout", placeOrder, `t.textContent = 'Save draft'; gone()`},
	{"replacement", "sign up", "account", signIn, `t.textContent = 'Sign up'; gone()`},
	{"replacement", "delete account", "inside", signOut, `t.textContent = 'Delete account'; gone()`},
	{"replacement", "its id on its opposite", "cart", voucher, `t.textContent = 'Remove the voucher'; gone()`},
	{"replacement", "not any more", "checkout", gift, `t.parentNode.lastChild.textContent = ' This is not a gift'; gone()`},
	{"replacement", "another card in its place", "home", buyBoots,
		`const a = t.closest('article'); a.querySelector('a').textContent = 'Sea Kayak'; gone()`},
	{"replacement", "another line in its place", "cart", removeMug,
		`const l = t.closest('li'); l.ariaLabel = 'Sea Kayak'; l.querySelector('b').textContent = 'Sea Kayak'; gone()`},
	{"replacement", "street for town", "checkout", town, `label(t, 'Street'); gone()`},
	{"replacement", "company for name", "checkout", fullName, `label(t, 'Company'); gone()`},
	{"replacement", "a repair for money", "returns", moneyBack, `t.parentNode.querySelector('b').textContent = 'A voucher'; gone()`},
	{"replacement", "empty the cart", "cart", goToCheckout, `t.textContent = 'Empty the cart'; t.href = '/cart?empty'; gone()`},
	{"replacement", "a sum before tax", "cart", total,
		`t.previousElementSibling.textContent = 'Before tax'; t.id = 'net'; t.dataset.testid = 'net'; gone()`},
	{"replacement", "another language of data", "checkout", country, `label(t, 'Language'); gone()`},
	{"replacement", "weight for water", "packing", water, `t.id = 'weight-limit'; label(t, 'Weight limit'); gone()`},
}

// prelude is what the scripts are written in.
const prelude = `
const q = s => document.querySelector(s), all = (s, n) => document.querySelectorAll(s)[n];
const make = (tag, text) => Object.assign(document.createElement(tag), {textContent: text});
const keep = e => { t.removeAttribute('data-truth'); e.setAttribute('data-truth', ''); };
const gone = () => document.querySelectorAll('[data-truth]').forEach(e => e.removeAttribute('data-truth'));
const label = (f, text) => { f.closest('label').querySelector('span').textContent = text; };
const copy = e => { const c = e.cloneNode(true);
	c.querySelectorAll('[data-truth]').forEach(x => x.removeAttribute('data-truth')); return c; };
const wrap = (e, tag) => { const w = document.createElement(tag); e.replaceWith(w); w.append(e); return w; };
const field = (text, type) => { const l = make('label', ''); 
	l.append(make('span', text), Object.assign(document.createElement('input'), {type})); return l; };
const card = (title, button) => { const a = make('article', ''); a.setAttribute('aria-label', title);
	a.append(make('h3', title), make('button', button)); return a; };
`
