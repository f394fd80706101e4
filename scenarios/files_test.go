package scenarios

import (
	"bytes"
	"io"
	"io/fs"
	"path"
	"strings"
	"testing/fstest"
)

// memoryFiles gives Load files that are in memory, under the errors of a file system.
type memoryFiles map[string]string

var _ Files = memoryFiles{}

func (m memoryFiles) fs() fstest.MapFS {
	out := fstest.MapFS{}
	for name, text := range m {
		out[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return out
}

func (m memoryFiles) ReadFile(name string) ([]byte, error) {
	return fs.ReadFile(m.fs(), path.Clean(name))
}

func (m memoryFiles) ReadDir(name string) ([]fs.DirEntry, error) {
	name = path.Clean(name)
	if info, err := fs.Stat(m.fs(), name); err == nil && !info.IsDir() {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrInvalid}
	}
	return fs.ReadDir(m.fs(), name)
}

func (m memoryFiles) Open(name string) (io.ReadCloser, error) {
	text, err := m.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return io.NopCloser(bytes.NewReader(text)), nil
}

// unescaped turns what a readable script cannot hold into bytes: \t, \r, \xFF.
func unescaped(text string) string {
	return strings.NewReplacer(`\t`, "\t", `\r`, "\r", `\xFF`, "\xFF", `\xFE`, "\xFE", `\x00`, "\x00",
		`\xEF\xBB\xBF`, "\xEF\xBB\xBF", `\x1F\x8B`, "\x1F\x8B").Replace(text)
}
