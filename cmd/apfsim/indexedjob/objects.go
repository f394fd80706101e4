package indexedjob

// The parts of Kubernetes' own objects that a sweep needs, in the order in which they are written. The
// tests read them strictly into the official types.

type object struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   meta   `json:"metadata"`
}

type meta struct {
	Name      string            `json:"name,omitempty"`
	Namespace string            `json:"namespace,omitempty"`
	Labels    map[string]string `json:"labels,omitempty"`
}

type configMap struct {
	object
	Data       map[string]string `json:"data,omitempty"`
	BinaryData map[string][]byte `json:"binaryData,omitempty"`
}

type claim struct {
	object
	Spec claimSpec `json:"spec"`
}

type claimSpec struct {
	AccessModes      []string  `json:"accessModes"`
	StorageClassName string    `json:"storageClassName,omitempty"`
	Resources        resources `json:"resources"`
}

type resources struct {
	Requests map[string]string `json:"requests,omitempty"`
	Limits   map[string]string `json:"limits,omitempty"`
}

type job struct {
	object
	Spec jobSpec `json:"spec"`
}

type jobSpec struct {
	CompletionMode       string        `json:"completionMode"`
	Completions          int           `json:"completions"`
	Parallelism          int           `json:"parallelism"`
	BackoffLimitPerIndex int           `json:"backoffLimitPerIndex"`
	PodFailurePolicy     failurePolicy `json:"podFailurePolicy"`
	Template             template      `json:"template"`
}

type failurePolicy struct {
	Rules []failureRule `json:"rules"`
}

type failureRule struct {
	Action          string         `json:"action"`
	OnExitCodes     *onExitCodes   `json:"onExitCodes,omitempty"`
	OnPodConditions []podCondition `json:"onPodConditions,omitempty"`
}

type onExitCodes struct {
	ContainerName string `json:"containerName"`
	Operator      string `json:"operator"`
	Values        []int  `json:"values"`
}

type podCondition struct {
	Type   string `json:"type"`
	Status string `json:"status"`
}

type template struct {
	Metadata meta    `json:"metadata"`
	Spec     podSpec `json:"spec"`
}

type podSpec struct {
	RestartPolicy                string      `json:"restartPolicy"`
	AutomountServiceAccountToken bool        `json:"automountServiceAccountToken"`
	EnableServiceLinks           bool        `json:"enableServiceLinks"`
	SecurityContext              podSecurity `json:"securityContext"`
	Containers                   []container `json:"containers"`
	Volumes                      []volume    `json:"volumes"`
}

type podSecurity struct {
	RunAsNonRoot        bool    `json:"runAsNonRoot"`
	RunAsUser           int     `json:"runAsUser"`
	RunAsGroup          int     `json:"runAsGroup"`
	FSGroup             int     `json:"fsGroup"`
	FSGroupChangePolicy string  `json:"fsGroupChangePolicy"`
	SeccompProfile      profile `json:"seccompProfile"`
}

type profile struct {
	Type string `json:"type"`
}

type container struct {
	Name            string            `json:"name"`
	Image           string            `json:"image"`
	Command         []string          `json:"command,omitempty"`
	WorkingDir      string            `json:"workingDir,omitempty"`
	Args            []string          `json:"args,omitempty"`
	Resources       resources         `json:"resources"`
	SecurityContext containerSecurity `json:"securityContext"`
	VolumeMounts    []mount           `json:"volumeMounts"`
}

type containerSecurity struct {
	AllowPrivilegeEscalation bool         `json:"allowPrivilegeEscalation"`
	ReadOnlyRootFilesystem   bool         `json:"readOnlyRootFilesystem"`
	Capabilities             capabilities `json:"capabilities"`
}

type capabilities struct {
	Drop []string `json:"drop"`
}

type mount struct {
	Name      string `json:"name"`
	MountPath string `json:"mountPath"`
	ReadOnly  bool   `json:"readOnly,omitempty"`
}

type volume struct {
	Name                  string           `json:"name"`
	ConfigMap             *configMapVolume `json:"configMap,omitempty"`
	PersistentVolumeClaim *claimVolume     `json:"persistentVolumeClaim,omitempty"`
}

type configMapVolume struct {
	Name  string         `json:"name"`
	Items []configMapKey `json:"items"`
}

type configMapKey struct {
	Key  string `json:"key"`
	Path string `json:"path"`
}

type claimVolume struct {
	ClaimName string `json:"claimName"`
	ReadOnly  bool   `json:"readOnly,omitempty"`
}
