// Package driver defines devices: five methods every driver has (Device), the closed set of things one can do to it
// (Action), the changes by doing it (Effect), and optional capabilities found with As.
//
// Tools and the session hold Devices; packages under internal/drivers implement them and pass the drivertest suite.
//
//	if nav, ok := driver.As[driver.Navigator](dev); ok {
//		effect, err := nav.Navigate(ctx, driver.Navigation{URL: "https://example.test"})
//	}
package driver
