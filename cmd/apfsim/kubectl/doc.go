// Package kubectl says which requests a kubectl command line sends to the API server: a
// "get" of a kind is a LIST in chunks of 500, an "apply" reads each object and then
// creates or patches it, a "delete" looks again whether the object has gone. It follows
// kubectl and cli-runtime 0.37, whose code is named where it decides.
//
// What kubectl sends to find out which resources exist is left out: it keeps the answers
// for hours, and they do not depend on the command.
package kubectl
