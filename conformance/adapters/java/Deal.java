// An example adapter in Java: a little engine that knows how the cut is won, how the cards are dealt, and what the cards won
// in tricks count. It shows that the protocol can be spoken without any library. Try it with:
//
//     hoyle check java conformance/adapters/java/Deal.java

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

public final class Deal {
    private static final String RANKS = "789JQKTA"; // lowest first
    private static final int[] PACKETS = {3, 2, 3};
    private static final List<String> SEATS = List.of("A", "B");

    // ---- the engine -----------------------------------------------------------------------------------------------

    private final Map<String, Object> score;
    private final Map<String, List<Object>> hands = new LinkedHashMap<>();
    private List<Object> stock = List.of();
    private String phase;
    private Object dealer;
    private String turn;
    private Object turnUp;
    private Object trumps;

    private Deal(Map<String, Object> position) {
        score = new LinkedHashMap<>(object(position.get("score")));
        phase = (String) position.get("phase");
        dealer = position.get("dealer");
        turn = (String) position.get("turn");
        for (String seat : SEATS) hands.put(seat, new ArrayList<>());
    }

    /** The highest card deals; equal cards decide nothing. */
    private String cut(List<Object> cards) {
        if (!phase.equals("cut")) return "the deal is settled";
        int difference = strength(cards.get(0)) - strength(cards.get(1));
        if (difference == 0) return null;
        dealer = turn = difference > 0 ? "A" : "B";
        phase = "deal";
        return null;
    }

    /** Three, two and three to each, the non-dealer first; then a card is turned up. */
    private String deal(String by, List<Object> deck) {
        if (!phase.equals("deal")) return "not now";
        if (!by.equals(dealer)) return "not the dealer";
        String elder = other(by);
        int at = 0;
        for (int size : PACKETS) {
            for (String seat : List.of(elder, by)) {
                hands.get(seat).addAll(deck.subList(at, at + size));
                at += size;
            }
        }
        turnUp = deck.get(at);
        trumps = turnUp.toString().substring(1, 2);
        stock = deck.subList(at + 1, deck.size());
        if (turnUp.toString().startsWith("7")) score.merge(by, 10L, (old, ten) -> (long) old + (long) ten);
        turn = elder;
        phase = "play";
        return null;
    }

    private static long counted(List<Object> cards) {
        return 10 * cards.stream().filter(card -> "AT".indexOf(card.toString().charAt(0)) >= 0).count();
    }

    private static int strength(Object card) {
        return RANKS.indexOf(card.toString().charAt(0));
    }

    private static String other(String seat) {
        return seat.equals("A") ? "B" : "A";
    }

    // ---- the protocol ---------------------------------------------------------------------------------------------

    private Map<String, Object> take(Map<String, Object> step, List<Object> observe) {
        if ("counted".equals(step.get("ask"))) return Map.of("answer", counted(list(step.get("cards"))));
        String act = (String) step.get("do");
        String refused;
        if ("cut".equals(act)) refused = cut(list(step.get("cards")));
        else if ("deal".equals(act)) refused = deal((String) step.get("by"), list(step.get("deck")));
        else if ("choose".equals(act)) refused = "the highest card deals, and nothing is left to choose";
        else return Map.of("unsupported", "this engine cuts, deals and counts");
        Map<String, Object> seen = new LinkedHashMap<>();
        seen.put("accepted", refused == null);
        if (refused != null) seen.put("reason", refused);
        for (Object name : observe) seen.put((String) name, observed((String) name));
        return seen;
    }

