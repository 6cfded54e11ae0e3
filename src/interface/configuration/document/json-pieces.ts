/** Parses a large JSON object from bytes: members one by one, and one long array item by item. */
import { isUtf8 } from 'node:buffer';
import { yieldIfDue } from '../../../lib/async/yield-if-due.ts';
import { readJson } from '../../../lib/json/reader.ts';
import { Problem, problem } from '../../../lib/problems/problem.ts';
import { isList, isObject, type Json } from '../model/fields.ts';
import { TextSlice } from './text-buffer.ts';

/** A part of the outermost object: a member, or an item of the streamed array. */
export type JsonPiece =
  | { readonly kind: 'member'; readonly name: string; readonly value: Json }
  /** The array begins. */
  | { readonly kind: 'list'; readonly name: string }
  | {
      readonly kind: 'item';
      readonly name: string;
      readonly value: Json;
      /** The value as written. */
      readonly text: TextSlice;
      readonly index: number;
    };

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];

/** The members of the object in the bytes; items of the array `longList` one by one. */
export async function* readJsonPieces(bytes: Buffer, longList: string, maxDepth: number): AsyncGenerator<JsonPiece> {
  if (!isUtf8(bytes)) {
    throw problem('text-undecodable', { charset: 'utf-8' });
  }
  const text = new JsonScanner(bytes, maxDepth);
  text.expect(OPEN_OBJECT, "'{'");
  if (text.consumeIf(CLOSE_OBJECT)) {
    return text.expectEnd();
  }
  do {
    const name = text.readValue();
    if (typeof name !== 'string') {
      throw text.createUnexpectedProblem('the name of a member');
    }
    text.expect(COLON, "':'");
    if (name === longList && text.consumeIf(OPEN_ARRAY)) {
      yield { kind: 'list', name };
      for (let index = 0; !text.consumeIf(CLOSE_ARRAY); index += 1) {
        if (index > 0) {
          text.expect(COMMA, "',' or ']'");
        }
        const value = text.readValue();
        yield { kind: 'item', name, value, text: text.getLastValueText(), index };
        await yieldIfDue();
      }
    } else {
      yield { kind: 'member', name, value: text.readValue() };
    }
  } while (text.consumeIf(COMMA));
  text.expect(CLOSE_OBJECT, "',' or '}'");
  text.expectEnd();
}

class JsonScanner {
  readonly #bytes: Buffer;
  readonly #maxDepth: number;
  #offset = 0;
  #valueStart = 0;
  /** In the last value, at any depth. */
  #colons = 0;

  constructor(bytes: Buffer, maxDepth: number) {
    this.#bytes = bytes;
    this.#maxDepth = maxDepth;
    if (bytes.subarray(0, 3).equals(Buffer.from('\ufeff'))) {
      this.#offset = 3;
    }
  }

  consumeIf(byte: number): boolean {
    this.#skipWhitespace();
    if (this.#bytes[this.#offset] !== byte) {
      return false;
    }
    this.#offset += 1;
    return true;
  }

  expect(byte: number, what: string): void {
    if (!this.consumeIf(byte)) {
      throw this.createUnexpectedProblem(what);
    }
  }

  expectEnd(): void {
    this.#skipWhitespace();
    if (this.#offset < this.#bytes.length) {
      throw this.createUnexpectedProblem('the end of the text');
    }
  }

  /** The value that begins here. */
  readValue(): Json {
    this.#skipWhitespace();
    const start = this.#offset;
    this.#valueStart = start;
    this.#colons = 0;
    this.#skipValue();
    const text = this.#bytes.toString('utf8', start, this.#offset);
    const value = parseJsonOrUndefined(text);
    if (value !== undefined && countMembers(value) === this.#colons) {
      return value;
    }
    this.#offset = start;
    if (value === undefined) {
      throw this.createUnexpectedProblem('a JSON value');
    }
    throw this.#malformed(getParseErrorReason(text));
  }

  /** The text of the last value. */
  getLastValueText(): TextSlice {
    return new TextSlice(this.#bytes, this.#valueStart, this.#offset);
  }

  createUnexpectedProblem(what: string) {
    return this.#malformed(`expected ${what}`);
  }

  #malformed(reason: string) {
    const before = this.#bytes.toString('utf8', 0, this.#offset).split('\n');
    const column = (before.at(-1)?.length ?? 0) + 1;
    return problem('json-malformed', { line: before.length, column, reason });
  }

  #skipWhitespace(): void {
    for (;;) {
      const byte = this.#bytes[this.#offset];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) {
        return;
      }
      this.#offset += 1;
    }
  }

  /** Scans to the end by brackets and quotes only; the parser validates the text. */
  #skipValue(): void {
    let depth = 0;
    do {
      const byte = this.#bytes[this.#offset];
      if (byte === undefined) {
        throw this.createUnexpectedProblem('the rest of a value');
      }
      if (byte === QUOTE) {
        this.#skipString();
        continue;
      }
      if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        depth += 1;
        if (depth > this.#maxDepth) {
          throw problem('document-too-deep', { limit: this.#maxDepth });
        }
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        if (depth === 0) {
          return;
        }
        depth -= 1;
      } else if (byte === COLON) {
        this.#colons += 1;
      } else if (depth === 0 && byte === COMMA) {
        return;
      } else if (depth === 0) {
        this.#skipWord();
        continue;
      }
      this.#offset += 1;
    } while (depth > 0);
  }

  #skipString(): void {
    this.#offset += 1;
    for (;;) {
      const byte = this.#bytes[this.#offset];
      if (byte === undefined) {
        throw this.createUnexpectedProblem('the end of a string');
      }
      this.#offset += byte === BACKSLASH ? 2 : 1;
      if (byte === QUOTE) {
        return;
      }
    }
  }

  /** A number, `true`, `false` or `null`. */
  #skipWord(): void {
    for (;;) {
      const byte = this.#bytes[this.#offset];
      const isPart =
        byte !== undefined && byte > 0x20 && byte !== COMMA && byte !== CLOSE_OBJECT && byte !== CLOSE_ARRAY;
      if (!isPart) {
        return;
      }
      this.#offset += 1;
    }
  }
}

function parseJsonOrUndefined(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** At any depth; smaller than the number of members if a name is duplicated. */
function countMembers(value: Json | undefined): number {
  let count = 0;
  if (isList(value)) {
    for (const each of value) count += countMembers(each);
  } else if (isObject(value)) {
    for (const name in value) count += 1 + countMembers(value[name]);
  }
  return count;
}

/** The message of the parser for single documents. */
function getParseErrorReason(text: string): string {
  try {
    readJson(text, { maxDepth: Number.POSITIVE_INFINITY, maxNodes: Number.POSITIVE_INFINITY });
  } catch (error) {
    if (error instanceof Problem) return String(error.details['reason'] ?? error.message);
  }
  return 'each member must occur once';
}
