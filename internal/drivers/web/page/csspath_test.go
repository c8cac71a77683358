package page

import "testing"

func TestStable(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]bool{
		"login": true, "save-button": true, "user_name": true, "item2": true, "step-12": true, "Menu.main": true,
		":r1a:": false, "radix-:r3:": false, "mui-123": false, "input-839204": false, "a94a8fe5ccb19ba6": false, "ember42": false,
		"headlessui-menu-button-3": false, "x-9f86d081-884c": false,
	} {
		if got := stable(id); got != want {
			t.Errorf("stable(%q) = %v, want %v", id, got, want)
		}
	}
}
