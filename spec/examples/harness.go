// Runs the checks of one ruleset on an engine. Nothing is needed but Go and a file of spec-json/suite/.
//
//	go run harness.go engine.go bezique-hoyle.json.gz                   the engine in engine.go, which this program calls
//	go run harness.go engine.go bezique-hoyle.json.gz ./my-adapter      an adapter, by the protocol
package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"os/exec"
	"regexp"
	"sort"
)

type Values = map[string]any

type Check struct {
	ID, Title string
	Run       Values
	Expect    map[string][]Values // under each reading, what must be observed at the end of each step of the scenario
}

func read() (checks []Check) {
	file, err := os.Open(os.Args[1])
	must(err)
	text, err := gzip.NewReader(file)
	must(err)
	suite := struct{ Checks *[]Check }{&checks}
	must(json.NewDecoder(text).Decode(&suite))
	return checks
}

// fromAdapter returns the responses of an adapter, which is sent everything at once. The first is to "hello".
func fromAdapter(checks []Check, command []string) (responses []Values) {
	var input bytes.Buffer
	send := json.NewEncoder(&input)
	must(send.Encode(Values{"type": "hello", "protocol": 1, "suite": "any"}))
	for at, check := range checks {
		check.Run["type"], check.Run["seq"] = "run", at+1
		must(send.Encode(check.Run))
	}
	must(send.Encode(Values{"type": "bye"}))
	adapter := exec.Command(command[0], command[1:]...)
	adapter.Stdin, adapter.Stderr = &input, os.Stderr
	output, _ := adapter.Output()
	for lines := json.NewDecoder(bytes.NewReader(output)); lines.More(); {
		var response Values
		must(lines.Decode(&response))
		responses = append(responses, response)
	}
	if len(responses) > 0 {
		responses = responses[1:]
	}
	return responses
}

var card = regexp.MustCompile(`^([789TJQKA][CDHS])#\d$`)

// comparable returns a value in the form in which it is compared: cards without the number of their copy, lists without
// their order, and lists of objects without repetitions.
func comparable(value any) any {
	switch value := value.(type) {
	case string:
		return card.ReplaceAllString(value, "$1")
	case Values:
		same := Values{}
		for key, each := range value {
			same[key] = comparable(each)
		}
		return same
	case []any:
		entries, found := []string{}, map[string]bool{}
		for _, each := range value {
			text := shown(comparable(each))
			if _, object := each.(Values); !object || !found[text] {
				entries = append(entries, text)
			}
			found[text] = true
		}
		sort.Strings(entries)
		return entries
	}
	return value
}

func shown(value any) string {
	text, err := json.Marshal(value)
	must(err)
	return string(text)
}

// difference says what is wrong with the observations of a check's steps, compared with those expected. It is empty if
// nothing is.
func difference(run Values, expected []Values, steps []any) string {
	score := run["position"].(Values)["score"].(Values)
	for _, wanted := range expected {
		after := int(wanted["after"].(float64))
		observed := Values{}
		if after <= len(steps) {
			observed = steps[after-1].(Values)
		}
		if observed["unsupported"] != nil || observed["skipped"] != nil {
			continue
		}
		now, known := observed["score"].(Values)
		for key, of := range wanted {
			got := observed[key]
			switch {
			case key == "after":
				continue
			case key == "scores": // the points that each side has scored with this step
				key, of, got = "score", sum(score, of.(Values)), observed["score"]
			case key == "accepted" && of == false && known && shown(now) != shown(score): // it changes nothing
				key, of, got = "score", score, now
			case key == "answer" && (of == nil || of == 0.0) && (got == nil || got == 0.0): // worth nothing
				continue
			case key != "answer":
				got = named(of, got)
			}
			if shown(comparable(of)) != shown(comparable(got)) {
				return fmt.Sprintf("step %d: %s is %s, not %s", after, key, shown(got), shown(of))
			}
		}
		if known {
			score = now
		}
	}
	return ""
}

func sum(score, more Values) Values {
	total := Values{}
	for seat, points := range score {
		scored, _ := more[seat].(float64)
		total[seat] = points.(float64) + scored
	}
	return total
}

// named returns those entries of an object that are expected, for only these are compared.
func named(of, got any) any {
	wanted, is := of.(Values)
	all, has := got.(Values)
	if !is || !has {
		return got
	}
	some := Values{}
	for name := range wanted {
		some[name] = all[name]
	}
	return some
}

func main() {
	checks := read()
	responses := []Values{}
	if command := os.Args[2:]; len(command) > 0 {
		responses = fromAdapter(checks, command)
	} else {
		for _, check := range checks {
			responses = append(responses, Respond(check.Run))
		}
	}
	passed, failed, unanswered := 0, 0, 0
	for at, check := range checks {
		response := Values{"type": "error", "reason": "no response"}
		if at < len(responses) {
			response = responses[at]
		}
		steps, observed := response["steps"].([]any)
		found, unsupported := fmt.Sprint(response["reason"]), 0
		for _, step := range steps {
			if step.(Values)["unsupported"] != nil {
				unsupported++
			}
		}
		if response["type"] != "error" && unsupported == len(steps) {
			unanswered++
			continue
		}
		for _, expected := range check.Expect {
			if observed && found != "" { // any reading is right
				found = difference(check.Run, expected, steps)
			}
		}
		if found == "" {
			passed++
		} else {
			failed++
			fmt.Printf("%s: %s\n  %s\n", check.ID, check.Title, found)
		}
	}
	fmt.Printf("%d checks passed, %d failed, %d were not answered.\n", passed, failed, unanswered)
	if failed > 0 || passed == 0 {
		os.Exit(1)
	}
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
