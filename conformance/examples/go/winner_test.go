// An engine in Go, held against the suite in process: no adapter, no protocol.
//
//	hoyle suite build --ready ready.json -o suite.json
//	go test winner_test.go
package bezique

import (
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"
)

// Winner is the engine: which card takes the trick, counted from 0 in the order of play.
func Winner(cards []string, trumps string) int {
	const ranks = "789JQKTA"
	best := 0
	for at, card := range cards {
		same := card[1] == cards[best][1]
		higher := strings.IndexByte(ranks, card[0]) > strings.IndexByte(ranks, cards[best][0])
		if same && higher || !same && card[1:2] == trumps {
			best = at
		}
	}
	return best
}

func TestWinner(t *testing.T) {
	var suite struct {
		Checks []struct {
			ID, Title, Follows string
			Run                struct {
				Position struct{ Trumps string }
				Steps    []struct {
					By, Trumps string
					Cards      []string
				}
			}
			StepEnds []int                                         `json:"step_ends"`
			Expect   map[string]map[string]struct{ Answer string } // by reading, then by the step of the scenario
		}
	}
	text, err := os.ReadFile("suite.json")
	if err == nil {
		err = json.Unmarshal(text, &suite)
	}
	if err != nil || len(suite.Checks) == 0 {
		t.Fatal("there is no suite: run 'hoyle suite build --ready ready.json -o suite.json'", err)
	}
	for _, check := range suite.Checks {
		t.Run(check.ID, func(t *testing.T) {
			for number, expected := range check.Expect[check.Follows] {
				at, _ := strconv.Atoi(number)
				step := check.Run.Steps[check.StepEnds[at-1]-1] // a step of the scenario ends with this one of what is sent
				trumps := step.Trumps
				if trumps == "" {
					trumps = check.Run.Position.Trumps
				}
				seat := (strings.Index("AB", step.By) + Winner(step.Cards, trumps)) % 2
				if answer := "AB"[seat : seat+1]; answer != expected.Answer {
					t.Errorf("%s: who wins %v? expected %s, observed %s", check.Title, step.Cards, expected.Answer, answer)
				}
			}
		})
	}
}
