/** Finds the places where a text may be broken into lines. */

/** Scripts without spaces between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

const words = new Intl.Segmenter('und', { granularity: 'word' });

/** The parts of a line between which it may be broken: words with the spaces after them. */
export function listBreakableParts(line: string): readonly string[] {
  return (line.match(/\S+\s*|\s+/g) ?? []).flatMap((word) => (unspaced.test(word) ? splitWord(word) : word));
}

/** Punctuation stays with the word before it, an opening bracket with the word after it. */
function splitWord(word: string): readonly string[] {
  const parts: string[] = [];
  let opening = '';
  for (const { segment, isWordLike } of words.segment(word)) {
    if (isWordLike) {
      parts.push(opening + segment);
      opening = '';
    } else if (parts.length === 0 || /^[\p{Ps}\p{Pi}]/u.test(segment)) {
      opening += segment;
    } else {
      parts.push(`${parts.pop() ?? ''}${opening}${segment}`);
      opening = '';
    }
  }
  return opening === '' ? parts : [...parts, opening];
}
