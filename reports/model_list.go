package reports

// ListKind identifies several results in their JSON form.
const ListKind = "ResultList"

// ResultList is several results, in the order in which they were asked for.
type ResultList struct {
	APIVersion string    `json:"apiVersion"`
	Kind       string    `json:"kind"`
	Items      []*Result `json:"items"`
}

// Document is what stands for results in JSON: one as it is, several as a list.
func Document(results []*Result) any {
	if len(results) == 1 {
		return results[0]
	}
	return ResultList{APIVersion: APIVersion, Kind: ListKind, Items: results}
}
