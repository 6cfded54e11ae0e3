/**
 * Expands the general entities that a document declares itself (`<!ENTITY water "95C5DD">`). Nothing is fetched:
 * external identifiers and parameter entities are rejected, and sizes are limited.
 */
import { problem } from '../problems/problem.ts';
import { excerpt } from '../text/excerpt.ts';
import { findDoctype } from './doctype.ts';
import { createMalformedXmlAt } from './malformed.ts';

/** Real documents nest one or two levels. */
const maxDepth = 8;

/** The largest real style is smaller; a thousand nested entities would otherwise fill the memory. */
const maxExpandedCharacters = 1_048_576;

/** Real documents declare about a hundred. */
const maxEntities = 10_000;

const predefined: ReadonlySet<string> = new Set(['amp', 'lt', 'gt', 'quot', 'apos']);

export interface ExpandedXml {
  /** The text without its DOCTYPE and with all entities replaced; lines are the same as before. */
  readonly text: string;
  /** The offset of the DOCTYPE; undefined if it is missing. */
  readonly doctypeOffset?: number | undefined;
}

/**
 * Throws `xml-doctype` for declarations other than internal general entities, and `xml-malformed` for entities that
 * exceed the limits.
 */
export function expandInternalEntities(text: string): ExpandedXml {
  const start = findDoctype(text);
  if (start === undefined) return { text };
  const { end, entities } = readDoctype(text, start);
  const expansion = new EntityExpansion(text, start, entities);
  const body = expansion.expandBody(text.slice(end));
  // Keep the lines and columns of what follows.
  const blank = text.slice(start, end).replace(/[^\r\n]/g, ' ');
  return { text: text.slice(0, start) + blank + body, doctypeOffset: start };
}

interface Doctype {
  readonly end: number;
  readonly entities: ReadonlyMap<string, string>;
}

// The patterns are sticky: each continues where the last one ended, so that reading takes linear time.
const opening = /<!DOCTYPE\s+[^\s[>'"]+\s*(\[|>)/y;
const declaration =
  /\s+|<!--[\s\S]*?-->|<!ENTITY\s+([\p{L}_][\p{L}\p{N}_.-]*)\s+(?:"([^"]*)"|'([^']*)')\s*>|(\]\s*>)/uy;

function readDoctype(text: string, start: number): Doctype {
  const entities = new Map<string, string>();
  opening.lastIndex = start;
  const [, bracket] = opening.exec(text) ?? [];
  if (bracket === undefined) throw problem('xml-doctype', {});
  if (bracket === '>') return { end: opening.lastIndex, entities };
  declaration.lastIndex = opening.lastIndex;
  for (;;) {
    const match = declaration.exec(text);
    if (match === null || entities.size > maxEntities) throw problem('xml-doctype', {});
    const [, name, double, single, close] = match;
    if (close !== undefined) return { end: declaration.lastIndex, entities };
    const value = double ?? single;
    // The first declaration of a name counts.
    if (name === undefined || value === undefined || entities.has(name)) continue;
    if (value.includes('%')) throw problem('xml-doctype', {});
    entities.set(name, value);
  }
}

class EntityExpansion {
  readonly #text: string;
  readonly #start: number;
  readonly #entities: ReadonlyMap<string, string>;
  readonly #expanded = new Map<string, string>();

  constructor(text: string, start: number, entities: ReadonlyMap<string, string>) {
    this.#text = text;
    this.#start = start;
    this.#entities = entities;
  }

  /** References in comments and CDATA sections are text. */
  expandBody(body: string): string {
    let total = 0;
    return body.replace(
      /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|&([\p{L}_][\p{L}\p{N}_.-]*);/gu,
      (match, name?: string) => {
        const value = name === undefined ? undefined : this.#expand(name, 1);
        if (value === undefined) return match;
        total += value.length;
        if (total > maxExpandedCharacters)
          throw this.#reject(`expand to more than ${maxExpandedCharacters} characters`);
        return value;
      },
    );
  }

  /** Returns undefined for a name that is not declared, which the parser reports. */
  #expand(name: string, depth: number): string | undefined {
    if (predefined.has(name)) return undefined;
    const known = this.#expanded.get(name);
    if (known !== undefined) return known;
    const declared = this.#entities.get(name);
    if (declared === undefined) return undefined;
    if (depth > maxDepth) throw this.#reject(`are nested deeper than ${maxDepth} levels, at '${excerpt(name)}'`);
    let total = 0;
    const value = declared
      // A line end would shift the lines of messages.
      .replace(/[\r\n]+/g, ' ')
      .replace(/&([\p{L}_][\p{L}\p{N}_.-]*);/gu, (match, inner: string) => {
        const part = this.#expand(inner, depth + 1) ?? match;
        total += part.length;
        if (total > maxExpandedCharacters)
          throw this.#reject(`expand to more than ${maxExpandedCharacters} characters`);
        return part;
      });
    // Quotation marks in a plain value would end an attribute.
    const safe = value.includes('<') ? value : value.replaceAll('"', '&quot;').replaceAll("'", '&apos;');
    this.#expanded.set(name, safe);
    return safe;
  }

  #reject(reason: string) {
    return createMalformedXmlAt(this.#text, this.#start, `the entities of the DOCTYPE ${reason}`);
  }
}
