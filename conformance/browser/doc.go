// Package browser opens the pages that apfsim writes in a real browser, and holds what only a
// browser can tell: that nothing is requested, that nothing is logged, that no page is wider than
// the screen, and that everything can be read, in light and dark, on a desk and on a phone.
//
// It is a module of its own, so that nobody else needs what drives the browser. Its tests run
// where there is a Chromium: in the path, or named by -chromium. Elsewhere none is run, and a line
// says so; with -require that is a fault.
//
//	cd conformance/browser && go test . -require
//	cd conformance/browser && go test . -screenshots /tmp/shots -scenarios elephants-and-mice
package browser
