package scenarios

// The v1alpha1 format, as its json tags name it. Fields that are pointers, lists or
// maps tell an absent value from an empty one: only what is absent takes a default or
// the value of a preset.

const (
	scenarioGroup = "apfsim.dev/"
	apiVersion    = scenarioGroup + "v1alpha1"
	scenarioKind  = "Scenario"
)

// scenarioSpec is a whole scenario file.
type scenarioSpec struct {
	APIVersion        string                `json:"apiVersion"`
	Kind              string                `json:"kind"`
	Metadata          metadataSpec          `json:"metadata"`
	KubernetesVersion *string               `json:"kubernetesVersion,omitempty"`
	Duration          *duration             `json:"duration,omitempty"`
	Warmup            *duration             `json:"warmup,omitempty"`
	Seed              *uint64               `json:"seed,omitempty"`
	Replications      *int                  `json:"replications,omitempty"`
	Resolution        duration              `json:"resolution,omitempty"`
	Server            serverSpec            `json:"server,omitempty"`
	Operations        []operationSpec       `json:"operations,omitempty"`
	Balancer          *balancerSpec         `json:"balancer,omitempty"`
	Gateway           *gatewaySpec          `json:"gateway,omitempty"`
	Backend           *backendSpec          `json:"backend,omitempty"`
	FlowControl       flowControlSpec       `json:"flowControl,omitempty"`
	Changes           []changeSpec          `json:"changes,omitempty"`
	Objects           map[string]objectSpec `json:"objects,omitempty"`
	Watches           []watchSpec           `json:"watches,omitempty"`
	Start             *startSpec            `json:"start,omitempty"`
	Clients           []clientSpec          `json:"clients,omitempty"`
	Expect            []expectSpec          `json:"expect,omitempty"`
	Tune              *tuneSpec             `json:"tune,omitempty"`
	Tests             []testSpec            `json:"tests,omitempty"`
}

type metadataSpec struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
}

type serverSpec struct {
	Count                       *int      `json:"count,omitempty"`
	MaxRequestsInflight         *int      `json:"maxRequestsInflight,omitempty"`
	MaxMutatingRequestsInflight *int      `json:"maxMutatingRequestsInflight,omitempty"`
	RequestTimeout              *duration `json:"requestTimeout,omitempty"`
	CacheFill                   *duration `json:"cacheFill,omitempty"`
	ConsistentReadsFromCache    *bool     `json:"consistentReadsFromCache,omitempty"`
}

// operationSpec is what is done to a server at one time. The fields after the choice go with
// some of its fields.
type operationSpec struct {
	At *duration `json:"at"`
	operationChoice
	Grace             *duration `json:"grace,omitempty"`
	Down              *duration `json:"down,omitempty"`
	KubernetesVersion *string   `json:"kubernetesVersion,omitempty"`
}

// operationChoice has exactly one field set.
type operationChoice struct {
	Stop           *int                `json:"stop,omitempty"`
	Drain          *int                `json:"drain,omitempty"`
	Start          *int                `json:"start,omitempty"`
	Restart        *int                `json:"restart,omitempty"`
	Join           *int                `json:"join,omitempty"`
	RollingUpgrade *rollingUpgradeSpec `json:"rollingUpgrade,omitempty"`
}

type rollingUpgradeSpec struct {
	KubernetesVersion *string   `json:"kubernetesVersion"`
	Grace             *duration `json:"grace,omitempty"`
	Down              *duration `json:"down,omitempty"`
	Pause             *duration `json:"pause,omitempty"`
}

type flowControlSpec struct {
	Defaults  *bool    `json:"defaults,omitempty"`
	Validate  Validate `json:"validate,omitempty"`
	Manifests []string `json:"manifests,omitempty"`
}

type objectSpec struct {
	Count        *int64 `json:"count"`
	AverageBytes *int64 `json:"averageBytes,omitempty"`
	Stale        bool   `json:"stale,omitempty"`
}

