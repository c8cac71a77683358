package demo

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/http"
	"strings"
)

// shopHandler routes the shop.
func (s *Shop) shopHandler() http.Handler {
	mux := http.NewServeMux()
	show := func(pattern, name, title string) {
		mux.HandleFunc("GET "+pattern, func(w http.ResponseWriter, _ *http.Request) {
			s.show(w, name, title, nil)
		})
	}
	show("/{$}", "home", "Everything for a slow weekend")
	show("/cart", "cart", "Your cart")
	show("/checkout", "checkout", "Checkout")
	show("/order", "order", "Thank you")
	show("/packing", "packing", "Packing list")
	show("/returns", "returns", "Returns")
	show("/account", "account", "Your account")
	show("/sizes", "sizes", "Size guide")
	show("/postcode", "postcode", "Postcode finder")
	show("/driver", "driver", "Acme Driver")
	mux.HandleFunc("GET /product/{slug}", func(w http.ResponseWriter, r *http.Request) {
		p, ok := findProduct(r.PathValue("slug"))
		if !ok {
			http.NotFound(w, r)
			return
		}
		s.show(w, "product", p.Name, p.values())
	})
	mux.HandleFunc("GET /api/products", listProducts)
	mux.HandleFunc("GET /api/reviews/{slug}", listReviews)
	mux.HandleFunc("GET /api/postcode", lookUpPostcode)
	mux.HandleFunc("POST /api/orders", placeOrder)
	mux.HandleFunc("POST /api/sign-in", signIn)
	mux.HandleFunc("GET /invoice/{number}", invoice)
	mux.Handle("GET /static/", static())
	mux.HandleFunc("GET /favicon.ico",
		func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	return mux
}

// bankHandler routes the bank: one payment form, made to be framed.
func (s *Shop) bankHandler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /pay", func(w http.ResponseWriter, _ *http.Request) {
		s.show(w, "bank", "Card details", nil)
	})
	mux.Handle("GET /static/", static())
	return mux
}

func reply(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

// listProducts answers a little late, as servers do.
func listProducts(w http.ResponseWriter, r *http.Request) {
	pause(r.Context(), listDelay)
	q := r.URL.Query()
	want, category := strings.ToLower(strings.TrimSpace(q.Get("q"))), q.Get("category")
	found := []product{}
	for _, p := range catalog {
		text := strings.ToLower(p.Name + " " + p.Category + " " + p.Blurb)
		if strings.Contains(text, want) && (category == "" || p.Category == category) &&
			(q.Get("stock") == "" || p.Stock > 0) {
			found = append(found, p)
		}
	}
	reply(w, http.StatusOK, found)
}

type review struct {
	Who   string `json:"who"`
	Stars int    `json:"stars"`
	Text  string `json:"text"`
}

func listReviews(w http.ResponseWriter, r *http.Request) {
	pause(r.Context(), reviewDelay)
	reply(w, http.StatusOK, []review{
		{"Ada", 5, "Went up a mountain with it. Came down with it. Five stars."},
		{"Linus", 4, "Does what it says. The bag it comes in is too small, but whose is not?"},
		{"Grace", 5, "My third one. The other two are still fine, I just wanted another colour."},
	})
}

func lookUpPostcode(w http.ResponseWriter, r *http.Request) {
	pause(r.Context(), listDelay)
	towns := map[string]string{"1000": "Lakeside", "2000": "Pinewood", "3000": "High Pass"}
	code := r.URL.Query().Get("code")
	town, ok := towns[code]
	if !ok {
		reply(w, http.StatusNotFound, map[string]string{"error": "We do not know the postcode " + code + "."})
		return
	}
	reply(w, http.StatusOK, map[string]string{"town": town})
}

// placeOrder gives equal orders equal numbers, so that a recording of one keeps holding.
func placeOrder(w http.ResponseWriter, r *http.Request) {
	pause(r.Context(), orderDelay)
	var order map[string]any
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<16)).Decode(&order); err != nil {
		reply(w, http.StatusBadRequest, map[string]string{"error": "That is not an order."})
		return
	}
	data, err := json.Marshal(order)
	if err != nil {
		reply(w, http.StatusBadRequest, map[string]string{"error": "That is not an order."})
		return
	}
	h := fnv.New32a()
	_, _ = h.Write(data)
	reply(w, http.StatusOK, map[string]string{"number": fmt.Sprintf("FW-%06d", h.Sum32()%1_000_000)})
}

