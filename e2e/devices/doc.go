// Package devices tests that all doors to the product reserve a phone with the same outcome and the same words. It
// measures the built binary on many devices: trails on several browsers at once beside one, a call on a reserved
// device beside one on a shared device, and the memory of one process that plays on fifty phones. The phones are
// stand-ins on the wire of adb; they cost the measured process what phones would.
package devices