type watchSpec struct {
	APIGroup  string `json:"apiGroup,omitempty"`
	Resource  string `json:"resource"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name,omitempty"`
	Count     *int   `json:"count,omitempty"`
}

// clientSpec is a population of identical clients, or a trace.
type clientSpec struct {
	Name       string            `json:"name"`
	Preset     presetName        `json:"preset,omitempty"`
	Trace      *traceSpec        `json:"trace,omitempty"`
	Count      *int              `json:"count,omitempty"`
	User       *string           `json:"user,omitempty"`
	Groups     []string          `json:"groups,omitempty"`
	Requests   []requestSpec     `json:"requests,omitempty"`
	Arrivals   *arrivalsSpec     `json:"arrivals,omitempty"`
	Duration   *distributionSpec `json:"duration,omitempty"`
	Retry      *retrySpec        `json:"retry,omitempty"`
	Limiter    *limiterSpec      `json:"limiter,omitempty"`
	Timeout    *duration         `json:"timeout,omitempty"`
	OnDeadline onDeadline        `json:"onDeadline,omitempty"`
}

type traceSpec struct {
	File string `json:"file"`
}

// requestSpec is one kind of request of a population.
type requestSpec struct {
	Verb                 string            `json:"verb"`
	APIGroup             string            `json:"apiGroup,omitempty"`
	Resource             string            `json:"resource,omitempty"`
	Subresource          string            `json:"subresource,omitempty"`
	Namespace            string            `json:"namespace,omitempty"`
	Name                 string            `json:"name,omitempty"`
	Path                 string            `json:"path,omitempty"`
	Weight               *float64          `json:"weight,omitempty"`
	Limit                *int64            `json:"limit,omitempty"`
	ResourceVersion      *string           `json:"resourceVersion,omitempty"`
	ResourceVersionMatch versionMatch      `json:"resourceVersionMatch,omitempty"`
	Continue             string            `json:"continue,omitempty"`
	FieldSelector        string            `json:"fieldSelector,omitempty"`
	LabelSelector        string            `json:"labelSelector,omitempty"`
	SendInitialEvents    bool              `json:"sendInitialEvents,omitempty"`
	Timeout              *duration         `json:"timeout,omitempty"`
	Duration             *distributionSpec `json:"duration,omitempty"`
	Calls                []callSpec        `json:"calls,omitempty"`
}

// callSpec is a request that an executing request waits for.
type callSpec struct {
	Client    string      `json:"client"`
	Request   *int        `json:"request,omitempty"`
	Count     *int        `json:"count,omitempty"`
	Parallel  bool        `json:"parallel,omitempty"`
	OnFailure callFailure `json:"onFailure,omitempty"`
	Timeout   *duration   `json:"timeout,omitempty"`
}

// versionMatch is a resourceVersionMatch.
type versionMatch string

func (versionMatch) legal() []string { return []string{"Exact", "NotOlderThan"} }

// arrivalsSpec has exactly one field set.
type arrivalsSpec struct {
	Poisson    *poissonSpec    `json:"poisson,omitempty"`
	Periodic   *periodicSpec   `json:"periodic,omitempty"`
	Burst      *burstSpec      `json:"burst,omitempty"`
	Stages     []stageSpec     `json:"stages,omitempty"`
	Closed     *closedSpec     `json:"closed,omitempty"`
	Lease      *leaseSpec      `json:"lease,omitempty"`
	Informer   *informerSpec   `json:"informer,omitempty"`
	Heartbeat  *heartbeatSpec  `json:"heartbeat,omitempty"`
	Controller *controllerSpec `json:"controller,omitempty"`
	Recorder   *recorderSpec   `json:"recorder,omitempty"`
	Session    *sessionSpec    `json:"session,omitempty"`
	Rollout    *rolloutSpec    `json:"rollout,omitempty"`
	Called     *calledSpec     `json:"called,omitempty"`
}

// calledSpec has nothing to say.
type calledSpec struct{}

