package shuffle

// Shape is a configuration of shuffle sharding.
type Shape struct {
	Queues, HandSize int
}

// Published returns the shapes of the table "Example Shuffle Sharding Configurations"
// of kubernetes.io's page on API Priority and Fairness, in its order.
// (https://kubernetes.io/docs/concepts/cluster-administration/flow-control/)
func Published() []Shape {
	return []Shape{
		{32, 12}, {32, 10},
		{64, 10}, {64, 9}, {64, 8},
		{128, 8}, {128, 7},
		{256, 7}, {256, 6},
		{512, 6},
		{1024, 6},
	}
}

// PublishedElephants returns the numbers of elephants that the published table has
// columns for.
func PublishedElephants() []int { return []int{1, 4, 16} }

// BuiltIn returns the shapes of kube-apiserver's own priority levels: workload-high,
// workload-low and global-default; system and node-high; leader-election. The
// published table has none of them.
func BuiltIn() []Shape { return []Shape{{128, 6}, {64, 6}, {16, 4}} }
