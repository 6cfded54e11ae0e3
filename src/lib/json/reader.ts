/** Reads JSON text into a tree, within limits. Strict, except for a few harmless habits of clients. */

import { problem } from '../problems/problem.ts';
import type { DocumentLimits } from '../text/document-limits.ts';
import { excerpt } from '../text/excerpt.ts';
import { isJsonNumber } from './number.ts';
import { JsonScanner } from './scanner.ts';
import type { JsonTree } from './tree.ts';

/** A document that is read piece by piece, so that the caller can yield in between. */
export interface JsonReading {
  /** Reads at least so many characters; returns the tree at the end of the document, else undefined. */
  advance(characters: number): JsonTree | undefined;
}

/**
 * Reads the whole text as one value. Beyond strict JSON it accepts strings in single quotes, identifiers as member
 * names without quotes, and a comma before a closing bracket. Throws `json-malformed`, `document-too-deep` or
 * `document-too-busy`.
 */
export function readJson(text: string, limits: DocumentLimits): JsonTree {
  const tree = startReadingJson(text, limits).advance(Number.POSITIVE_INFINITY);
  if (tree === undefined) throw new Error('A JSON document was not read to its end.');
  return tree;
}

/** Throws the same problems as `readJson`, as early as possible; calls `completed` with each complete value. */
export function startReadingJson(
  text: string,
  limits: DocumentLimits,
  completed?: (tree: JsonTree) => void,
): JsonReading {
  const scanner = new JsonScanner(text);
  if (!text.isWellFormed())
    throw scanner.createMalformedProblem('an unpaired surrogate is not allowed', text.search(/\p{Surrogate}/u));

  const reader = new JsonReader(scanner, limits, completed);
  return {
    advance(characters) {
      const end = scanner.offset + characters;
      let tree: JsonTree | undefined;
      while (tree === undefined) {
        if (scanner.offset >= end) return undefined;
        tree = reader.readStep();
      }
      scanner.skipWhitespace();
      if (scanner.offset < text.length) throw scanner.createUnexpectedProblem('the end of the text');
      return tree;
    },
  };
}

/** An array or object that is not complete yet. */
type Open =
  | { readonly kind: 'array'; readonly items: JsonTree[] }
  | { readonly kind: 'object'; readonly members: Map<string, JsonTree>; name: string };

/** Keeps its own stack, so that it can pause anywhere and continue later. */
class JsonReader {
  readonly #scanner: JsonScanner;
  readonly #limits: DocumentLimits;
  readonly #completed: ((tree: JsonTree) => void) | undefined;
  readonly #open: Open[] = [];
  #nodes = 0;

  constructor(scanner: JsonScanner, limits: DocumentLimits, completed: ((tree: JsonTree) => void) | undefined) {
    this.#scanner = scanner;
    this.#limits = limits;
    this.#completed = completed;
  }

  /** Reads one value, or the start of an array or object; returns the root value when it is complete. */
  readStep(): JsonTree | undefined {
    let complete = this.#beginValue();
    while (complete !== undefined) {
      this.#completed?.(complete);
      const open = this.#open.at(-1);
      if (open === undefined) return complete;
      complete = this.#put(open, complete);
    }
    return undefined;
  }

  /** Reads the value at the current offset; undefined for an array or object whose parts follow. */
  #beginValue(): JsonTree | undefined {
    const scanner = this.#scanner;
    this.#nodes += 1;
    if (this.#nodes > this.#limits.maxNodes) throw problem('document-too-busy', { limit: this.#limits.maxNodes });

    scanner.skipWhitespace();
    if (scanner.isAtString()) return { kind: 'string', text: scanner.readString() };
    if (scanner.accept('{')) return this.#enter({ kind: 'object', members: new Map(), name: '' });
    if (scanner.accept('[')) return this.#enter({ kind: 'array', items: [] });
    return this.#readWord();
  }

  #enter(open: Open): JsonTree | undefined {
    this.#open.push(open);
    if (this.#open.length > this.#limits.maxDepth) throw problem('document-too-deep', { limit: this.#limits.maxDepth });
    return this.#closeOrContinue(open);
  }

  /** Adds the value; returns the array or object if this was its last part, else undefined. */
  #put(open: Open, value: JsonTree): JsonTree | undefined {
    if (open.kind === 'array') open.items.push(value);
    else open.members.set(open.name, value);
    if (this.#accepts(',')) return this.#closeOrContinue(open);
    const closing = open.kind === 'array' ? ']' : '}';
    if (!this.#accepts(closing)) throw this.#scanner.createUnexpectedProblem(`',' or '${closing}'`);
    return this.#leave(open);
  }

  #closeOrContinue(open: Open): JsonTree | undefined {
    if (this.#accepts(open.kind === 'array' ? ']' : '}')) return this.#leave(open);
    if (open.kind === 'object') this.#readMemberName(open);
    return undefined;
  }

  #leave(open: Open): JsonTree {
    this.#open.pop();
    return open.kind === 'array' ? { kind: 'array', items: open.items } : { kind: 'object', members: open.members };
  }

  #readMemberName(open: Extract<Open, { kind: 'object' }>): void {
    const nameOffset = this.#scanner.offset;
    open.name = this.#readName();
    if (open.members.has(open.name)) {
      throw this.#scanner.createMalformedProblem(`the member '${excerpt(open.name)}' is given twice`, nameOffset);
    }
    if (!this.#accepts(':')) throw this.#scanner.createUnexpectedProblem("':'");
  }

  #readName(): string {
    if (this.#scanner.isAtString()) return this.#scanner.readString();
    const name = this.#scanner.readIdentifier();
    if (name === '') throw this.#scanner.createUnexpectedProblem('a member name');
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
        throw this.#scanner.createUnexpectedProblem('a value');
      default:
        if (isJsonNumber(word)) return { kind: 'number', text: word };
        throw this.#scanner.createMalformedProblem(
          `'${excerpt(word)}' is neither a number nor true, false or null`,
          start,
        );
    }
  }

  /** Skips whitespace, and consumes the character if it is the next one. */
  #accepts(character: string): boolean {
    this.#scanner.skipWhitespace();
    return this.#scanner.accept(character);
  }
}
