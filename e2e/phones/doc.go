// Package phones drives a real app on the phone kit with the built product: flows are recorded live over MCP, saved,
// and replayed on the phone as it is, changed without harm, and broken. What the app shows is read with adb's own
// uiautomator, not with our driver. It needs Java and adb (`make phone`); it is for tests only.
package phones
