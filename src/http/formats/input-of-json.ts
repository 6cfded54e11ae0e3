/** A JSON value -> the neutral tree, without being written down and read again. */
import type { Json, JsonObject } from '../../lib/json/value.ts';
import type { DocumentLimits, InputNode } from './input-tree.ts';
import { leaf, objectNode } from './read-json.ts';

/** No character of a text takes more bytes, however it is escaped. */
const MAX_CHARACTER_BYTES = 6;

/** What stands around a value or a name at most: quotes, a comma and a colon, brackets; or the whole of a short value. */
const MAX_FRAME_BYTES = 32;

export interface HandedOverLimits extends DocumentLimits {
  readonly maxBytes: number;
}

/**
 * The tree that its text would be read into. Undefined where that text might be refused, as too long, deep or busy or for
 * half of a surrogate pair: whoever reads it says what is wrong.
 */
export function inputOfJson(value: Json, limits: HandedOverLimits): InputNode | undefined {
  const making = new Making(limits);
  const node = making.node(value, 0);
  return making.isUnfit ? undefined : node;
}

class Making {
  readonly #limits: HandedOverLimits;
  #nodes = 0;
  #bytes = 0;
  isUnfit = false;

  constructor(limits: HandedOverLimits) {
    this.#limits = limits;
  }

  node(value: Json, depth: number): InputNode {
    this.#nodes += 1;
    this.#bytes += MAX_FRAME_BYTES;
    const { maxNodes, maxDepth, maxBytes } = this.#limits;
    if (this.#nodes > maxNodes || depth >= maxDepth || this.#bytes > maxBytes) {
      this.isUnfit = true;
    }
    if (this.isUnfit || value === null) {
      return leaf('nil', '');
    }
    if (typeof value !== 'object') {
      return leaf('scalar', typeof value === 'string' ? this.#text(value) : String(value));
    }
    return isList(value) ? leaf('list', '', this.#nodesOf(value, depth)) : this.#object(value, depth);
  }

  #nodesOf(values: readonly Json[], depth: number): readonly InputNode[] {
    return values.map((each) => this.node(each, depth + 1));
  }

  #object(value: JsonObject, depth: number): InputNode {
    const names = Object.keys(value);
    for (const name of names) {
      this.#text(name);
    }
    const values = names.map((name) => value[name] ?? null);
    const nodes = this.#nodesOf(values, depth);
    return objectNode(names, nodes, (index) => values[index] !== null && typeof values[index] === 'object');
  }

  #text(text: string): string {
    this.#bytes += text.length * MAX_CHARACTER_BYTES;
    this.isUnfit ||= this.#bytes > this.#limits.maxBytes || !text.isWellFormed();
    return text;
  }
}

function isList(value: readonly Json[] | JsonObject): value is readonly Json[] {
  return Array.isArray(value);
}
