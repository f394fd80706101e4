package recording

import (
	"bufio"
	"errors"
	"io"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
)

const fileBuffer = 1 << 16

// Plain returns the text of a file that may be compressed with gzip.
func Plain(file io.Reader) (io.Reader, error) {
	plain := bufio.NewReaderSize(file, fileBuffer)
	if magic, _ := plain.Peek(2); string(magic) == "\x1f\x8b" {
		return gzip.NewReader(plain)
	}
	return plain, nil
}

// Damage tells what is wrong with compressed text if reading failed because of it, and "" if it
// failed for another reason. What comes before the damage has been read, and can be used.
func Damage(err error) string {
	var damaged flate.CorruptInputError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "the compressed text is cut off"
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.As(err, &damaged):
		return "the compressed text is damaged: " + err.Error()
	}
	return ""
}
