/** The key-value pairs of a request, with case-insensitive names and one value each. */
import { yieldIfDue } from '../../lib/async/yield-if-due.ts';
import { problem } from '../../lib/problems/problem.ts';

/** By lower-case name. Empty values are dropped: clients send names without values for unset options. */
export type Parameters = ReadonlyMap<string, string>;

/** Parameters that are repeated once per axis of a coverage: `subset=Lat(0,1)&subset=Long(0,1)`. */
const repeatableParameters: ReadonlySet<string> = new Set(['subset']);

/** Parses the query of a URL, the body of a form, or both joined with an ampersand. */
export function readParameters(text: string): Parameters {
  return collectParameters(new URLSearchParams(text));
}

/** Decoding so many characters takes less than a millisecond. */
const PIECE_CHARACTERS = 65_536;

/** Four escaped bytes: where no character ends within this length, the text is not UTF-8. */
const ESCAPED_CHARACTER_LENGTH = 12;

/** The same for the body of a form, which can contain a style of many megabytes: other requests run in between. */
export async function readFormParameters(text: string): Promise<Parameters> {
  if (text.length <= PIECE_CHARACTERS) return readParameters(text);
  const pairs: (readonly [string, string])[] = [];
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const end = pair.indexOf('=') < 0 ? pair.length : pair.indexOf('=');
    pairs.push([await decodeInTurns(pair.slice(0, end)), await decodeInTurns(pair.slice(end + 1))]);
  }
  return collectParameters(pairs);
}

async function decodeInTurns(text: string): Promise<string> {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    const others = yieldIfDue();
    if (others !== undefined) await others;
    let end = Math.min(text.length, start + PIECE_CHARACTERS);
    const last = end + ESCAPED_CHARACTER_LENGTH;
    while (end < text.length && (isInEscape(text, end) || (end < last && continuesCharacter(text, end)))) end += 1;
    pieces.push(new URLSearchParams(`v=${text.slice(start, end)}`).get('v') ?? '');
    start = end;
  }
  return pieces.join('');
}

function isInEscape(text: string, at: number): boolean {
  return [1, 2].some((back) => /^%[0-9a-f]{2}/i.test(text.slice(at - back, at - back + 3)));
}

/** Whether the rest begins with a further byte of a character, or with the second half of a surrogate pair. */
function continuesCharacter(text: string, at: number): boolean {
  return /^(?:%[89ab]|[\u{DC00}-\u{DFFF}])/iu.test(text.slice(at, at + 2));
}

function collectParameters(pairs: Iterable<readonly [string, string]>): Parameters {
  const parameters = new Map<string, string>();
  for (const [written, value] of pairs) {
    const name = written.toLowerCase();
    if (value === '') continue;
    const known = parameters.get(name);
    if (known !== undefined && repeatableParameters.has(name)) {
      parameters.set(name, `${known},${value}`);
      continue;
    }
    if (known !== undefined && known !== value) {
      throw problem('ows-parameter-ambiguous', { parameter: written, field: written });
    }
    parameters.set(name, value);
  }
  return parameters;
}

/** Parses a comma-separated list; trims entries and drops empty ones. */
export function readList(text: string): readonly string[] {
  return text.split(',').flatMap((item) => item.trim() || []);
}

/** Parses lists in parentheses, one per query: `(a,b)(c)`. Without parentheses there is one list. */
export function readLists(text: string): readonly (readonly string[])[] {
  return readGroups(text).map(readList);
}

/** Returns the content of each pair of parentheses: `(a)(b)`. Without parentheses there is one group. */
export function readGroups(text: string): readonly string[] {
  const trimmed = text.trim();
  if (!trimmed.startsWith('(') || !trimmed.endsWith(')')) return [trimmed];
  return trimmed.slice(1, -1).split(/\)\s*\(/);
}

/** Parses `name:value;name:value` with lower-case names, the syntax of format options. */
export function readOptions(text: string): ReadonlyMap<string, string> {
  const pairs = text.split(';').flatMap((pair): readonly (readonly [string, string])[] => {
    const colon = pair.indexOf(':');
    return colon < 0 ? [] : [[pair.slice(0, colon).trim().toLowerCase(), pair.slice(colon + 1).trim()]];
  });
  return new Map(pairs);
}

/** Parses a non-negative integer; undefined for other text. */
export function parseCount(text: string): number | undefined {
  return /^\s*\d{1,15}\s*$/.test(text) ? Number(text) : undefined;
}

/** Returns an object with the member, or an empty object if the value is undefined. */
export function toOptionalProperty<K extends string, V>(name: K, value: V | undefined | ''): { readonly [N in K]?: V } {
  return value === undefined || value === '' ? {} : ({ [name]: value } as { readonly [N in K]?: V });
}
