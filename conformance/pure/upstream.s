// This file lets upstream.go declare functions without bodies.