    private Object observed(String name) {
        return switch (name) {
            case "score" -> new LinkedHashMap<>(score);
            case "turn" -> turn;
            case "dealer" -> dealer;
            case "trumps" -> trumps;
            case "turn_up" -> turnUp;
            case "hands" -> Map.of("A", List.copyOf(hands.get("A")), "B", List.copyOf(hands.get("B")));
            case "shown" -> Map.of("A", List.of(), "B", List.of());
            case "stock_left" -> (long) stock.size();
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static Map<String, Object> answer(Map<String, Object> message) {
        Map<String, Object> answer = new LinkedHashMap<>();
        if ("hello".equals(message.get("type"))) {
            answer.put("type", "ready");
            answer.put("protocol", 1L);
            answer.put("name", "example: deal");
            answer.put("version", "1.0");
            answer.put("language", "Java");
            answer.put("rulesets", List.of("bezique-hoyle"));
            answer.put("position", "deal");
            answer.put("claims", List.of("dealing", "counting", "score", "table"));
            return answer;
        }
        Deal engine = new Deal(object(message.get("position")));
        for (Object act : list(message.getOrDefault("prelude", List.of()))) engine.take(object(act), List.of());
        List<Object> seen = new ArrayList<>();
        for (Object step : list(message.get("steps"))) seen.add(engine.take(object(step), list(message.get("observe"))));
        answer.put("type", "observed");
        answer.put("seq", message.get("seq"));
        answer.put("steps", seen);
        return answer;
    }

    public static void main(String[] arguments) throws IOException {
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var output = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            Map<String, Object> message = object(new Json(line).value());
            if ("bye".equals(message.get("type"))) return;
            output.println(Json.write(answer(message)));
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> object(Object value) {
        return (Map<String, Object>) value;
    }

    @SuppressWarnings("unchecked")
    private static List<Object> list(Object value) {
        return (List<Object>) value;
    }

    // ---- as much JSON as the protocol needs: objects, lists, text, whole numbers, true, false and null ---------------

    private static final class Json {
        private final String text;
        private int at;

        Json(String text) {
            this.text = text;
        }

        Object value() {
            skip();
            char next = text.charAt(at);
            if (next == '{') return object();
            if (next == '[') return list();
            if (next == '"') return string();
            int start = at;
            while (at < text.length() && ",]} \t".indexOf(text.charAt(at)) < 0) at++;
            String word = text.substring(start, at);
            return switch (word) {
                case "true" -> true;
                case "false" -> false;
                case "null" -> null;
                default -> Long.valueOf(word);
            };
        }

        private Map<String, Object> object() {
            Map<String, Object> found = new LinkedHashMap<>();
            while (more('}')) {
                skip();
                String key = string();
                skip();
                at++; // the colon
                found.put(key, value());
            }
            return found;
        }

        private List<Object> list() {
            List<Object> found = new ArrayList<>();
            while (more(']')) found.add(value());
            return found;
        }

        /** Steps over the opening bracket or a comma; false, behind the closing bracket, when there is nothing more. */
        private boolean more(char closing) {
            skip();
            if (text.charAt(at) != closing) {
                at++;
                skip();
            }
            if (text.charAt(at) != closing) return true;
            at++;
            return false;
        }

        private String string() {
            StringBuilder found = new StringBuilder();
            for (at++; text.charAt(at) != '"'; at++) {
                if (text.charAt(at) != '\\') {
                    found.append(text.charAt(at));
                } else if (text.charAt(++at) == 'u') {
                    found.append((char) Integer.parseInt(text.substring(at + 1, at + 5), 16));
                    at += 4;
                } else {
                    int escape = "bfnrt".indexOf(text.charAt(at));
                    found.append(escape < 0 ? text.charAt(at) : "\b\f\n\r\t".charAt(escape));
                }
            }
            at++;
            return found.toString();
        }

        private void skip() {
            while (at < text.length() && Character.isWhitespace(text.charAt(at))) at++;
        }

        static String write(Object value) {
            if (value instanceof Map<?, ?> map) {
                List<String> entries = new ArrayList<>();
                map.forEach((key, each) -> entries.add(write(key) + ":" + write(each)));
                return "{" + String.join(",", entries) + "}";
            }
            if (value instanceof List<?> list) return "[" + String.join(",", list.stream().map(Json::write).toList()) + "]";
            if (value instanceof String string) return '"' + string.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
            return String.valueOf(value);
        }
    }
}
