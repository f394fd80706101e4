package reports

// Source is what a result was made from, and how to make it again.
type Source struct {
	// Command is the command line that makes the same result.
	Command string `json:"command"`
	// Files are the scenario and the manifests that it names, the scenario first. Traces are not
	// among them.
	Files []SourceFile `json:"files"`
}

// SourceFile is a text that a result was made from.
type SourceFile struct {
	Name string `json:"name"`
	// Text is the whole file; of one that is longer than 64 KiB the beginning, and Cut is true.
	Text string `json:"text"`
	Cut  bool   `json:"cut,omitzero"`
}

// Judged is what a scenario expects, and what became of it.
type Judged struct {
	// Text says what is demanded, Verdict the whole in one line.
	Text    string  `json:"text"`
	Verdict string  `json:"verdict"`
	Outcome Outcome `json:"outcome"`
	// Subject says what is measured, Want the bounds and Got what was measured, all in words.
	Subject string `json:"subject"`
	Want    string `json:"want"`
	Got     string `json:"got,omitempty"`
	// Value is what was measured, left out without data; Samples is what it rests on.
	Value *Value `json:"value,omitempty"`
	// Margin is the distance to the bound; left out without data, and for what has no end.
	Margin *Margin `json:"margin,omitempty"`
	// Interval is over the replications; left out where there is none.
	Interval   *ValueInterval `json:"interval,omitempty"`
	Samples    int64          `json:"samples"`
	FewSamples bool           `json:"fewSamples,omitzero"`
	// Warning says that the outcome may be by chance.
	Warning string `json:"warning,omitempty"`
	// Why explains an outcome without data.
	Why string `json:"why,omitempty"`
	// File, Line and Column are where the scenario says so.
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
}

// Margin is how far a value is from the bound that decides.
type Margin struct {
	// Value is what is to spare, or if it is negative, what is missed; in the unit of the value.
	Value Value `json:"value"`
	// Relative is the same as a part of the bound; left out for a bound of 0.
	Relative *Number `json:"relative,omitempty"`
	// Text says it in words, such as "150ms or 150% too much"; it is empty for what
	// equals its bound as demanded.
	Text string `json:"text"`
}

// ValueInterval is the 95 % confidence interval of the mean over the replications.
type ValueInterval struct {
	// Low and High are its ends.
	Low  Value `json:"low"`
	High Value `json:"high"`
	// Replications is how many have data.
	Replications int `json:"replications"`
}

// Exposition is what one server would answer to a scrape of its metrics of flow control.
type Exposition struct {
	Server int      `json:"server"`
	Time   Duration `json:"time"`
	// Families are in the order of their names.
	Families []MetricFamily `json:"families"`
}

// MetricFamily is one metric with all its series.
type MetricFamily struct {
	Name string `json:"name"`
	Help string `json:"help"`
	// Type is counter, gauge or histogram.
	Type string `json:"type"`
	// Labels are the names of the labels, Buckets the upper bounds of a histogram without the
	// last one, which is infinite.
	Labels  []string  `json:"labels,omitempty"`
	Buckets []float64 `json:"buckets,omitempty"`
	// Series are in the order of their label values.
	Series []MetricSeries `json:"series"`
}

// MetricSeries is one series of a metric.
type MetricSeries struct {
	Labels []string `json:"labels,omitempty"`
	// Value is of a counter or gauge; Sum and Counts are of a histogram: Counts has one count
	// for each bucket, not cumulative, the infinite one last.
	Value  MetricValue `json:"value,omitzero"`
	Sum    MetricValue `json:"sum,omitzero"`
	Counts []uint64    `json:"counts,omitempty"`
}

// Dump is what the debug pages of one server would show, as text in its own format.
type Dump struct {
	Server         int      `json:"server"`
	Time           Duration `json:"time"`
	PriorityLevels string   `json:"priorityLevels"`
	Queues         string   `json:"queues"`
	Requests       string   `json:"requests"`
	// RequestsWithDetails is the page with includeRequestDetails=1.
	RequestsWithDetails string `json:"requestsWithDetails"`
	// Whole are all pages with the further columns that a run can begin with (package
	// workload/recording/dump); results of older versions have none.
	Whole string `json:"whole,omitempty"`
}
