// Package html writes results as one page: for a browser, a phone, a printer, or as an attachment
// to the review of an incident.
//
// # What the page promises
//
// It is one file that needs nothing else: no network, no font, no script of somebody else. Its
// Content-Security-Policy forbids all of these. It is there without its script, which only
// marks the place in the contents, changes the theme and copies the command. It is
// smaller than MaxSize, whatever the result: of what is too much, the page shows the beginning
// and says so.
//
// It is made of a result alone, so that a saved one gives the same bytes, and it says what the
// text report says, in the same words: its sentences and tables are reports.Outline. Names that
// users chose may hold anything; they are text and nothing else.
package html
