import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * An adapter between Hoyle and your engine. So far it answers one question: who wins a trick.
 *
 * <pre>
 * javac MyAdapter.java
 * hoyle doctor java -cp . MyAdapter
 * hoyle check java -cp . MyAdapter
 * </pre>
 *
 * It needs only Java. In your own project, read the messages with a library.
 */
class MyAdapter {
    /** `rulesets` lists what you play ('hoyle suite list rulesets'), `claims` what you can answer ('hoyle suite list claims').
     * Next: "playable", "worth". */
    private static final String READY = "{\"type\":\"ready\",\"protocol\":1,\"name\":\"my engine\",\"version\":\"1\","
            + "\"language\":\"Java\",\"rulesets\":[\"bezique-hoyle\"],\"claims\":[\"winner\"]}";

    /** The card that wins the trick, counted from 0 in the order of play; a card is "TH", or "TH#2".
     * ENGINE: call your engine here. So far the first card always wins. */
    static int winner(List<String> cards, String trumps) {
        return 0;
    }

    /** The observation of one step. A question may have values that otherwise come from the position. */
    static String observe(String step, String position) {
        if (!text(get(step, "ask")).equals("winner")) {
            return "{\"unsupported\":\"not written yet\"}";
        }
        String trumps = get(step, "trumps");
        List<String> cards = new ArrayList<>();
        for (String card : parts(get(step, "cards"))) {
            cards.add(text(card));
        }
        int place = winner(cards, text(trumps != null ? trumps : get(position, "trumps")));
        return "{\"answer\":\"" + "AB".charAt(("AB".indexOf(text(get(step, "by"))) + place) % 2) + "\"}";
    }

    static String answer(String message) {
        if (text(get(message, "type")).equals("hello")) {
            return READY;
        }
        List<String> observed = new ArrayList<>();
        for (String step : parts(get(message, "steps"))) {
            observed.add(observe(step, get(message, "position")));
        }
        String steps = String.join(",", observed);
        return "{\"type\":\"observed\",\"seq\":" + get(message, "seq") + ",\"steps\":[" + steps + "]}";
    }

    // ---- JSON, read in place: a value is its text

    /** The end of the value that begins here. */
    static int endOf(String text, int at) {
        boolean quoted = false;
        int depth = 0;
        for (; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '\\') {
                at++; // only within quotation marks
            } else if (c == '"') {
                quoted = !quoted;
            } else if (!quoted && depth == 0 && ",:]}".indexOf(c) >= 0) {
                return at;
            } else if (!quoted) {
                depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
            }
        }
        return at;
    }

    /** The parts of a list, or of an object; in an object, names and values alternate. */
    static List<String> parts(String within) {
        List<String> found = new ArrayList<>();
        for (int at = 1, end; within != null && at < within.length() - 1; at = end + 1) {
            end = endOf(within, at);
            String part = within.substring(at, end).trim();
            if (!part.isEmpty()) {
                found.add(part);
            }
        }
        return found;
    }

    static String get(String object, String name) {
        List<String> found = parts(object);
        for (int at = 0; at + 1 < found.size(); at += 2) {
            if (text(found.get(at)).equals(name)) {
                return found.get(at + 1);
            }
        }
        return null;
    }

    /** A value that is text, without its quotation marks; empty if there is none. */
    static String text(String value) {
        return value == null ? "" : value.replaceAll("^\"|\"$", "");
    }

    public static void main(String[] words) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream output = new PrintStream(System.out, true, "UTF-8");
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            if (text(get(line.trim(), "type")).equals("bye")) {
                break;
            }
            output.print(answer(line.trim()) + "\n");
            output.flush();
        }
    }
}
