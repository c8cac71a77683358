package demo

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

// catalog is what the shop sells, in the order it is shown.
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
