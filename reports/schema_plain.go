package reports

// plainFields says what fields are that need no comment where they are declared, by their names
// in JSON: they mean the same wherever they are.
var plainFields = map[string]string{
	"apiVersion": "The version of the format.", "kind": "The kind of the document.", "metadata": "What the scenario is called.",
	"items": "The results.", "name": "Its name.", "help": "What it counts, as the server says it.", "seed": "Where all random numbers come from.",
	"replication": "The number of the replication, from 0.", "replications": "The replications, or how many of them it rests on.",
	"partial": "Whether it was interrupted.", "server": "The server, or its number from 0.", "member": "The number of the etcd member, from 0.",
	"atServer": "The number of the server, from 0.", "atLevel": "The priority level.", "flows": "The flows, or how many there are.",

	"priorityLevel": "The name of the priority level.", "priorityLevels": "By priority level.",
	"flowSchema": "The name of the FlowSchema.", "flowSchemas": "By FlowSchema.",
	"population": "The name of the population of clients.", "populations": "By population of clients.", "preset": "The preset that it was made from.",
	"caller": "The population that calls.", "callerLevel": "The level of its requests.", "called": "The population that is called.", "calledLevel": "The level of its requests.",

	"time": "The virtual time since the start.", "since": "The virtual time at which it began.", "from": "When it began.", "until": "When it ended.",
	"slice": "How long a slice is.", "requestTimeout": "The server's --request-timeout.",

	"requests": "The requests, or how many there are.", "queues": "How many queues there are.", "handSize": "How many of them a flow may use.",
	"queueLengthLimit": "How many requests wait in one of them at most.", "exempt": "Whether it is exempt.",
	"rejected": "Rejections by reason.", "total": "All of them.", "queueFull": "Rejected: the queue was full.",
	"concurrencyLimit": "Rejected: there was no seat, in a level without queues.", "timeOut": "Rejected: out of time in a queue.",
	"cancelled": "Rejected in releases up to 1.28.4: the timeout was over in a queue.", "ejected": "The same up to 1.22, not counted by the server's metric.",
	"waiting": "Requests that wait.", "executing": "Requests that execute.", "finished": "Requests whose execution ended.", "served": "How many were served.",
	"noServer": "Refused: the balancer had no server.", "gatewayRate": "Refused by a limit of the rate.", "gatewayInFlight": "Refused by a limit of requests in flight.",
	"gatewayDegraded": "Refused while the gateway degrades.", "gatewayNoRule": "Refused: no rule matches.",

	"wait": "The distribution of waits.", "waitHistogram": "Waits by the buckets of the server's metric.", "widths": "The distribution of estimated widths.",
	"seats": "Seats, or the limits in seats.", "nominal": "The nominal limit in seats.", "min": "The least limit, or value.", "max": "The largest limit, or value.",
	"current": "The limit in seats.", "limit": "The limit in seats.", "seatsInUse": "Seats in use.", "seatsUsed": "The mean number of seats in use.",
	"seatsOffered": "The mean number of seats that were asked for.", "shares": "nominalConcurrencyShares.",
	"count": "How many there are.", "mean": "The mean.", "p50": "The median.", "p75": "The 75th percentile.", "p90": "The 90th percentile.",
	"p95": "The 95th percentile.", "p99": "The 99th percentile.", "p999": "The 99.9th percentile.", "le": "The upper bound of the bucket.",
	"halfWidth": "Half the width of the confidence interval.", "fewSamples": "Whether it rests on too few samples to be more than a hint.",
	"fewSamplesFor": "The quantiles that rest on too few requests to be more than a hint.",
	"meanWait":      "The mean wait.", "p99Wait": "The 99th percentile of the wait.", "intervals": "Confidence intervals over the replications.",

	"want": "What is demanded, in words.", "got": "What was measured, in words.", "low": "The lower end.", "high": "The upper end.",
	"kubernetesVersion": "The release.",

	"metric": "The name of the metric.", "labels": "The labels.", "outcome": "What became of it.", "succeeded": "How many succeeded.",
	"cause": "What is behind it.", "figures": "The figures that say so.", "change": "What was done to it.", "precedence": "matchingPrecedence.",
	"rules": "The rules, of which one is enough.", "subjects": "Who.", "role": "Elephant, crushed mouse or other mouse.", "crushed": "Whether elephants crush it.",
	"elephants": "The flows that ask for most.", "crushedMice": "Flows all of whose queues they share.", "otherMice": "All other flows.",
	"reads": "What it did of reads.", "writes": "What it did of writes.", "text": "The text.", "code": "A stable code.",

	"version": "The version of the program.", "revision": "The commit that it was built from.", "program": "The program that wrote it.",
	"scenario": "The name of the scenario.", "scenarios": "The scenarios.", "study": "What was tried.", "search": "What was searched, with the budget.",
	"path": "The path of the setting, as --set has it.", "value": "The value.", "values": "What it may be.", "point": "The point.",
	"points": "The points, or how many there are.", "rows": "A row for each point of each scenario.", "cells": "A cell for each column.", "steps": "A step for each factor.",
	"factor": "By how much the traffic has grown.", "goal": "The goal, as it was written.", "goals": "The goals.", "knobs": "What may be changed.",
	"minimize": "The prices, the first one above all.", "objective": "The price, as it was written.", "prices": "What it costs, by each objective.",
	"verdict": "Whether it is met, unclear or missed.", "why": "Why so.", "notes": "What was noticed on the way.", "method": "How was searched.",
	"runs": "How many runs were made.", "at": "Where that is.", "to": "The value there.", "before": "The value today.", "after": "The value then.",
	"difference": "The difference, pair by pair of replications.", "differenceHalfWidth": "Half the width of its confidence interval.",
	"quantile": "Which quantile of a distribution it is.", "seatsToday": "The seats of all servers today.", "objects": "How many flow-control objects change.",
}
