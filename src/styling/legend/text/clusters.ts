/** Cuts text into the parts that are drawn as one, by the rules of its scripts. */

/** Scripts without joined letters, marks or reordering: each character is drawn alone. */
const SIMPLE =
  /^[\u0020-\u02ff\u0370-\u0482\u048a-\u052f\u1e00-\u1fff\u2010-\u2027\u2030-\u205e\u2070-\u20cf\u2100-\u25ff\u3000-\u3029\u3030-\u3098\u309b-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff00-\uffe6]*$/;

export function isSimpleText(text: string): boolean {
  return SIMPLE.test(text);
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const LETTER = /\p{L}/u;

/** Returns whether a text has letters that run from right to left. */
export function isRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT.test(text);
}

/** Scripts whose letters join or change places within a word. */
const JOINED =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Tibetan}\p{Script=Myanmar}\p{Script=Khmer}\p{Script=Balinese}\p{Script=Javanese}]/u;

/** Created at the first use: it loads tables for 15 ms, which most processes never need. */
let graphemes: Intl.Segmenter | undefined;

function splitGraphemes(word: string): string[] {
  graphemes ??= new Intl.Segmenter('und', { granularity: 'grapheme' });
  return Array.from(graphemes.segment(word), ({ segment }) => segment);
}

/** Returns the words of joined scripts, the spaces, and the characters with their marks of all other scripts. */
export function splitClusters(text: string): readonly string[] {
  return text
    .split(/(\s+)/u)
    .filter((word) => word !== '')
    .flatMap((word) => (JOINED.test(word) ? word : splitGraphemes(word)));
}

/**
 * Returns the clusters of a text from left to right, for text along a line. The order of words follows the direction of
 * the first letter; numbers and words of the other direction keep theirs.
 */
export function splitVisualClusters(text: string): readonly string[] {
  if (!isRightToLeft(text)) return isSimpleText(text) ? [...text] : splitClusters(text);
  const words = text.split(/(\s+)/u).filter((word) => word !== '');
  const isReversed = isFirstLetterRightToLeft(text);
  const runs: { readonly isReversed: boolean; readonly words: string[] }[] = [];
  for (const word of words) {
    const last = runs.at(-1);
    const isBlank = word.trim() === '';
    const direction = isBlank ? (last?.isReversed ?? isReversed) : RIGHT_TO_LEFT.test(word);
    if (last !== undefined && last.isReversed === direction) last.words.push(word);
    else runs.push({ isReversed: direction, words: [word] });
  }
  const ordered = isReversed ? runs.toReversed() : runs;
  return ordered.flatMap((run) =>
    run.isReversed
      ? run.words.toReversed().flatMap((word) => splitClusters(word).toReversed())
      : run.words.flatMap((word) => splitClusters(word)),
  );
}

/** The direction of a paragraph is that of its first letter. */
export function isFirstLetterRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT.test(LETTER.exec(text)?.[0] ?? '');
}
