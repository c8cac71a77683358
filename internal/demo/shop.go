package demo

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"html/template"
	"net/http"
	"strings"
)

// page is what a template gets.
type page struct {
	Title    string
	Current  string
	Bank     string
	Origin   string
	Product  *product
	Products []product
}

// shopHandler routes the shop.
func (s *Shop) shopHandler(pages *template.Template) http.Handler {
	mux := http.NewServeMux()
	show := func(pattern, name, title string) {
		mux.HandleFunc("GET "+pattern, func(w http.ResponseWriter, _ *http.Request) {
			s.render(w, pages, name, page{Title: title, Current: name})
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
	mux.HandleFunc("GET /product/{slug}", func(w http.ResponseWriter, r *http.Request) {
		p, ok := findProduct(r.PathValue("slug"))
		if !ok {
			http.NotFound(w, r)
			return
		}
		s.render(w, pages, "product", page{Title: p.Name, Current: "product", Product: &p})
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
func (s *Shop) bankHandler(pages *template.Template) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /pay", func(w http.ResponseWriter, _ *http.Request) {
		s.render(w, pages, "bank", page{Title: "Card details", Origin: s.URL})
	})
	mux.Handle("GET /static/", static())
	return mux
}

func (s *Shop) render(w http.ResponseWriter, pages *template.Template, name string, p page) {
	p.Bank = s.Bank
	var b strings.Builder
	if err := pages.ExecuteTemplate(&b, name+".html", p); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write([]byte(b.String()))
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