// signIn knows one visitor. The password is no secret; typing it as one is the point of the trail.
func signIn(w http.ResponseWriter, r *http.Request) {
	pause(r.Context(), listDelay)
	var in struct{ Email, Password string }
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<12)).Decode(&in); err != nil ||
		in.Email != Email || in.Password != Password {
		reply(w, http.StatusUnauthorized, map[string]string{"error": "Email or password is wrong."})
		return
	}
	reply(w, http.StatusOK, map[string]string{"name": "Robin"})
}

func invoice(w http.ResponseWriter, r *http.Request) {
	number := r.PathValue("number")
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", "invoice-"+number+".txt"))
	_, _ = fmt.Fprintf(w, "Fernway Outfitters\n\nInvoice for order %s\nPaid by card. Thank you.\n", number)
}

// product is a thing on sale. Several share their kind and price on purpose.
type product struct {
	Slug     string   `json:"slug"`
	Name     string   `json:"name"`
	Category string   `json:"category"`
	Blurb    string   `json:"blurb"`
	Price    int      `json:"price"` // cents
	Art      string   `json:"art"`   // symbol in static/art.svg
	Hue      int      `json:"hue"`
	Stars    int      `json:"stars"`
	Stock    int      `json:"stock"`
	Sizes    []string `json:"sizes,omitempty"`
	Colours  []string `json:"colours,omitempty"`
}

// catalog lists the products of the shop, in the order it is shown.
var catalog = []product{
	{"ridge-tent", "Ridge Tent", "Shelter", "Two people, two doors, up in four minutes.", 24900, "tent", 150, 5, 6, nil,
		[]string{"Moss", "Clay"}},
	{"cirrus-tarp", "Cirrus Tarp", "Shelter", "A roof that folds into a coat pocket.", 8900, "tarp", 200, 4, 12, nil,
		[]string{"Moss", "Slate"}},
	{"juniper-pack", "Juniper Pack 40", "Packs", "Forty litres, one zip too few, on purpose.", 15900, "pack", 20, 5, 9,
		[]string{"S", "M", "L"}, []string{"Clay", "Slate"}},
	{"day-pack", "Sparrow Day Pack", "Packs", "For the long way round to the bakery.", 5900, "pack", 260, 4, 3, nil,
		[]string{"Moss", "Clay"}},
	{"fell-boots", "Fell Boots", "Footwear", "Resoleable. Bring them back in ten years.", 18900, "boot", 30, 4, 4,
		[]string{"38", "40", "42", "44"}, nil},
	{"cedar-mug", "Cedar Mug", "Kitchen", "Keeps tea warm and stories long.", 1900, "mug", 15, 5, 40, nil, nil},
	{"enamel-mug", "Enamel Mug", "Kitchen", "Chips nicely.", 1400, "mug", 210, 3, 40, nil, nil},
	{"firefly-lamp", "Firefly Lamp", "Light", "Eleven hours of warm light from one charge.", 3900, "lamp", 45, 5, 15,
		nil, nil},
	{"valley-map", "Valley Map 1:25 000", "Maps", "Waterproof, tearproof, argument-proof.", 1200, "map", 120, 4, 80,
		nil, nil},
	{"glacier-flask", "Glacier Flask", "Kitchen", "Sold out until the ice melts.", 2900, "flask", 190, 4, 0, nil, nil},
}

func findProduct(slug string) (product, bool) {
	for _, p := range catalog {
		if p.Slug == slug {
			return p, true
		}
	}
	return product{}, false
}
