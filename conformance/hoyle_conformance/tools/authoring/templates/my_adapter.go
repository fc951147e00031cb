// An adapter between Hoyle and your engine. So far it answers one question: who wins a trick.
//
//	go build -o my_adapter my_adapter.go
//	hoyle doctor ./my_adapter
//	hoyle check ./my_adapter
package main

import (
	"bufio"
	"encoding/json"
	"log"
	"os"
	"strings"
)

type object = map[string]any

var ready = object{
	"type":     "ready",
	"protocol": 1,
	"name":     "my engine",
	"version":  "1",
	"language": "Go",
	"rulesets": []string{"bezique-hoyle"}, // the rulesets that you play: 'hoyle suite list rulesets'
	"claims":   []string{"winner"},        // what you can answer: 'hoyle suite list claims'. Next: "playable", "worth"
}

// The parts of a message from Hoyle that this adapter needs.
type message struct {
	Type     string
	Seq      int
	Position struct{ Trumps string }
	Steps    []step
}

type step struct {
	Ask    string
	By     string
	Cards  []string
	Trumps *string
}

// The card that wins the trick, counted from 0 in the order of play; a card is "TH", or "TH#2".
// ENGINE: call your engine here. So far the first card always wins.
func winner(cards []string, trumps string) int {
	return 0
}

// The observation of one step. A question may have values that otherwise come from the position.
func observe(asked step, trumps string) object {
	if asked.Trumps != nil {
		trumps = *asked.Trumps
	}
	if asked.Ask == "winner" {
		place := (strings.Index("AB", asked.By) + winner(asked.Cards, trumps)) % 2
		return object{"answer": "AB"[place : place+1]}
	}
	return object{"unsupported": "not written yet"}
}

func answer(heard message) object {
	if heard.Type == "hello" {
		return ready
	}
	steps := []object{}
	for _, asked := range heard.Steps {
		steps = append(steps, observe(asked, heard.Position.Trumps))
	}
	return object{"type": "observed", "seq": heard.Seq, "steps": steps}
}

func main() {
	input, output := bufio.NewReader(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		line, err := input.ReadBytes('\n')
		if err != nil { // the end of the input
			return
		}
		var heard message
		if err := json.Unmarshal(line, &heard); err != nil {
			log.Fatal(err)
		}
		if heard.Type == "bye" {
			return
		}
		if err := output.Encode(answer(heard)); err != nil {
			log.Fatal(err)
		}
	}
}
