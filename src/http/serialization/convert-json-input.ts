/** A JSON value -> the neutral tree, without being written down and read again. */
import type { Json, JsonObject } from '../../lib/json/value.ts';
import type { DocumentLimits, InputNode } from './input-tree.ts';
import { createLeaf, createObjectNode } from './read-json.ts';

/** No character of a text takes more bytes, however it is escaped. */
const MAX_CHARACTER_BYTES = 6;

/** What stands around a value or a name at most: quotes, a comma and a colon, brackets; or the whole of a short value. */
const MAX_FRAME_BYTES = 32;

export interface InputLimits extends DocumentLimits {
  readonly maxBytes: number;
}

/**
 * The tree that its text would be read into. Undefined where that text might be refused, as too long, deep or busy or for
 * half of a surrogate pair: whoever reads it says what is wrong.
 */
export function convertJsonInput(value: Json, limits: InputLimits): InputNode | undefined {
  const making = new InputBuilder(limits);
  const node = making.buildNode(value, 0);
  return making.isUnfit ? undefined : node;
}

class InputBuilder {
  readonly #limits: InputLimits;
  #nodes = 0;
  #bytes = 0;
  isUnfit = false;

  constructor(limits: InputLimits) {
    this.#limits = limits;
  }

  buildNode(value: Json, depth: number): InputNode {
    this.#nodes += 1;
    this.#bytes += MAX_FRAME_BYTES;
    const { maxNodes, maxDepth, maxBytes } = this.#limits;
    if (this.#nodes > maxNodes || depth >= maxDepth || this.#bytes > maxBytes) {
      this.isUnfit = true;
    }
    if (this.isUnfit || value === null) {
      return createLeaf('nil', '');
    }
    if (typeof value !== 'object') {
      return createLeaf('scalar', typeof value === 'string' ? this.#countText(value) : String(value));
    }
    return isList(value) ? createLeaf('list', '', this.#buildNodes(value, depth)) : this.#buildObject(value, depth);
  }

  #buildNodes(values: readonly Json[], depth: number): readonly InputNode[] {
    return values.map((each) => this.buildNode(each, depth + 1));
  }

  #buildObject(value: JsonObject, depth: number): InputNode {
    const names = Object.keys(value);
    for (const name of names) {
      this.#countText(name);
    }
    const values = names.map((name) => value[name] ?? null);
    const nodes = this.#buildNodes(values, depth);
    return createObjectNode(names, nodes, (index) => values[index] !== null && typeof values[index] === 'object');
  }

  #countText(text: string): string {
    this.#bytes += text.length * MAX_CHARACTER_BYTES;
    this.isUnfit ||= this.#bytes > this.#limits.maxBytes || !text.isWellFormed();
    return text;
  }
}

function isList(value: readonly Json[] | JsonObject): value is readonly Json[] {
  return Array.isArray(value);
}
