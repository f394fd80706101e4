package httplog

import "bytes"

// head is what klog puts before a message: the date without a year, and the time in the zone of
// the server.
type head struct{ month, day, hour, minute, second, micro int64 }

// headShape is the beginning of a line of klog: 0 stands for a digit.
const headShape = "I0000 00:00:00.000000 "

// parseHead reads the head of a line, and returns what follows it: the message. ok is false if the
// line does not begin with a head.
func parseHead(line []byte) (h head, message []byte, ok bool) {
	if !shaped(line) {
		return h, nil, false
	}
	h = head{two(line, 1), two(line, 3), two(line, 6), two(line, 9), two(line, 12), two(line, 15)*1e4 + two(line, 17)*100 + two(line, 19)}
	if h.month < 1 || h.month > 12 || h.day < 1 || h.day > 31 || h.hour > 23 || h.minute > 59 || h.second > 60 {
		return h, nil, false
	}
	// The number of the thread, the source file and its line, which differ with the release.
	rest := line[len(headShape):]
	end := bytes.Index(rest, []byte("] "))
	if end < 0 {
		return h, nil, false
	}
	return h, rest[end+2:], true
}

// shaped tells whether a line begins as headShape.
func shaped(line []byte) bool {
	if len(line) < len(headShape) {
		return false
	}
	switch line[0] {
	case 'I', 'W', 'E', 'F':
	default:
		return false
	}
	for i := 1; i < len(headShape); i++ {
		c := line[i]
		if headShape[i] == '0' {
			if c < '0' || c > '9' {
				return false
			}
		} else if c != headShape[i] {
			return false
		}
	}
	return true
}

// two returns the value of two digits.
func two(text []byte, at int) int64 { return int64(text[at]-'0')*10 + int64(text[at+1]-'0') }

// prefixMax is how far from the beginning of a line its head is looked for.
const prefixMax = 512

// findHead returns where the head of a line is, behind what others have put before it; -1 if there
// is none.
func findHead(line []byte) int {
	for i := 0; i+len(headShape) <= len(line) && i < prefixMax; i++ {
		if c := line[i]; c != 'I' && c != 'W' && c != 'E' && c != 'F' {
			continue
		}
		if (i == 0 || line[i-1] == ' ' || line[i-1] == '\t') && shaped(line[i:]) {
			return i
		}
	}
	return -1
}