// Rates are per client and second.
type poissonSpec struct {
	Rate float64 `json:"rate"`
}

type periodicSpec struct {
	Every  duration `json:"every"`
	Jitter duration `json:"jitter,omitempty"`
}

type burstSpec struct {
	At    duration `json:"at,omitempty"`
	Count int      `json:"count"`
	Over  duration `json:"over,omitempty"`
}

type stageSpec struct {
	Duration duration `json:"duration"`
	Rate     float64  `json:"rate"`
}

type closedSpec struct {
	Concurrency *int              `json:"concurrency,omitempty"`
	Think       *distributionSpec `json:"think,omitempty"`
}

type leaseSpec struct {
	Duration      *duration `json:"duration,omitempty"`
	RenewDeadline *duration `json:"renewDeadline,omitempty"`
	RetryPeriod   *duration `json:"retryPeriod,omitempty"`

	Candidates      *int      `json:"candidates,omitempty"`
	Restart         *duration `json:"restart,omitempty"`
	Release         bool      `json:"release,omitempty"`
	ListWhenLeading bool      `json:"listWhenLeading,omitempty"`
}

type retrySpec struct {
	Policy     retryPolicy `json:"policy"`
	MaxRetries *int        `json:"maxRetries,omitempty"`
	Every      *duration   `json:"every,omitempty"`
	Base       *duration   `json:"base,omitempty"`
	Factor     *float64    `json:"factor,omitempty"`
	Cap        *duration   `json:"cap,omitempty"`
	Jitter     *float64    `json:"jitter,omitempty"`
	Turnaround *duration   `json:"turnaround,omitempty"`
}

// limiterSpec is the token bucket of each client.
type limiterSpec struct {
	QPS   *float64 `json:"qps,omitempty"`
	Burst *int     `json:"burst,omitempty"`
}

// distributionSpec is a distribution of durations and has exactly one field set.
type distributionSpec struct {
	Constant    *duration           `json:"constant,omitempty"`
	Exponential *exponentialSpec    `json:"exponential,omitempty"`
	Lognormal   *lognormalSpec      `json:"lognormal,omitempty"`
	Gamma       *gammaSpec          `json:"gamma,omitempty"`
	Weibull     *weibullSpec        `json:"weibull,omitempty"`
	Pareto      *paretoSpec         `json:"pareto,omitempty"`
	Quantiles   map[string]duration `json:"quantiles,omitempty"`
}

type exponentialSpec struct {
	Mean duration `json:"mean"`
}

type lognormalSpec struct {
	P50 duration `json:"p50"`
	P99 duration `json:"p99"`
}

type gammaSpec struct {
	Mean duration `json:"mean"`
	CV   float64  `json:"cv"`
}

type weibullSpec struct {
	Mean  duration `json:"mean"`
	Shape float64  `json:"shape"`
}

type paretoSpec struct {
	Min   duration `json:"min"`
	Max   duration `json:"max"`
	Alpha float64  `json:"alpha"`
}

// expectSpec is one expectation. What a bound may be depends on the metric.
type expectSpec struct {
	Metric        Metric     `json:"metric"`
	PriorityLevel string     `json:"priorityLevel,omitempty"`
	FlowSchema    string     `json:"flowSchema,omitempty"`
	Flow          *string    `json:"flow,omitempty"`
	Client        string     `json:"client,omitempty"`
	Holder        string     `json:"holder,omitempty"`
	Server        *int       `json:"server,omitempty"`
	Quantile      *float64   `json:"quantile,omitempty"`
	At            *duration  `json:"at,omitempty"`
	From          *duration  `json:"from,omitempty"`
	Until         *duration  `json:"until,omitempty"`
	Below         *boundSpec `json:"below,omitempty"`
	Above         *boundSpec `json:"above,omitempty"`
	Equals        *boundSpec `json:"equals,omitempty"`
	AllowNoData   bool       `json:"allowNoData,omitempty"`
	Confident     bool       `json:"confident,omitempty"`
}
