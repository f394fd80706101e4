package mutation

// Others are wrong products outside of the queue set.
var Others []Group
