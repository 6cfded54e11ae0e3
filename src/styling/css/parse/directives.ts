/** Reads the directives before the rules, such as `@mode 'Flat';`. */
import { excerpt } from '../../../lib/text/excerpt.ts';
import { findNearestName } from '../../../lib/text/nearest-name.ts';
import type { CascadeMode, StyleDirectives } from '../model/stylesheet.ts';
import type { Scanner } from '../tokens/scanner.ts';
import { readString } from '../tokens/terms.ts';

const modes: ReadonlyMap<string, CascadeMode> = new Map([
  ['exclusive', 'exclusive'],
  ['simple', 'simple'],
  ['auto', 'auto'],
  ['flat', 'flat'],
]);

/** Up to this number of rules, the number of combinations is usually acceptable. */
export const defaultAutoThreshold = 100;

const names = [
  'mode',
  'autoThreshold',
  'maxOutputRules',
  'styleName',
  'styleTitle',
  'styleAbstract',
  'uniqueRuleNames',
];
const namePattern = /@[\p{L}\p{N}_-]*/uy;
const barePattern = /[\p{L}\p{N}_.-]+/uy;
const restOfLine = /[^\r\n]*/y;
// The length is limited; otherwise a million `@` characters would each scan the rest of the text.
const restOfStatement = /[^\r\n;{}]{0,80};/y;

type MutableDirectives = { -readonly [Key in keyof StyleDirectives]: StyleDirectives[Key] };

export function readDirective(scanner: Scanner, directives: MutableDirectives): void {
  const offset = scanner.at;
  const written = scanner.readPattern(namePattern) ?? '';
  const name = written.slice(1);
  scanner.skipSpace();
  const value = readValue(scanner, written);
  const known = names.find((each) => each.toLowerCase() === name.toLowerCase());
  if (known === undefined) {
    const guess = findNearestName(name, names);
    const hint = guess === undefined ? `@${names.join(', @')}` : `@${guess}`;
    scanner.complaints.add(offset, written, `unknown directive '${excerpt(written)}'. Did you mean ${hint}?`);
  } else if (value !== 'broken') {
    const message = setDirective(directives, known, value?.text);
    if (message !== undefined) scanner.complaints.add(value?.offset ?? offset, written, message);
  }
  if (value === 'broken') scanner.readPattern(restOfLine);
  scanner.skipSpace();
  if (scanner.readCharacter(';') || value === 'broken') return;
  const expected = `';' was expected after ${excerpt(written)}, but ${scanner.formatNextCharacter()} was found`;
  scanner.complaints.add(scanner.at, written, expected);
  scanner.readPattern(restOfStatement);
}

interface DirectiveValue {
  readonly text: string;
  readonly offset: number;
}

function readValue(scanner: Scanner, field: string): DirectiveValue | 'broken' | undefined {
  const offset = scanner.at;
  if (scanner.character === "'" || scanner.character === '"') return readString(scanner, field) ?? 'broken';
  const text = scanner.readPattern(barePattern);
  return text === undefined ? undefined : { text, offset };
}

/** Returns the error message for an invalid value. */
function setDirective(directives: MutableDirectives, name: string, text: string | undefined): string | undefined {
  if (text === undefined) return `a value was expected after @${name}`;
  switch (name) {
    case 'mode': {
      const mode = modes.get(text.toLowerCase());
      if (mode === undefined) return "@mode must be 'Exclusive', 'Simple', 'Auto' or 'Flat'";
      directives.mode = mode;
      return undefined;
    }
    case 'autoThreshold':
      if (!/^\d{1,9}$/.test(text)) return '@autoThreshold must be a whole number';
      directives.autoThreshold = Number(text);
      return undefined;
    case 'maxOutputRules':
      // Ignored, because the number of rules is a limit of the server.
      return /^\d{1,9}$/.test(text) ? undefined : '@maxOutputRules must be a whole number';
    case 'uniqueRuleNames':
      if (!/^(?:true|false)$/i.test(text)) return "@uniqueRuleNames must be 'true' or 'false'";
      directives.uniqueRuleNames = text.toLowerCase() === 'true';
      return undefined;
    case 'styleName':
      directives.name = text;
      return undefined;
    case 'styleTitle':
      directives.title = text;
      return undefined;
    default:
      directives.abstract = text;
      return undefined;
  }
}
