// Package plots draws the charts of a result: as SVG, for pages that are light or dark, and as
// PNG, for whatever takes pictures.
//
// A chart is made from a result alone, so that a saved one gives the same pictures, and it
// keeps the figures that it shows as a table. The same chart gives the same bytes on every
// processor: coordinates are rounded, and nothing depends on the fonts of the machine.
//
// # What the pictures promise
//
// A level, population or reason has one colour in all charts of a result, and nothing is told
// by colour alone: lines differ in their dashes too, areas and bars in their hatching.
// Lines over time are steps, because a slice of the timeline has one value. Where there are
// more series than can be told apart, the largest are shown and the rest is "others".
package plots
