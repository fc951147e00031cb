// An engine that knows one thing of Bézique: who wins a trick. Put yours in its place.
package main

import "strings"

// winner returns the place, from 0, of the card that wins a trick: the highest trump, or else the highest card of the
// suit led.
func winner(cards []any, trumps, ranks string) int {
	best := cards[0].(string)
	place := 0
	for at, each := range cards {
		card := each.(string)
		higher := strings.IndexByte(ranks, card[0]) > strings.IndexByte(ranks, best[0])
		if card[1] == best[1] && higher || card[1] != best[1] && card[1:2] == trumps {
			best, place = card, at
		}
	}
	return place
}

// Respond returns the response to a message "run": an observation of each step, or that the engine cannot perform it.
func Respond(run Values) Values {
	position := run["position"].(Values)
	seats := "ABCD"[:len(position["score"].(Values))]
	steps := []any{}
	for _, each := range run["steps"].([]any) {
		step := each.(Values)
		if step["ask"] != "winner" {
			steps = append(steps, Values{"unsupported": "this engine only knows who wins a trick"})
			continue
		}
		trumps, given := step["trumps"].(string)
		if !given {
			trumps, _ = position["trumps"].(string)
		}
		drawing, given := step["drawing"].(bool)
		if !given {
			stock, _ := position["stock"].([]any)
			drawing = len(stock) > 0
		}
		ranks := "789JQKTA"
		if options := run["options"].([]any); len(options) > 0 && options[0] == "ten-at-whist-rank" && !drawing {
			ranks = "789TJQKA"
		}
		place := strings.Index(seats, step["by"].(string)) + winner(step["cards"].([]any), trumps, ranks)
		steps = append(steps, Values{"answer": seats[place%len(seats) : place%len(seats)+1]})
	}
	return Values{"type": "observed", "steps": steps}
}
