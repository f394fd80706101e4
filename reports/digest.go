package reports

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/apfsim/apfsim/sim"
)

// digest returns a hash of all that configures the servers and their APF, what is before and
// behind them, and what is done to them during the run. Two runs with the same digest differ in
// their traffic alone.
func digest(cfg *sim.Config) string {
	var all any = &cfg.Scheduler
	if len(cfg.Changes) > 0 {
		all = []any{all, cfg.Changes}
	}
	if cfg.Servers > 1 || len(cfg.Operations) > 0 {
		all = []any{all, cfg.Servers, cfg.Operations, cfg.CacheFill}
	}
	if cfg.Backend != nil || cfg.Balancer != nil || cfg.Gateway != nil {
		all = []any{all, canonical(cfg.Backend), canonical(cfg.Balancer), canonical(cfg.Gateway)}
	}
	text, err := json.Marshal(all)
	if err != nil {
		panic(fmt.Sprintf("reports: the configuration of a server has no JSON form: %v", err))
	}
	sum := sha256.Sum256(text)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// canonical writes a configuration so that equal ones have the same text, and different ones
// have not. JSON would leave out what distributions are made of.
func canonical(config any) string {
	var b strings.Builder
	writeCanonical(&b, reflect.ValueOf(config))
	return b.String()
}

func writeCanonical(b *strings.Builder, v reflect.Value) {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			b.WriteString("-")
			return
		}
		writeCanonical(b, v.Elem())
		return
	}
	if s, ok := v.Interface().(fmt.Stringer); ok {
		fmt.Fprintf(b, "%q", s.String())
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		b.WriteString("{")
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				b.WriteString(v.Type().Field(i).Name + ":")
				writeCanonical(b, v.Field(i))
				b.WriteString(" ")
			}
		}
		b.WriteString("}")
	case reflect.Slice, reflect.Array:
		b.WriteString("[")
		for i := range v.Len() {
			writeCanonical(b, v.Index(i))
			b.WriteString(" ")
		}
		b.WriteString("]")
	default:
		fmt.Fprintf(b, "%#v", v.Interface()) // maps are written in the order of their keys
	}
}
