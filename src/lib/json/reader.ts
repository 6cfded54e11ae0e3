/** Reads JSON text into a tree: strict but for the few habits of clients that are harmless, and never beyond the limits. */
import type { DocumentLimits } from '../document-limits.ts';
import { excerpt } from '../excerpt.ts';
import { problem } from '../problem.ts';
import { JsonScanner } from './scanner.ts';
import type { JsonTree } from './tree.ts';

const number = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$/;

/**
 * The whole text as one value. Beyond strict JSON it takes strings in single quotes, member names without quotes that
 * are identifiers, and a comma before a closing bracket. Throws `json-malformed`, `document-too-deep` or
 * `document-too-busy`.
 */
export function readJson(text: string, limits: DocumentLimits): JsonTree {
  const scanner = new JsonScanner(text);
  if (!text.isWellFormed())
    throw scanner.malformed('half of a surrogate pair stands alone', text.search(/\p{Surrogate}/u));

  const reader = new JsonReader(scanner, limits);
  const tree = reader.readValue();
  scanner.skipWhitespace();
  if (scanner.offset < text.length) throw scanner.unexpected('the end of the text');
  return tree;
}

class JsonReader {
  readonly #scanner: JsonScanner;
  readonly #limits: DocumentLimits;
  #depth = 0;
  #nodes = 0;

  constructor(scanner: JsonScanner, limits: DocumentLimits) {
    this.#scanner = scanner;
    this.#limits = limits;
  }

  readValue(): JsonTree {
    const scanner = this.#scanner;
    this.#nodes += 1;
    if (this.#nodes > this.#limits.maxNodes) throw problem('document-too-busy', { limit: this.#limits.maxNodes });

    scanner.skipWhitespace();
    if (scanner.atString()) return { kind: 'string', text: scanner.readString() };
    if (scanner.accept('{')) return { kind: 'object', members: this.#nested(() => this.#readMembers()) };
    if (scanner.accept('[')) return { kind: 'array', items: this.#nested(() => this.#readItems()) };
    return this.#readWord();
  }

  #nested<T>(read: () => T): T {
    this.#depth += 1;
    if (this.#depth > this.#limits.maxDepth) throw problem('document-too-deep', { limit: this.#limits.maxDepth });
    const result = read();
    this.#depth -= 1;
    return result;
  }

  #readItems(): readonly JsonTree[] {
    const items: JsonTree[] = [];
    while (!this.#accepts(']')) {
      items.push(this.readValue());
      if (this.#accepts(',')) continue;
      if (!this.#accepts(']')) throw this.#scanner.unexpected("',' or ']'");
      break;
    }
    return items;
  }

  #readMembers(): ReadonlyMap<string, JsonTree> {
    const members = new Map<string, JsonTree>();
    while (!this.#accepts('}')) {
      const nameOffset = this.#scanner.offset;
      const name = this.#readName();
      if (members.has(name)) {
        throw this.#scanner.malformed(`the member '${excerpt(name)}' is given twice`, nameOffset);
      }
      if (!this.#accepts(':')) throw this.#scanner.unexpected("':'");
      members.set(name, this.readValue());
      if (this.#accepts(',')) continue;
      if (!this.#accepts('}')) throw this.#scanner.unexpected("',' or '}'");
      break;
    }
    return members;
  }

  #readName(): string {
    if (this.#scanner.atString()) return this.#scanner.readString();
    const name = this.#scanner.readIdentifier();
    if (name === '') throw this.#scanner.unexpected('a member name');
    return name;
  }

  #readWord(): JsonTree {
    const start = this.#scanner.offset;
    const word = this.#scanner.readWord();
    switch (word) {
      case 'true':
      case 'false':
        return { kind: 'boolean', value: word === 'true' };
      case 'null':
        return { kind: 'null' };
      case '':
        throw this.#scanner.unexpected('a value');
      default:
        if (number.test(word)) return { kind: 'number', text: word };
        throw this.#scanner.malformed(`'${excerpt(word)}' is neither a number nor true, false or null`, start);
    }
  }

  /** Steps over the character, and the whitespace before it, if it is the next one. */
  #accepts(character: string): boolean {
    this.#scanner.skipWhitespace();
    return this.#scanner.accept(character);
  }
}
