/**
 * Lists what a part of a style refers to. Several steps of each map need it, and a client can send a rule with 100,000
 * parts, so that each part is visited once, and other work continues meanwhile.
 */
import type { FunctionCall } from '../../filter/model/expression.ts';
import { findCalledAttribute } from '../../filter/model/expression-contents.ts';
import type { SpatialFilter } from '../../filter/model/filter.ts';
import { hasInnerPart } from '../../filter/model/inner-parts.ts';
import { yieldIfDue } from '../../lib/async/yield-if-due.ts';

export interface PartContents {
  /** The names of attributes as written. */
  readonly attributes: ReadonlySet<string>;
  /** The names of called functions, in lower case. */
  readonly functions: ReadonlySet<string>;
  /** Whether a spatial condition tests the result of a function; other spatial conditions have separate tests. */
  readonly hasComputedRelation: boolean;
  /** Whether a condition lists identifiers of features. */
  readonly hasIdentifiers: boolean;
}

const listed = new WeakMap<object, PartContents>();

/** For worker threads, and for parts that were listed before. */
export function listContents(part: object): PartContents {
  const known = listed.get(part);
  if (known !== undefined) return known;
  const walk = new Walk(part);
  while (walk.continue());
  return walk.finish();
}

export async function listContentsInTurns(part: object): Promise<PartContents> {
  const known = listed.get(part);
  if (known !== undefined) return known;
  // Without a promise, the many short parts of a style would wait for each other.
  const others = yieldIfDue();
  if (others !== undefined) await others;
  const walk = new Walk(part);
  while (walk.continue()) await yieldIfDue();
  return walk.finish();
}

/** Visiting so many parts takes less than a millisecond. */
const PARTS_AT_ONCE = 1_000;

/** Visiting fewer parts again is cheaper than remembering them. */
const MIN_REMEMBERED_PARTS = 200;

class Walk {
  readonly #part: object;
  readonly #waiting: object[];
  readonly #attributes = new Set<string>();
  readonly #functions = new Set<string>();
  #count = 0;
  #hasComputedRelation = false;
  #hasIdentifiers = false;

  constructor(part: object) {
    this.#part = part;
    this.#waiting = [part];
  }

  /** Visits some parts, and returns whether more of them wait. */
  continue(): boolean {
    for (let count = 0; count < PARTS_AT_ONCE; count += 1) {
      const part = this.#waiting.pop();
      if (part === undefined) return false;
      this.#count += 1;
      this.#visit(part);
    }
    return this.#waiting.length > 0;
  }

  finish(): PartContents {
    const contents = {
      attributes: this.#attributes,
      functions: this.#functions,
      hasComputedRelation: this.#hasComputedRelation,
      hasIdentifiers: this.#hasIdentifiers,
    };
    if (this.#count >= MIN_REMEMBERED_PARTS) listed.set(this.#part, contents);
    return contents;
  }

  #visit(part: object): void {
    const { kind } = part as { readonly kind?: unknown };
    switch (kind) {
      case 'literal':
      case 'geometry':
        return;
      case 'property':
        this.#attributes.add((part as { readonly name: string }).name);
        return;
      case 'function': {
        const attribute = findCalledAttribute(part as FunctionCall);
        if (attribute !== undefined) this.#attributes.add(attribute);
        this.#functions.add((part as FunctionCall).name.toLowerCase());
        break;
      }
      case 'identifiers':
        this.#hasIdentifiers = true;
        return;
      case 'spatial':
      case 'relate':
      case 'distance': {
        const { left, right } = part as SpatialFilter;
        if (left.kind === 'function' || right.kind === 'function') this.#hasComputedRelation = true;
        break;
      }
    }
    hasInnerPart(part, (inner) => {
      this.#waiting.push(inner);
      return false;
    });
  }
}
