;; A small engine in WebAssembly: who wins a trick at Bézique. It does not know Hoyle; winner.js is the adapter.
;;
;; A card is a number: eight times its suit, and its rank among 7 8 9 J Q K T A from 0. The cards of a trick are
;; consecutive bytes of the memory, from 0, in the order of play.
(module
  (memory (export "memory") 1)

  (func $suit (param $card i32) (result i32)
    local.get $card
    i32.const 3
    i32.shr_u)

  ;; Whether a card takes a trick in which another is winning. The first of two identical cards wins.
  (func $beats (param $card i32) (param $best i32) (param $trumps i32) (result i32)
    local.get $card
    call $suit
    local.get $best
    call $suit
    i32.eq
    if (result i32)
      local.get $card
      local.get $best
      i32.gt_u
    else
      local.get $card
      call $suit
      local.get $trumps
      i32.eq
    end)

  ;; The place of the card that wins a trick of so many cards.
  (func $winner (export "winner") (param $count i32) (param $trumps i32) (result i32)
    (local $at i32)
    (local $best i32)
    loop $next
      local.get $at
      i32.load8_u
      local.get $best
      i32.load8_u
      local.get $trumps
      call $beats
      if
        local.get $at
        local.set $best
      end
      local.get $at
      i32.const 1
      i32.add
      local.tee $at
      local.get $count
      i32.lt_u
      br_if $next
    end
    local.get $best))
