/** Compares names and titles with the words of a search, and keeps the best matches. */

/** A resource that may match. Its path is built only if it is returned. */
export interface Candidate {
  readonly kind: string;
  readonly name: string;
  readonly title?: string | null;
  /** Null for global resources. */
  readonly workspace?: string | null;
  /** Computed from the names if it is absent. */
  readonly folded?: FoldedNames;
  /** Asked only for names that match. */
  readonly isVisible?: () => boolean;
  /** The segments of its REST path. */
  readonly listSegments: () => readonly string[];
}

/** Names in the form in which they are compared. */
export interface FoldedNames {
  readonly name: string;
  /** With the workspace and the title. */
  readonly text: string;
  /** Where the title begins in the text; undefined without a title. */
  readonly titleAt: number | undefined;
}

export interface Matches {
  offer(candidate: Candidate): void;
  /** The best matches: exact names, then names and words that begin with the text, then all others. */
  listBest(): readonly Candidate[];
  /** All matches, also those that are not returned. */
  count(): number;
}

/** The number of ranks, from an exact name to a part of a word. */
const RANKS = 4;

/** Candidates of one rank stay in the order in which they are offered. */
export function createMatches(text: string, limit: number): Matches {
  const words = foldCase(text)
    .split(/\s+/)
    .filter((word) => word !== '');
  const ranks: Candidate[][] = Array.from({ length: RANKS }, () => []);
  let count = 0;
  return {
    offer(candidate) {
      const rank = computeRank(candidate, words);
      if (rank === undefined || candidate.isVisible?.() === false) return;
      count += 1;
      // Only as many as can be returned are kept.
      const kept = ranks[rank];
      if (kept !== undefined && kept.length < limit) kept.push(candidate);
    },
    listBest: () => ranks.flat().slice(0, limit),
    count: () => count,
  };
}

/** Undefined if a word is missing. */
function computeRank(candidate: Candidate, words: readonly string[]): number | undefined {
  const { name, text, titleAt } = candidate.folded ?? foldNames(candidate);
  if (!words.every((word) => text.includes(word))) return undefined;
  const whole = words.join(' ');
  if (name === whole || (text.startsWith(whole) && text.length === whole.length)) return 0;
  if (name.startsWith(whole) || (titleAt !== undefined && text.startsWith(whole, titleAt))) return 1;
  return words.every((word) => beginsWord(text, word)) ? 2 : 3;
}

export function foldNames({ name, title, workspace }: Pick<Candidate, 'name' | 'title' | 'workspace'>): FoldedNames {
  const folded = foldCase(name);
  const qualified = workspace == null ? folded : `${foldCase(workspace)}:${folded}`;
  return title == null
    ? { name: folded, text: qualified, titleAt: undefined }
    : { name: folded, text: `${qualified} ${foldCase(title)}`, titleAt: qualified.length + 1 };
}

function beginsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (at === 0 || /[\s_:.\-/]/.test(text[at - 1] ?? '')) return true;
  }
  return false;
}

function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
