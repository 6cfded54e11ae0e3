/** Parses the YAML of a style within limits, and finds the positions of its values. */
import { createRequire } from 'node:module';
import type { Document } from 'yaml';
import { problem } from '../../lib/problems/problem.ts';
import type { DocumentPath, DocumentValue } from '../documents/document-value.ts';

/** Anchors can be used this often, in total and nested: more would multiply the document without limit. */
const MAX_ALIASES = 1_000;

/** The values after anchors are replaced. */
const MAX_NODES = 200_000;

/** YAML is parsed recursively. Each level of a block needs at least one column, and each of a flow a bracket. */
const MAX_INDENT = 200;
const MAX_BRACKETS = 64;

export interface ParsedYaml {
  readonly root: DocumentValue;
  /** Returns the offset of the value at a path, or of the innermost existing value around it. */
  readonly locate: (path: DocumentPath) => number;
  readonly errors: readonly { readonly offset: number; readonly message: string }[];
}

type YamlPackage = typeof import('yaml');

let loaded: YamlPackage | undefined;

/** Loaded with the first style in YAML, because it has many files; synchronously, as all readers are synchronous. */
function loadPackage(): YamlPackage {
  loaded ??= createRequire(import.meta.url)('yaml') as YamlPackage;
  return loaded;
}

/** Throws `document-too-deep` or `document-too-busy`. */
export function parseDocument(text: string): ParsedYaml {
  checkDepth(text);
  const document = loadPackage().parseDocument(text, { merge: true, prettyErrors: false, strict: true });
  const errors = document.errors.map(({ pos, message }) => ({
    offset: pos[0],
    message: (message.split('\n')[0] ?? '')
      .slice(0, 200)
      .replace(/\.$/, '')
      .replace(/^./, (first) => first.toLowerCase()),
  }));
  return { root: errors.length === 0 ? readRoot(document) : null, locate: (path) => locate(document, path), errors };
}

function checkDepth(text: string): void {
  const isIndented = text.split('\n').some((line) => line.search(/\S/) > MAX_INDENT || /^[\s-]*(?:- ){40}/.test(line));
  let [depth, deepest] = [0, 0];
  for (const character of text) {
    if (character === '[' || character === '{') deepest = Math.max(deepest, ++depth);
    else if (character === ']' || character === '}') depth = Math.max(0, depth - 1);
  }
  if (isIndented || deepest > MAX_BRACKETS) throw problem('document-too-deep', { limit: MAX_BRACKETS });
}

function readRoot(document: Document): DocumentValue {
  let value: unknown;
  try {
    value = document.toJS({ mapAsMap: true, maxAliasCount: MAX_ALIASES });
  } catch (error) {
    // The package reports an excessive use of aliases as a ReferenceError.
    if (error instanceof ReferenceError) throw problem('document-too-busy', { limit: MAX_ALIASES });
    throw error;
  }
  let nodes = 0;
  const convert = (part: unknown): DocumentValue => {
    nodes += 1;
    if (nodes > MAX_NODES) throw problem('document-too-busy', { limit: MAX_NODES });
    if (part instanceof Map) return new Map([...part].map(([name, member]) => [String(name), convert(member)]));
    if (Array.isArray(part)) return part.map(convert);
    if (part === null || typeof part === 'string' || typeof part === 'number' || typeof part === 'boolean') return part;
    return part === undefined ? null : String(part);
  };
  return convert(value);
}

function locate(document: Document, path: DocumentPath): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true);
    const offset = loadPackage().isNode(node) ? node.range?.[0] : undefined;
    if (offset !== undefined) return offset;
  }
  return 0;
}

/** Whether a text without a media type is probably a style in YAML: it has a well-known key. */
export function isYamlStyle(text: string): boolean {
  return /^(?:feature-styles|rules|symbolizers|point|line|polygon|raster|sld-name|define|grid)\s*:(?:\s|$)/m.test(text);
}
