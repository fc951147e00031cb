// Finding, as the table does it (conformance/hoyle_conformance/tools/search/search.py and synonyms.py; stemming.py for the
// stems): the same words lead to the same things in the same order. It reads window.HOYLE_INDEX, and touches no page.
window.hoyleFinding = (() => {
  const AS_ITSELF = 4, AS_THE_SAME = 3, AS_NEAR = 2, AS_BEGINNING = 2, IN_TITLE = 6;
  const BEGINNING = 3, MOST_LETTERS = 300;
  const ENDINGS = [["ies", "y"], ["ied", "y"], ["ing", ""], ["ed", ""], ["s", ""]];
  const LEAST = 3;
  const SIGNS = { "♣": " clubs ", "♦": " diamonds ", "♥": " hearts ", "♠": " spades " };
  const SUITS = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };

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
  const stems = (text) => new Set(words(text).map(stem));
  const same = (some, others) => some.size === others.size && [...some].every((each) => others.has(each));

  // For each stem the phrases in a table of other words that have it, each with the others of its line.
  const phrases = (table) => {
    const found = new Map();
    for (const line of table) {
      const all = line.split("|").map((phrase) => [...stems(phrase)]);
      for (const phrase of all)
        for (const each of phrase) {
          if (!found.has(each)) found.set(each, []);
          found.get(each).push([phrase, all.filter((other) => other !== phrase)]);
        }
    }
    return found;
  };

  // The index as it was written, made ready: what each stem counts in which thing is read when it is first asked for.
  const ready = (index) => {
    const points = new Map();
    const all = index.words.split(" ");
    const idle = new Set(index.idle.split(" "));
    const idleStems = new Set([...idle].map(stem));
    const tables = [phrases(index.same), phrases(index.near)];

    const pointsOf = (each) => {
      if (!points.has(each)) points.set(each, Object.hasOwn(index.points, each) ? unpacked(index.points[each]) : new Map());
      return points.get(each);
    };
    const unpacked = (byCounts) => {
      const found = new Map();
      for (const [counts, numbers] of Object.entries(byCounts)) {
        let number = 0;
        for (const step of numbers) found.set((number += step), Number(counts));
      }
      return found;
    };

    const withoutIdle = (some) => {
      const left = new Set([...some].filter((each) => !idleStems.has(each)));
      return left.size ? left : some;
    };

    const parts = (word) => {
      const card = /^(10|[akqj789])([cdhs])$/.exec(word);
      return card ? [card[1], SUITS[card[2]]] : [word];
    };

    // What is looked for: each stem as it was written, with the phrases that mean the same and those near it.
    const wanted = (text) => {
      const every = words(text.slice(0, MOST_LETTERS));
      const telling = every.filter((word) => !idle.has(word)).flatMap(parts);
      const some = telling.length ? telling : every;
      const written = new Map();
      for (const word of some) {
        const known = written.get(stem(word));
        if (!known || word.length < known.length || (word.length === known.length && word > known)) written.set(stem(word), word);
      }
      const beside = (table, each) =>
        (table.get(each) ?? []).filter(([phrase]) => phrase.every((one) => written.has(one))).flatMap(([, others]) => others);
      return [...written].map(([each, word]) => ({ stem: each, written: word, same: beside(tables[0], each), near: beside(tables[1], each) }));
    };

    const allOf = (phrase) => {
      const [first, ...rest] = phrase.map(pointsOf);
      const found = new Map();
      for (const [number, counts] of first)
        if (rest.every((other) => other.has(number))) found.set(number, Math.min(counts, ...rest.map((other) => other.get(number))));
      return found;
    };

    // The words of the index lie in order: those that begin with a word lie together.
    const beginning = (word) => {
      if (word.length < BEGINNING) return [];
      let low = 0, high = all.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (all[middle] < word) low = middle + 1;
        else high = middle;
      }
      const found = new Set();
      for (; low < all.length && all[low].startsWith(word); low += 1) found.add(stem(all[low]));
      return [...found];
    };

    const pointsFor = (word) => {
      const best = new Map();
      const count = (way, points) => {
        for (const [number, place] of points) best.set(number, Math.max(best.get(number) ?? 0, way * place));
      };
      for (const each of beginning(word.written)) count(AS_BEGINNING, pointsOf(each));
      for (const phrase of word.near) count(AS_NEAR, allOf(phrase));
      for (const phrase of word.same) count(AS_THE_SAME, allOf(phrase));
      count(AS_ITSELF, pointsOf(word.stem));
      return best;
    };

    const titleOf = (number) => stems(index.things[number][1]);
    const lengthOf = (number) => parseInt(index.lengths[number], 36);
    const called = new Map(Object.entries(index.names).map(([number, names]) => [Number(number), names.map(stems)]));

    // The numbers of the things that have words of a text, the best first.
    const find = (text) => {
      const asked = wanted(text);
      const title = new Set(asked.map((word) => word.stem));
      const name = stems(text.slice(0, MOST_LETTERS));
      const sums = new Map(), times = new Map(), inTitle = new Map();
      for (const word of asked) {
        const points = pointsFor(word);
        const rare = 32 - Math.clz32(Math.floor(index.things.length / Math.max(1, points.size)));
        for (const [number, counts] of points) {
          sums.set(number, (sums.get(number) ?? 0) + rare * counts);
          times.set(number, (times.get(number) ?? 0) + 1);
          if (counts === AS_ITSELF * IN_TITLE) inTitle.set(number, (inTitle.get(number) ?? 0) + 1);
        }
      }
      const enough = Math.max(0, ...new Set(times.values())) / 2;
      // Only what has every word in its title can have no other; the title itself is looked at last.
      const isNamed = (number) =>
        (inTitle.get(number) === asked.length && same(title, withoutIdle(titleOf(number)))) ||
        !!called.get(number)?.some((each) => same(name, each));
      const place = (number) => ({
        number,
        named: isNamed(number),
        value: sums.get(number) * times.get(number) ** 2 * index.kinds[index.things[number][0]][1],
        length: lengthOf(number),
        books: index.books[number] ?? 0,
      });
      return [...sums.keys()]
        .filter((number) => times.get(number) > enough)
        .map(place)
        .sort(
          (one, other) =>
            other.named - one.named || other.value - one.value || one.length - other.length || other.books - one.books || one.number - other.number,
        )
        .map((each) => each.number);
    };

    // The stems that are marked in what was found.
    const marked = (text) => {
      const found = new Set();
      for (const word of wanted(text))
        for (const phrase of [[word.stem], ...word.same.filter((each) => each.length === 1), beginning(word.written)])
          for (const each of phrase) found.add(each);
      return found;
    };

    // The text with each word that is nowhere put right, if there is one near it.
    const meant = (text) => {
      const asked = words(text).slice(0, 8);
      const near = asked.map((word) => (Object.hasOwn(index.points, stem(word)) || beginning(word).length ? word : nearest(word, all)));
      return near.every(Boolean) && near.join(" ") !== asked.join(" ") ? near.join(" ") : "";
    };

    return { find, marked, meant, index };
  };

  // The word that the fewest changed letters make of a word; nothing where that would be too many.
  const nearest = (word, all) => {
    let best = "", least = Math.min(2, Math.floor(word.length / 3)) + 1;
    for (const each of all) {
      if (Math.abs(each.length - word.length) >= least) continue;
      const changes = distance(word, each);
      if (changes < least) [best, least] = [each, changes];
    }
    return best;
  };
  const distance = (one, other) => {
    let before = [], row = Array.from({ length: other.length + 1 }, (_, at) => at);
    for (let i = 1; i <= one.length; i += 1) {
      const next = [i];
      for (let j = 1; j <= other.length; j += 1) {
        const changed = one[i - 1] === other[j - 1] ? 0 : 1;
        next[j] = Math.min(next[j - 1] + 1, row[j] + 1, row[j - 1] + changed);
        if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]) next[j] = Math.min(next[j], before[j - 2] + 1);
      }
      [before, row] = [row, next];
    }
    return row[other.length];
  };

  return { words, stem, stems, ready, nearest };
})();
