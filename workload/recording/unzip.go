package recording

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
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
	head, _ := plain.Peek(4)
	for i := range foreign {
		if f := &foreign[i]; bytes.HasPrefix(head, []byte(f.magic)) {
			return nil, f
		}
	}
	return plain, nil
}

// foreignForm is a form of files that is no text, and how to make text of it.
type foreignForm struct{ magic, name, command string }

// foreign are the forms that logs come in, by their first bytes.
var foreign = []foreignForm{
	{"\x28\xb5\x2f\xfd", "compressed with zstd", "zstd -dc"},
	{"\xfd7zX", "compressed with xz", "xz -dc"},
	{"BZh", "compressed with bzip2", "bzip2 -dc"},
	{"PK\x03\x04", "a zip archive", "unzip -p"},
	{"\xff\xfe", "UTF-16, as PowerShell writes it", "iconv -f UTF-16 -t UTF-8"},
	{"\xfe\xff", "UTF-16", "iconv -f UTF-16 -t UTF-8"},
}

// Error says what the file is.
func (f *foreignForm) Error() string {
	return fmt.Sprintf("the file is %s, and plain text or gzip is read: %s FILE | apfsim import ... -", f.name, f.command)
}

// Damage tells what is wrong with compressed text if reading failed because of it, and "" if it
// failed for another reason. What comes before the damage has been read, and can be used.
func Damage(err error) string {
	var damaged flate.CorruptInputError
	var other *foreignForm
	switch {
	case errors.As(err, &other):
		return other.Error()
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "the compressed text is cut off"
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.As(err, &damaged):
		return "the compressed text is damaged: " + err.Error()
	}
	return ""
}
