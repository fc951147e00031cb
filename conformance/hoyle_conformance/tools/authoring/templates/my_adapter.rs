//! An adapter between Hoyle and your engine. So far it answers one question: who wins a trick.
//!
//!     rustc -O -o my_adapter my_adapter.rs
//!     hoyle doctor ./my_adapter
//!     hoyle check ./my_adapter
//!
//! It needs only the compiler. In your own project, read the messages with serde_json.

use std::io::{self, BufRead, Write};

/// `rulesets` lists what you play ('hoyle suite list rulesets'), `claims` what you can answer ('hoyle suite list claims').
/// Next: "playable", "worth".
const READY: &str = r#"{"type":"ready","protocol":1,"name":"my engine","version":"1","language":"Rust",
    "rulesets":["bezique-hoyle"],"claims":["winner"]}"#;

/// The card that wins the trick, counted from 0 in the order of play; a card is "TH", or "TH#2".
/// ENGINE: call your engine here. So far the first card always wins.
fn winner(_cards: &[&str], _trumps: &str) -> usize {
    0
}

/// The observation of one step. A question may have values that otherwise come from the position.
fn observe(step: &str, position: &str) -> String {
    if text(get(step, "ask")) != "winner" {
        return r#"{"unsupported":"not written yet"}"#.to_string();
    }
    let trumps = text(get(step, "trumps").or(get(position, "trumps")));
    let cards: Vec<&str> = parts(get(step, "cards").unwrap_or("[]")).into_iter().map(|card| text(Some(card))).collect();
    let seat = "AB".find(text(get(step, "by"))).unwrap_or(0);
    let place = (seat + winner(&cards, trumps)) % 2;
    format!(r#"{{"answer":"{}"}}"#, &"AB"[place..place + 1])
}

fn answer(message: &str) -> String {
    if text(get(message, "type")) == "hello" {
        return READY.replace('\n', "");
    }
    let (position, seq) = (get(message, "position").unwrap_or("{}"), get(message, "seq").unwrap_or("0"));
    let steps = parts(get(message, "steps").unwrap_or("[]"));
    let observed: Vec<String> = steps.iter().map(|step| observe(step, position)).collect();
    format!(r#"{{"type":"observed","seq":{},"steps":[{}]}}"#, seq, observed.join(","))
}

// ---- JSON, read in place: a value is its text

/// The end of the value that a text begins with.
fn end_of(text: &str) -> usize {
    let (mut depth, mut quoted, mut escaped) = (0, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'[' | b'{' => depth += 1,
            b',' | b':' | b']' | b'}' if depth == 0 => return at,
            b']' | b'}' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

/// The parts of a list, or of an object; in an object, names and values alternate.
fn parts(within: &str) -> Vec<&str> {
    let (mut found, mut rest) = (Vec::new(), within.get(1..).unwrap_or("").trim_start());
    while !rest.is_empty() && !rest.starts_with([']', '}']) {
        let (part, after) = rest.split_at(end_of(rest));
        found.push(part.trim_end());
        rest = after.trim_start_matches([',', ':']).trim_start();
    }
    found
}

fn get<'a>(object: &'a str, name: &str) -> Option<&'a str> {
    parts(object).chunks(2).find(|pair| text(Some(pair[0])) == name).map(|pair| pair[1])
}

/// A value that is text, without its quotation marks.
fn text(value: Option<&str>) -> &str {
    value.unwrap_or("").trim_matches('"')
}

fn main() -> io::Result<()> {
    let mut output = io::stdout();
    for line in io::stdin().lock().lines() {
        let line = line?;
        if text(get(&line, "type")) == "bye" {
            break;
        }
        writeln!(output, "{}", answer(&line))?;
        output.flush()?;
    }
    Ok(())
}
