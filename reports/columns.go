package reports

// column is what a column of cells is about: the requests that matched a flow schema while
// that led to a level. A schema has a second column if a change of the configuration makes
// it lead to another level. A level of -1 stands for the requests that APF does not concern.
type column struct{ schema, level int }

// columns numbers the columns of the cells in the order in which they come up: column 0 is
// that of the requests that APF does not concern, the others follow the flow schemas as
// the server numbers them.
type columns struct {
	list []column
	// index holds the number of the column of each schema and level, as place computes it;
	// -1 is none.
	index  []int32
	levels int
}

// place returns where the index holds the column of a schema and a level, of which both
// may be -1.
func (c *columns) place(schema, level int) int { return (schema+1)*(c.levels+1) + level + 1 }

// of returns the number of the column of a request.
func (c *columns) of(schema, level int32) int32 { return c.index[c.place(int(schema), int(level))] }

// meet makes columns for what the server has now.
func (c *columns) meet(s server) {
	schemas, levels := len(s.Schemas()), max(len(s.Levels()), c.levels)
	if len(c.list) == 0 {
		c.list = append(c.list, column{-1, -1})
	}
	c.levels = levels
	c.index = make([]int32, (schemas+1)*(levels+1))
	for i := range c.index {
		c.index[i] = -1
	}
	for n, col := range c.list {
		c.index[c.place(col.schema, col.level)] = int32(n)
	}
	for i := range schemas {
		if at := c.place(i, s.SchemaLevel(i)); c.index[at] < 0 {
			c.index[at] = int32(len(c.list))
			c.list = append(c.list, column{i, s.SchemaLevel(i)})
		}
	}
}
