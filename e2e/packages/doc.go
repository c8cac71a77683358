// Package packages installs the packages of a release into empty places, as people do, and plays the first trail of the
// sample shop with each: `make packages`. The release is in the folder of the flag -dist; without the flag nothing is
// installed. With -all it also makes roots of Debian, builds from a module proxy, and makes the release a second time.
package packages
