package sim

import (
	"crypto/sha256"
	"encoding/binary"

	"github.com/apfsim/apfsim/workload"
)

// NewStream returns the random stream for one purpose: the same for the same seed,
// replication and name, and independent of all others. So one more client, or one
// more purpose, never changes what the others draw, and two configurations can be
// compared on the same traffic.
func NewStream(seed uint64, replication int, name string) workload.Stream {
	var key [16]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	binary.LittleEndian.PutUint64(key[8:], uint64(replication))
	digest := sha256.New()
	digest.Write(key[:])
	digest.Write([]byte(name))
	var sum [sha256.Size]byte
	digest.Sum(sum[:0])
	return workload.NewStream(binary.LittleEndian.Uint64(sum[:]), binary.LittleEndian.Uint64(sum[8:]))
}
