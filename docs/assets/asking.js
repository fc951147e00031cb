// Answers questions as the command does (conformance/hoyle_conformance/tools/ask; stemming.py for the stems): it understands
// each question in the same way and gives the same answer. All words, phrases and measures come from window.HOYLE_INDEX;
// this script changes no page.
window.hoyleAsking = (() => {
  const MOST_LETTERS = 300;
  const ENDINGS = [["ies", "y"], ["ied", "y"], ["ing", ""], ["ed", ""], ["s", ""]];
  const LEAST = 3;
  const SIGNS = { "♣": " clubs ", "♦": " diamonds ", "♥": " hearts ", "♠": " spades " };
  const NEXT = /\?\s|[,.]? and (?=(?:what|who|how|when|where|which|may|can|must|do|does|is|are)\b)/i;
  const AGAINST = /\d(?: points)? (?:to|against|v|vs|versus) \d|\d ?[-:] ?\d|scores? (?:of )?\d+ and \d/, EITHER = /\d or \d/;

  // ---- words (stemming.py)

  const words = (text) => {
    const signed = text.replace(/[♣♦♥♠]/g, (sign) => SIGNS[sign]);
    const plain = signed.toLowerCase().replaceAll("ß", "ss").normalize("NFKD").replace(/\p{M}/gu, "");
    return plain.replace(/(\d),(?=\d{3}(?!\d))/g, "$1").match(/[\p{L}\p{N}]+/gu) ?? [];
  };
  const stemmed = new Map();
  const stem = (word) => {
    if (!stemmed.has(word)) stemmed.set(word, withoutEnding(word));
    return stemmed.get(word);
  };
  const withoutEnding = (word) => {
    for (const [ending, instead] of ENDINGS) {
      if (word.endsWith(ending) && !word.endsWith("ss") && word.length - ending.length >= LEAST) {
        word = word.slice(0, -ending.length) + instead;
        break;
      }
    }
    if (word.length > LEAST && word.endsWith("e")) word = word.slice(0, -1);
    return word.length > LEAST && word.at(-1) === word.at(-2) && /^\p{L}+$/u.test(word) ? word.slice(0, -1) : word;
  };

  // ---- similar names (suggest.py, and difflib)

  const matched = (one, other) => {
    const places = new Map();
    [...other].forEach((letter, at) => places.set(letter, [...(places.get(letter) ?? []), at]));
    let sum = 0;
    const waiting = [[0, one.length, 0, other.length]];
    while (waiting.length) {
      const [low, high, from, to] = waiting.pop();
      let [best, besti, bestj, lengths] = [0, low, from, new Map()];
      for (let i = low; i < high; i += 1) {
        const now = new Map();
        for (const j of places.get(one[i]) ?? []) {
          if (j < from) continue;
          if (j >= to) break;
          const length = (lengths.get(j - 1) ?? 0) + 1;
          now.set(j, length);
          if (length > best) [best, besti, bestj] = [length, i - length + 1, j - length + 1];
        }
        lengths = now;
      }
      if (!best) continue;
      sum += best;
      waiting.push([low, besti, from, bestj], [besti + best, high, bestj + best, to]);
    }
    return sum;
  };
  const nearest = (word, known, cutoff) => {
    let best = "", most = cutoff;
    for (const each of known) {
      const total = each.length + word.length;
      if ((2 * Math.min(each.length, word.length)) / total < cutoff) continue;
      const likeness = (2 * matched(each, word)) / total;
      if (likeness > most || (likeness === most && (!best || each > best))) [best, most] = [each, likeness];
    }
    return best;
  };

  const ready = (index) => {
    const { measures: M, scopes, words: table } = index.asking;
    const lexicon = index.lexicon;
    const idle = new Set(table.idle), bare = new Set(table.bare), worth = new Set(table.worth), strangers = new Set(table.strangers);
    const single = new Map(Object.entries(table.single)), several = new Map(Object.entries(table.several));
    const near = new Map(Object.entries(table.near));
    const rulesets = index.asking.rulesets.map(([id, game, sources, rubicon]) => ({ id, game, sources, rubicon, base: id.split("+")[0] }));
    const bases = rulesets.filter(({ game }) => game);
    const optionsOf = (base) => rulesets.filter((each) => each.base === base && !each.game).map(({ id }) => id);

    // ---- words (words.py)

    const formAt = (forms, stems, at) => {
      for (const [parts, form] of forms) if (parts.every((part, place) => stems[at + place] === part)) return [parts.length, form];
      return [1, stems[at]];
    };
    const tokensOf = (written) => {
      const stems = written.map(stem).map((each) => single.get(each) ?? each);
      const found = [];
      for (let at = 0; at < stems.length; ) {
        const [length, form] = several.has(stems[at]) ? formAt(several.get(stems[at]), stems, at) : [1, stems[at]];
        if (!idle.has(form)) found.push(form);
        at += length;
      }
      return found;
    };
    const kindsOf = (text) => {
      const said = ` ${words(text).join(" ")} `;
      return new Set(Object.entries(table.kinds).filter(([, phrases]) => phrases.some((each) => said.includes(each))).map(([kind]) => kind));
    };

    // ---- the scope (scope.py)

    const { before, multiples, after, never_after: neverAfter } = scopes.combination;
    const names = new Set([...Object.values(scopes.games), ...scopes.books.map((book) => book.words)].flat().filter((each) => each.length === 1).flat());
    names.add("rubicon");
    const entryWords = new Set(scopes.entry);

    const ofOneGame = new Set(scopes.terms);
    const asName = (word) => (word.length < M.NAME_LETTERS || names.has(word) || ofOneGame.has(word) ? word : nearest(word, names, M.NAME_LIKENESS) || word);
    const strike = (written, phrases, struck) => {
      let found = false;
      for (const parts of phrases)
        for (let at = 0; at + parts.length <= written.length; at += 1)
          if (parts.every((part, place) => written[at + place] === part)) {
            parts.forEach((_part, place) => struck.add(at + place));
            found = true;
          }
      return found;
    };
    const meets = (some, others) => some.some((each) => others.includes(each));
    const bySource = (book, among) => among.filter((each) => meets(each.sources, book.sources));
    const byForm = (form, among) =>
      among.filter(({ id }) => (form.rulesets ?? []).includes(id) || (form.parts ?? []).some((part) => id.includes(part)));
    const narrowed = (written, among, named, struck) => {
      const books = new Set(named.flatMap((book) => bySource(book, among)));
      let kept = books.size ? among.filter((each) => books.has(each)) : among;
      let missing = named.length > 0 && !books.size;
      const inside = (places) => [...places].every((place) => struck.has(place));
      for (const form of scopes.forms) {
        const places = new Set(), own = byForm(form, kept);
        if (own.length && strike(written, form.words, places) && !inside(places)) {
          kept = kept.filter((each) => own.includes(each));
          if (!form.keep) places.forEach((place) => struck.add(place));
        } else if (form.lacking && books.size && !own.length && byForm(form, among).length && strike(written, form.words, places)) {
          missing ||= !inside(places);
        }
      }
      return [kept, missing];
    };
    const gamesByBook = (named) => {
      const games = Object.keys(scopes.games).filter((game) => named.every((book) => bySource(book, bases).some((each) => each.game === game)));
      return games.length === 1 ? games : [];
    };
    const gamesByWords = (written) => {
      const said = ` ${written.map(stem).join(" ")} `;
      let games = Object.keys(scopes.games);
      for (const tier of scopes.words) {
        const counts = new Map(games.map((game) => [game, tier[game].filter((each) => said.includes(each)).length]));
        const most = Math.max(...counts.values());
        games = games.filter((game) => counts.get(game) === most);
      }
      return games;
    };
    const isCombination = (written, at) => {
      const one = at ? written[at - 1] : "", next = written[at + 1] ?? "";
      return after.includes(next) || !!nearest(one, multiples, M.NAME_LIKENESS) || (before.includes(one) && !neverAfter.includes(next));
    };
    const findScope = (text, only) => {
      const written = words(text).map(asName), struck = new Set();
      let games = Object.entries(scopes.games).filter(([, forms]) => strike(written, forms, struck)).map(([game]) => game);
      const namesGame = games.length > 0;
      const books = scopes.books.filter((book) => strike(written, book.words, struck));
      if (only) games = [only];
      else if (!namesGame) {
        games = gamesByBook(books);
        if (!games.length) games = gamesByWords(written);
      }
      const among = games.flatMap((game) => bases.filter((each) => each.game === game));
      const [kept, missing] = narrowed(written, among, books, struck);
      const compared = books.length > 1 && strike(written, scopes.compare, struck);
      const left = written.filter((_word, at) => !struck.has(at));
      const own = scopes.games["Bézique"].flat();
      return {
        games, rulesets: kept, namesGame, narrowed: books.length > 0 || kept.length < among.length, left, missing, compared,
        combination: written.some((word, at) => own.includes(word) && isCombination(written, at)),
        entry: left.every((word) => entryWords.has(stem(word))),
      };
    };

    // ---- the subjects (subjects.py), prepared when their game is first asked about

    const [RULE, IRREGULARITY, CLAUSE, ALONE] = [0, 1, 2, 3];
    const isClause = ({ kind }) => kind === CLAUSE || kind === ALONE;
    const read = ([kind, id, called, text, clauses, having]) => {
      const said = index.clauses[id] ? [tokensOf(words(index.clauses[id][1]))] : [];
      const named = [...said, ...called.map((name) => name.map((number) => lexicon[number]))];
      const own = new Set(said.length ? named.flat() : text.map((number) => lexicon[number]));
      return {
        kind, id, names: named, text: own, all: new Set([...named.flat(), ...own]),
        named: new Set(named.flat()), clauses: kind === CLAUSE || kind === ALONE ? [id] : clauses,
        rulesets: having.map((number) => rulesets[number].id),
      };
    };
    const known = new Map();
    const knownOf = (game) => {
      if (!known.has(game)) {
        const { subjects, elsewhere, weights } = index.asking.games[game];
        const weight = new Map(weights.map(([number, each]) => [lexicon[number], each]));
        known.set(game, { subjects: subjects.map(read), elsewhere: elsewhere.map(read), weights: weight, rarest: Math.max(...weight.values()) });
      }
      return known.get(game);
    };

    // ---- likelihood (rank.py)

    const rounded = (value) => Math.round(value * 10 ** M.PLACES) / 10 ** M.PLACES;
    const found = (word, places) => {
      if (places(word)) return places(word);
      let best = 0;
      for (const each of near.get(word) ?? []) best = Math.max(best, places(each));
      return M.NEAR * best;
    };
    const share = (places, asked) => {
      let total = 0, sum = 0;
      for (const count of asked.values()) total += count;
      for (const [word, count] of asked) sum += count * found(word, places);
      return sum / (total || 1);
    };
    const inSet = (set) => (word) => (set.has(word) ? 1 : 0);
    const alike = (name, asked, weights) => {
      const here = new Set(name);
      const recall = share(inSet(here), asked);
      const there = inSet(asked);
      let total = 0, sum = 0;
      for (const word of here) {
        const count = weights.get(word) ?? 1;
        total += count;
        sum += count * found(word, there);
      }
      const precision = sum / (total || 1);
      return precision + recall ? (2 * precision * recall) / (precision + recall) : 0;
    };
    const reached = (asked) => new Set([...asked.keys()].flatMap((word) => [word, ...(near.get(word) ?? [])]));
    const bestNames = (called, asked, weights, near_) => {
      const near = called.filter((name) => name.some((word) => near_.has(word))).map((name) => alike(name, asked, weights));
      const best = near.sort((one, other) => other - one).slice(0, M.NAMES);
      return best.length ? (best[0] + best.reduce((sum, each) => sum + each, 0) / Math.min(M.NAMES, called.length)) / 2 : 0;
    };
    const likelyOf = (each, asked, weights, near_, inText) => {
      const places = (word) => (each.named.has(word) ? 1 : each.all.has(word) ? inText : 0);
      return M.NAME * bestNames(each.names, asked, weights, near_) + M.WORDS * share(places, asked);
    };
    const fits = ({ kind, id }, kinds) => {
      if (kind === CLAUSE || kind === ALONE) return kind === CLAUSE ? M.CITED : 1;
      if (kind === IRREGULARITY) return kinds.has("penalty") ? M.PENALTY : M.NO_PENALTY;
      const last = id.slice(id.lastIndexOf(".") + 1);
      if (kinds.has("points")) return last === "points" || index.asking.worth.some((each) => id.startsWith(each)) ? M.OF_THE_KIND : 1;
      return kinds.has("time") && (last === "when" || last === "until") ? M.OF_THE_KIND : 1;
    };
    const rank = (subjects, { asked, kinds, near: near_ }, weights) =>
      subjects
        .map((subject) => ({ subject, likely: rounded(likelyOf(subject, asked, weights, near_, isClause(subject) ? 1 : M.TEXT) * fits(subject, kinds)) }))
        .sort((one, other) => other.likely - one.likely);

    // ---- understanding (understand.py)

    const spelled = (word, weights) => {
      const form = stem(word);
      if (weights.has(form) || near.has(form) || idle.has(form) || single.has(form) || several.has(form) || word.length < M.LETTERS) return word;
      const some = [];
      for (const each of [...weights.keys(), ...near.keys(), ...single.keys()])
        if (each[0] === word[0] && Math.abs(each.length - form.length) <= M.MORE_LETTERS) some.push(each);
      return nearest(form, some, M.LIKENESS) || word;
    };
    const BEZIQUE = stem("bezique");
    const understand = (text, scope, { weights, rarest }) => {
      const said = new Set(tokensOf(scope.left.map((word) => spelled(word, weights))));
      const asked = new Map([...said].filter((word) => weights.has(word) || near.has(word)).map((word) => [word, weights.get(word) ?? rarest]));
      const share = asked.size / (said.size || 1);
      if (weights.has(BEZIQUE) && (scope.combination || (scope.namesGame && [...asked.keys()].every((word) => worth.has(word))))) asked.set(BEZIQUE, rarest / 2);
      return {
        text, scope, asked, said: new Map([...said].map((word) => [word, weights.get(word) ?? rarest / 2])), known: share, kinds: kindsOf(text), near: reached(asked),
        strangers: words(text).map(stem).filter((word) => strangers.has(word)),
        naming: [...asked.keys()].filter((word) => !bare.has(word)).length,
      };
    };
    const retrieveOne = (text, scope, game) => {
      const of = knownOf(game);
      const own = scope.rulesets.filter((each) => each.game === game);
      const having = new Set(own.flatMap(({ id }) => [id, ...optionsOf(id)]));
      const question = understand(text, { ...scope, games: [game], rulesets: own }, of);
      const has = (each) => each.rulesets.some((id) => having.has(id));
      const beyond = of.subjects.filter((each) => !has(each) && !isClause(each));
      return {
        question, of, found: rank(of.subjects.filter(has), question, of.weights),
        outside: rank([...beyond, ...of.elsewhere], question, of.weights),
      };
    };
    const likeliest = ({ found: some, question }) => (some[0]?.likely ?? 0) * question.known;
    const retrieve = (text, only, within) => {
      const scope = { ...findScope(text, only), ...within };
      const [best, ...others] = scope.games.map((game) => retrieveOne(text, scope, game)).sort((one, other) => Math.floor(10 * likeliest(other)) - Math.floor(10 * likeliest(one)));
      return { ...best, otherGame: others.some((each) => likeliest(each) >= likeliest(best) - M.NEARER && each.found.length > 0) };
    };

    // ---- the answer (answer.py)

    const family = (id) => id.slice(0, Math.max(0, id.lastIndexOf(".")));
    const saysTheSame = (best, other) => family(best.subject.id) === family(other.subject.id) || meets(other.subject.clauses, best.subject.clauses);
    const verdictOf = ({ question, otherGame }, best, others) => {
      const enough = question.scope.namesGame || question.asked.size >= M.NAMING;
      const vague = question.naming === 1 && question.known <= M.VAGUE;
      if (vague || (!question.naming && !(enough && best.likely >= M.VERY))) return ["unsure", "the question does not say what it is about"];
      const rival = others.filter((each) => !saysTheSame(best, each)).reduce((most, { likely }) => Math.max(most, likely), 0);
      const lead = best.likely - rival;
      if (otherGame && question.scope.namesGame) return ["unsure", "the question names both games"];
      const certain = best.likely + M.LEAD * Math.min(lead, M.CLEAR) + M.KNOWN * question.known;
      if (certain < M.PROBABLE) return ["unsure", lead < M.MARGIN ? "several rules fit equally well" : "no rule fits well"];
      return [otherGame || certain < M.CERTAIN ? "probably" : "sure", ""];
    };
    const tellsOf = (games, [best]) => best?.likely >= M.VERY && games.every((each) => best.subject.all.has(each));
    const scoresIn = (text) => {
      const numbers = words(text).filter((word) => /^[0-9]{2,}$/.test(word)).map(Number);
      const settled = AGAINST.test(text) || (kindsOf(text).has("settlement") && numbers[0] !== numbers[1]);
      return numbers.length === 2 && settled && !EITHER.test(text) && Math.max(...numbers) >= M.LEAST_SCORE ? numbers : null;
    };
    const settling = (scores, scope) => {
      const lower = Math.min(...scores);
      if (lower === Math.max(...scores)) return ["settle.equal_scores"].filter((id) => isSaid(id, scope));
      const rubicons = scope.rulesets.map(({ rubicon }) => rubicon).filter(Boolean);
      const under = rubicons.some((each) => lower < each) ? ["settle.under_the_rubicon", "settle.bonus_under_the_rubicon", "settle.brisques_under_the_rubicon"] : [];
      const over = rubicons.some((each) => lower >= each) ? ["settle.over_the_rubicon"] : [];
      return rubicons.length ? [...under, ...over, "settle.bonus"].filter((id) => isSaid(id, scope)) : [];
    };
    const nearTo = (best, rest) =>
      rest
        .filter(({ likely, subject }) => likely >= best.likely - M.BESIDE && (isClause(best.subject) || subject.kind !== CLAUSE))
        .slice(0, M.OFFERED - 1).map(({ subject }) => subject.id);
    const silence = ({ found: [inside], outside: [best] }) => {
      if (!best || (inside?.subject.kind === IRREGULARITY && inside.likely >= M.SURE)) return "";
      const least = best.subject.kind === IRREGULARITY ? M.SURE : M.VERY;
      return best.likely >= Math.max(least, (inside?.likely ?? 0) + M.SILENT_BY) ? best.subject.id : "";
    };
    const hasNumber = (question, { subject }) => ["thre", "four"].some((word) => question.asked.has(word) && subject.all.has(word));
    // The statements of the books in scope on a rule, in groups that agree, the most certain first; none if they do not have it.
    const groupsOf = (id, { game, rulesets: scope }) => {
      const own = new Set(scope.map((each) => each.id));
      return (index.rules[game]?.[id]?.groups ?? [])
        .map(([having, says, certainty]) => ({ rulesets: having.map((number) => rulesets[number]).filter(({ base }) => own.has(base)), says, certainty }))
        .filter((group) => group.rulesets.length);
    };
    const isSaid = (id, scope) => groupsOf(id, { game: scope.games[0], rulesets: scope.rulesets }).length > 0;

    const byRules = (retrieved) => {
      const { question } = retrieved, { scope } = question;
      const made = (verdict, more) => ({ verdict, why: "", entry: [], subjects: [], offered: [], silent: false, ...more });
      if (scope.entry && (scope.namesGame || scope.narrowed) && !question.strangers.length) return made("sure", { entry: scope.narrowed ? scope.rulesets : scope.games });
      const some = retrieved.found.filter(({ likely }) => likely >= M.LEAST);
      if (question.strangers.length && !tellsOf(question.strangers, some)) return made("nothing", { why: "Hoyle knows only Bézique and Piquet" });
      const scores = scoresIn(question.text), settled = scores ? settling(scores, scope) : [];
      if (settled.length) return made(scope.namesGame || scope.narrowed ? "sure" : "probably", { subjects: settled, scores: true });
      if (scope.missing && !some.slice(0, 1).some((each) => hasNumber(question, each))) return made("sure", { subjects: ["form"], silent: true });
      const silent = silence(retrieved);
      if (silent) return made("sure", { subjects: [silent], silent: true });
      if (!some.length || !question.asked.size) return made("nothing", { why: "No rule has these words" });
      const best = some[0];
      const beside = index.asking.with[best.subject.id] ?? [];
      const others = some.slice(1).filter(({ subject }) => !beside.includes(subject.id));
      const [verdict, why] = verdictOf(retrieved, best, others);
      if (why) return made("unsure", { why, offered: [best, ...others.slice(0, M.OFFERED - 1)].map(({ subject }) => subject.id) });
      const joined = [...new Set([...beside, ...nearTo(best, others)])].filter((id) => index.clauses[id] || isSaid(id, scope));
      const said = [best.subject.id, ...joined];
      const alike = (id) => new Set(groupsOf(id, { game: scope.games[0], rulesets: scope.rulesets }).map(({ says }) => says)).size < 2;
      return made(verdict, { subjects: scope.compared ? [...said.filter((id) => !alike(id)), ...said.filter(alike)] : said });
    };
    const termsOf = ({ question, otherGame }, spelled) => {
      const games = otherGame ? Object.keys(index.asking.games) : question.scope.games;
      const asked = tokensOf(question.scope.left);
      if (asked.every((word) => bare.has(word)) && !question.kinds.has("meaning")) return [];
      const called = (tokens) => {
        const some = index.asking.terms.filter(([, , , forms]) => forms.some((form) => form.join(" ") === tokens.join(" ")));
        const own = some.filter(([, of]) => games.includes(of));
        return own.length ? own : some.filter(([, of]) => of === "Hoyle");
      };
      const found = called(asked);
      return found.length || !spelled ? found : called([...question.asked.keys()]);
    };
    // The answer to one question: the subjects by their ids, and everything found.
    const askOne = (text, only, within) => {
      const retrieved = retrieve(text, only, within);
      const { question } = retrieved, { scope } = question;
      const answer = { ...byRules(retrieved), terms: [], game: scope.games[0], rulesets: scope.rulesets, question, found: retrieved.found };
      const answered = answer.subjects.length > 0, terms = termsOf(retrieved, answered);
      if (!terms.length || answer.entry.length || answer.scores) return answer;
      const ofHoyle = terms[0][1] === "Hoyle";
      const spelledSo = tokensOf(scope.left).every((word) => question.asked.has(word));
      if (ofHoyle && (scope.namesGame || (answered && spelledSo && answer.verdict === "sure"))) return answer;
      const made = answered ? answer.subjects : terms[0][2].filter((id) => isSaid(id, scope)).slice(0, 1);
      answer.terms = terms.map(([id, of, , , says]) => [id, of, says]);
      return { ...answer, verdict: "sure", why: "", offered: [], silent: answer.silent && !ofHoyle, subjects: ofHoyle ? [] : made };
    };
    // The answer to a question, or to two in one, about one game if given.
    const ask = (written, only = "") => {
      const text = written.slice(0, MOST_LETTERS);
      const whole = askOne(text, only), parts = text.split(NEXT).filter((part) => words(part).length);
      if (parts.length !== 2 || whole.entry.length || whole.scores) return whole;
      const { games, rulesets: own } = whole.question.scope;
      const [one, other] = parts.map((part) => askOne(part, only, { games, rulesets: own }));
      const both = new Set([...one.subjects.slice(0, 1), ...other.subjects.slice(0, 1)]);
      const { naming } = one.question;
      if (both.size < 2 || Math.max(naming, naming + other.question.naming - 1) < M.NAMING) return whole;
      return { ...one, question: whole.question, verdict: "probably", subjects: [...new Set([...both, ...one.subjects, ...other.subjects])] };
    };

    // ---- other entries: terms, open questions, positions, pages

    const things = () => (known.get("things") ?? known.set("things", index.things.map(([, , , , , , called, text], number) => {
      const named = called.map((name) => name.map((each) => lexicon[each]));
      return { number, names: named, named: new Set(named.flat()), all: new Set([...named.flat(), ...text.map((each) => lexicon[each])]) };
    })).get("things"));
    // The numbers of the entries that a question may mean, each with its likelihood, the likeliest first.
    const others = ({ question, game }, allowed = () => true, near_ = reached(question.said)) =>
      things()
        .filter(({ number }) => allowed(index.things[number]))
        .map((each) => [each.number, rounded(likelyOf(each, question.said, knownOf(game).weights, near_, 1))])
        .filter(([, likely]) => likely >= M.LISTED)
        .sort((one, other) => other[1] - one[1]);

    // A text whose last word, if no entry has it, is completed to the commonest word with that prefix, for a reader still typing.
    const completed = (text) => {
      const last = words(text).at(-1) ?? "", form = stem(last);
      if (last.length < LEAST || !text.toLowerCase().endsWith(last)) return text;
      const games = Object.keys(index.asking.games).map(knownOf);
      if (idle.has(form) || single.has(form) || several.has(form) || names.has(last) || near.has(form) || games.some(({ weights }) => weights.has(form))) return text;
      let best = "", least = Infinity;
      for (const { weights } of games) for (const [word, weight] of weights) if (word.startsWith(last) && weight < least) [best, least] = [word, weight];
      for (const name of names) if (name.startsWith(last)) best = name;
      return best ? text.slice(0, text.length - last.length) + best : text;
    };

    return { ask, others, groupsOf, completed, tokensOf, index, rulesets };
  };

  return { words, stem, ready, nearest };
})();
