package recording

import (
	"encoding/binary"
	"time"
)

// codec writes requests in few bytes and reads them again. What is written is for the same codec
// alone, since its table of texts is needed to read it.
type codec struct {
	texts texts
	// groups are the lists of groups by the number of the text that they are written as.
	groups map[uint32][]string
	// lists hold the groups of the last two requests whose lists are in no table, and turn says
	// whose turn it is.
	lists   [2][]string
	turn    int
	scratch []byte
}

// append appends a request, but for Received, ID and its order, which the sorter keeps beside it.
func (c *codec) append(dst []byte, r *Request) []byte {
	dst = append(dst, byte(r.Stages), byte(r.HowExecution), flags(r))
	dst = binary.AppendVarint(dst, int64(r.Server))
	dst = c.text(dst, r.User)
	dst = c.groupList(dst, r.Groups)
	for _, s := range [...]*string{
		&r.Client, &r.Verb, &r.APIGroup, &r.Resource, &r.Subresource, &r.Namespace, &r.FlowSchema, &r.PriorityLevel,
	} {
		dst = c.text(dst, *s)
	}
	dst = plain(dst, r.Name)
	dst = plain(dst, r.Path)
	for _, d := range [...]time.Duration{r.Timeout, r.Left, r.Execution, r.Waited, r.Started, r.Total, r.AdditionalLatency} {
		dst = binary.AppendVarint(dst, int64(d))
	}
	for _, n := range [...]int64{int64(r.Code), r.InitialSeats, r.FinalSeats} {
		dst = binary.AppendVarint(dst, n)
	}
	if r.Options != (Options{}) {
		dst = c.options(dst, &r.Options)
	}
	return dst
}

// The bits of flags.
const (
	hasOptions = 1 << iota
	sendsInitialEvents
	handled
	endsLast
)

func flags(r *Request) byte {
	f := byte(0)
	if r.Options != (Options{}) {
		f |= hasOptions
	}
	if r.Options.SendInitialEvents {
		f |= sendsInitialEvents
	}
	if r.Handled {
		f |= handled
	}
	if r.EndsLast {
		f |= endsLast
	}
	return f
}

func (c *codec) options(dst []byte, o *Options) []byte {
	dst = binary.AppendVarint(dst, o.Limit)
	dst = c.text(dst, o.ResourceVersionMatch)
	for _, s := range [...]*string{&o.ResourceVersion, &o.Continue, &o.FieldSelector, &o.LabelSelector} {
		dst = plain(dst, *s)
	}
	return dst
}

// text appends a text by its number, as an even number, or its length, as an odd one, and itself.
func (c *codec) text(dst []byte, s string) []byte {
	if n, ok := c.texts.number(s); ok {
		return binary.AppendUvarint(dst, uint64(n)<<1)
	}
	dst = binary.AppendUvarint(dst, uint64(len(s))<<1|1)
	return append(dst, s...)
}

func plain(dst []byte, s string) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(s)))
	return append(dst, s...)
}

// groupList appends groups as one text, since the same lists come again and again.
func (c *codec) groupList(dst []byte, groups []string) []byte {
	c.scratch = c.scratch[:0]
	for _, g := range groups {
		c.scratch = plain(c.scratch, g)
	}
	return c.text(dst, View(c.scratch))
}

// decode reads a request that append has written. Its texts are valid as long as the bytes are,
// and its groups until the call after the next.
func (c *codec) decode(from []byte, r *Request) {
	d := decoder{from: from[3:], texts: c.texts.list}
	*r = Request{Stages: Stages(from[0]), HowExecution: Evidence(from[1]), Handled: from[2]&handled != 0, EndsLast: from[2]&endsLast != 0}
	r.Server = int32(d.varint())
	r.User = d.text()
	r.Groups = c.decodeGroups(&d)
	for _, s := range [...]*string{
		&r.Client, &r.Verb, &r.APIGroup, &r.Resource, &r.Subresource, &r.Namespace, &r.FlowSchema, &r.PriorityLevel,
	} {
		*s = d.text()
	}
	r.Name, r.Path = d.plain(), d.plain()
	for _, to := range [...]*time.Duration{&r.Timeout, &r.Left, &r.Execution, &r.Waited, &r.Started, &r.Total, &r.AdditionalLatency} {
		*to = time.Duration(d.varint())
	}
	r.Code, r.InitialSeats, r.FinalSeats = int(d.varint()), d.varint(), d.varint()
	if from[2]&hasOptions != 0 {
		o := &r.Options
		o.Limit, o.ResourceVersionMatch = d.varint(), d.text()
		for _, s := range [...]*string{&o.ResourceVersion, &o.Continue, &o.FieldSelector, &o.LabelSelector} {
			*s = d.plain()
		}
		o.SendInitialEvents = from[2]&sendsInitialEvents != 0
	}
}

// decodeGroups reads a list of groups. Lists that are in the table are made once.
func (c *codec) decodeGroups(d *decoder) []string {
	n := d.uvarint()
	if n&1 != 0 {
		c.turn ^= 1
		c.lists[c.turn] = splitGroups(c.lists[c.turn][:0], d.bytes(n>>1))
		return c.lists[c.turn]
	}
	list, known := c.groups[uint32(n>>1)]
	if !known {
		list = splitGroups(nil, []byte(c.texts.list[n>>1]))
		if c.groups == nil {
			c.groups = map[uint32][]string{}
		}
		c.groups[uint32(n>>1)] = list
	}
	return list
}

func splitGroups(dst []string, text []byte) []string {
	d := decoder{from: text}
	for len(d.from) > 0 {
		dst = append(dst, d.plain())
	}
	return dst
}

// decoder reads values from the beginning of bytes. What it reads was written by this process,
// so that anything else is a fault of the program.
type decoder struct {
	from  []byte
	texts []string
}

func (d *decoder) varint() int64 {
	v, n := binary.Varint(d.from)
	d.from = d.from[n:]
	return v
}

func (d *decoder) uvarint() uint64 {
	v, n := binary.Uvarint(d.from)
	d.from = d.from[n:]
	return v
}

func (d *decoder) bytes(n uint64) []byte {
	b := d.from[:n]
	d.from = d.from[n:]
	return b
}

func (d *decoder) plain() string { return View(d.bytes(d.uvarint())) }

func (d *decoder) text() string {
	n := d.uvarint()
	if n&1 != 0 {
		return View(d.bytes(n >> 1))
	}
	return d.texts[n>>1]
}
