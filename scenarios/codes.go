package scenarios

// Code names a kind of fault. Codes are stable: a code is never used for another
// kind of fault, and a retired one is not used again. SC codes are about scenario
// files and about YAML, FC codes about flow control objects.
type Code string

// The codes.
const (
	CodeUnreadable    Code = "SC001"
	CodeEncoding      Code = "SC002"
	CodeSyntax        Code = "SC003"
	CodeTemplate      Code = "SC004"
	CodeEmpty         Code = "SC005"
	CodeSeveral       Code = "SC006"
	CodeDuplicateKey  Code = "SC007"
	CodeAlias         Code = "SC008"
	CodeNesting       Code = "SC009"
	CodeUnknownField  Code = "SC010"
	CodeWrongType     Code = "SC011"
	CodeMissing       Code = "SC012"
	CodeNotLegal      Code = "SC013"
	CodeOutOfRange    Code = "SC014"
	CodeExactlyOne    Code = "SC015"
	CodeExcludes      Code = "SC016"
	CodeUnsupported   Code = "SC017"
	CodeNotScenario   Code = "SC018"
	CodeSameName      Code = "SC019"
	CodeTrace         Code = "SC020"
	CodeReference     Code = "SC021"
	CodeNoEffect      Code = "SC022"
	CodeUncounted     Code = "SC023"
	CodeIdleOperation Code = "SC024"
	CodeNoServer      Code = "SC025"
	CodeCallCycle     Code = "SC026"
	CodeTooMuchMemory Code = "SC027"
	CodeNeverAdmitted Code = "SC028"
	CodeUnboundedRate Code = "SC029"
	CodeDump          Code = "SC030"

	CodeNotObject    Code = "FC001"
	CodeVersion      Code = "FC002"
	CodeForeign      Code = "FC003"
	CodeInvalid      Code = "FC004"
	CodeMandatory    Code = "FC005"
	CodeSameObject   Code = "FC006"
	CodeDangling     Code = "FC007"
	CodeRestored     Code = "FC008"
	CodeEmptyFolder  Code = "FC009"
	CodeRenamedField Code = "FC010"
	CodeNotServed    Code = "FC011"
	CodeNewField     Code = "FC012"
	CodeDeleted      Code = "FC013"
	CodeNotKept      Code = "FC014"
	CodeRecreated    Code = "FC015"
)

// Explanation says what a code means, in one sentence.
type Explanation struct {
	Code Code
	Text string
}

// Explanations returns all codes with their meaning, in order of code.
func Explanations() []Explanation {
	return []Explanation{
		{CodeNotObject, "The document is not a Kubernetes object: it has no apiVersion or no kind."},
		{CodeVersion, "The object is of another API group, or of a version of flowcontrol.apiserver.k8s.io that does not exist."},
		{CodeForeign, "The objects are of other kinds and have no bearing on flow control; they are left out."},
		{CodeInvalid, "The API server's validation would refuse this value."},
		{CodeMandatory, "The object is mandatory and fixed: the API server refuses or reverts a change."},
		{CodeSameObject, "Two manifests define the object; in a cluster the last one applied would win."},
		{CodeDangling, "The FlowSchema names a priority level that does not exist, so the server ignores it."},
		{CodeRestored, "The suggested object lets the server keep its spec, so the server restores the built-in one."},
		{CodeEmptyFolder, "The folder holds no manifest."},
		{CodeRenamedField, "The field has another name in this version of the API."},
		{CodeNotServed, "The release does not serve this version of the API, so that kubectl apply fails."},
		{CodeNewField, "The field does not exist in this release."},
		{CodeDeleted, "The annotation of the object lets the server delete it, since it is not a built-in object of the release."},
		{CodeNotKept, "kubectl apply leaves the annotation of the built-in object as it is, so that the server restores its spec."},
		{CodeRecreated, "The object is built in: the server makes it anew after its deletion."},
		{CodeUnreadable, "The file or folder cannot be read."},
		{CodeEncoding, "The file is not text in UTF-8."},
		{CodeSyntax, "The file is not YAML."},
		{CodeTemplate, "The file is a template that must be rendered first."},
		{CodeEmpty, "The file holds no document."},
		{CodeSeveral, "The file holds more than one scenario."},
		{CodeDuplicateKey, "A mapping has the same key twice."},
		{CodeAlias, "An anchor, alias, merge key or tag cannot be used like this."},
		{CodeNesting, "The document is nested too deeply."},
		{CodeUnknownField, "No such field exists at this place."},
		{CodeWrongType, "The value is of another type than the field."},
		{CodeMissing, "A required field is absent or has no value."},
		{CodeNotLegal, "The value is not one of those that are legal."},
		{CodeOutOfRange, "The value lies outside of its range."},
		{CodeExactlyOne, "Exactly one of several fields has to be set."},
		{CodeExcludes, "The field cannot stand beside another one, or has no meaning here."},
		{CodeUnsupported, "The value is meaningful and not supported."},
		{CodeNotScenario, "The file is no scenario of a version that can be read."},
		{CodeSameName, "Two entries have the same name."},
		{CodeTrace, "The trace holds a fault."},
		{CodeReference, "The name does not exist."},
		{CodeNoEffect, "The setting has no effect, or less than it seems to have."},
		{CodeUncounted, "A resource is listed whose number of objects is not given, so that each LIST counts as one seat."},
		{CodeIdleOperation, "The operation finds the server in a state in which it does nothing."},
		{CodeNoServer, "There is a time without any API server that takes requests."},
		{CodeCallCycle, "Requests that call for others come back to where they began."},
		{CodeTooMuchMemory, "One request alone takes more memory than its server has."},
		{CodeNeverAdmitted, "No rule of the gateway ever lets these requests pass."},
		{CodeUnboundedRate, "Nothing bounds how much clients send."},
		{CodeDump, "A debug page holds a fault, or does not fit the configuration."},
	}
}
