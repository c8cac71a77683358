package extern_test

func (f *fixture) addOdd() {}
