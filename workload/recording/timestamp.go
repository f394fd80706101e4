package recording

import "time"

// ParseTime returns the time of a text as metav1.MicroTime writes it (RFC 3339 with decimals), in
// nanoseconds since 1970, without allocation. Decimals beyond nanoseconds are cut off; a zone may
// be Z or an offset with or without a colon.
func ParseTime(text []byte) (int64, bool) {
	const date = len("2006-01-02T15:04:05")
	if len(text) <= date || text[4] != '-' || text[7] != '-' || text[10] != 'T' && text[10] != ' ' && text[10] != 't' ||
		text[13] != ':' || text[16] != ':' {
		return 0, false
	}
	year, ok0 := number(text[0:4])
	month, ok1 := number(text[5:7])
	day, ok2 := number(text[8:10])
	hour, ok3 := number(text[11:13])
	minute, ok4 := number(text[14:16])
	second, ok5 := number(text[17:19])
	nanos, rest := decimals(text[date:])
	zone, ok6 := offset(rest)
	if !(ok0 && ok1 && ok2 && ok3 && ok4 && ok5 && ok6) || year < 1970 || year > 2200 || month < 1 || month > 12 ||
		day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60 {
		return 0, false
	}
	seconds := (days(year, month, day)*24+hour)*3600 + minute*60 + second - zone
	return seconds*int64(time.Second) + nanos, true
}

// days returns the number of days from 1970 to a date of the Gregorian calendar: years begin in
// March, so that the leap day is the last, and the lengths of the months follow a line.
func days(year, month, day int64) int64 {
	if month <= 2 {
		year--
		month += 12
	}
	return year*365 + year/4 - year/100 + year/400 + (153*(month-3)+2)/5 + day - 719469
}

// number returns the value of digits.
func number(text []byte) (int64, bool) {
	n := int64(0)
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, true
}

// decimals returns the nanoseconds of a fraction of a second, and what follows it.
func decimals(text []byte) (nanos int64, rest []byte) {
	if len(text) == 0 || text[0] != '.' && text[0] != ',' {
		return 0, text
	}
	i, unit := 1, int64(1e8)
	for ; i < len(text) && text[i] >= '0' && text[i] <= '9'; i++ {
		nanos += int64(text[i]-'0') * unit
		unit /= 10
	}
	return nanos, text[i:]
}

// offset returns the seconds that a zone is ahead.
func offset(text []byte) (int64, bool) {
	if len(text) == 1 && (text[0] == 'Z' || text[0] == 'z') {
		return 0, true
	}
	if len(text) < 5 || text[0] != '+' && text[0] != '-' {
		return 0, false
	}
	hours, ok1 := number(text[1:3])
	after := text[3:]
	if after[0] == ':' {
		after = after[1:]
	}
	minutes, ok2 := number(after)
	seconds := hours*3600 + minutes*60
	if text[0] == '-' {
		seconds = -seconds
	}
	return seconds, ok1 && ok2 && len(after) == 2
}
