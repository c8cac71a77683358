package demo_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/ground/demo"
)

func TestPagesAreServed(t *testing.T) {
	shop, err := demo.Serve(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = shop.Close() }()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	tests := []struct {
		url    string
		status int
		want   string
	}{
		{shop.URL + "/", 200, "Everything for a slow weekend"},
		{shop.URL + "/product/juniper-pack", 200, "qty-stepper"},
		{shop.URL + "/product/nothing", 404, ""},
		{shop.URL + "/cart", 200, "I have a voucher"},
		{shop.URL + "/checkout", 200, shop.Bank + "/pay"},
		{shop.URL + "/order", 200, "Download invoice"},
		{shop.URL + "/packing", 200, "Rain jacket"},
		{shop.URL + "/returns", 200, "Choose a photo"},
		{shop.URL + "/account", 200, "Password"},
		{shop.URL + "/sizes", 200, "Back length"},
		{shop.URL + "/postcode", 200, "Find town"},
		{shop.URL + "/api/products?q=mug&stock=1", 200, "Cedar Mug"},
		{shop.URL + "/api/postcode?code=9", 404, "do not know"},
		{shop.URL + "/invoice/FW-000001", 200, "FW-000001"},
		{shop.URL + "/static/shop.js", 200, "toast"},
		{shop.Bank + "/pay", 200, shop.URL},
		{shop.Bank + "/cart", 404, ""},
	}
	for _, tt := range tests {
		t.Run(strings.TrimPrefix(tt.url, "http://"), func(t *testing.T) {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, tt.url, nil)
			if err != nil {
				t.Fatal(err)
			}
			res, err := client.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = res.Body.Close() }()
			body, err := io.ReadAll(res.Body)
			if err != nil {
				t.Fatal(err)
			}
			if res.StatusCode != tt.status || !strings.Contains(string(body), tt.want) {
				t.Errorf("GET %s = %d %.300s, want %d with %q", tt.url, res.StatusCode, body, tt.status, tt.want)
			}
		})
	}
}
