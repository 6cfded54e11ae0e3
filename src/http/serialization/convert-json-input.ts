/** Converts a JSON value to the neutral tree without serializing it. */
import type { Json, JsonObject } from '../../lib/json/value.ts';
import type { DocumentLimits, InputNode } from './input-tree.ts';
import { createLeaf, createObjectNode } from './read-json.ts';

/** The maximum length of an escaped character. */
const MAX_CHARACTER_BYTES = 6;

/** The maximum overhead of a value or a name: quotes, comma, colon and brackets; or a whole short value. */
const MAX_FRAME_BYTES = 32;

export interface InputLimits extends DocumentLimits {
  readonly maxBytes: number;
}

/**
 * Returns the tree of its text, or undefined if that text could be rejected because of its length, depth or size or a
 * lone surrogate: the parser then reports the error.
 */
export function convertJsonInput(value: Json, limits: InputLimits): InputNode | undefined {
  const builder = new InputBuilder(limits);
  const node = builder.buildNode(value, 0);
  return builder.isUnfit ? undefined : node;
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
