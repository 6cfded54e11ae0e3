/** Parses the YAML of a style within limits, and finds the positions of its values. */
import { createRequire } from 'node:module';
import type { Document, YAMLMap } from 'yaml';
import { problem } from '../../lib/problems/problem.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import type { LocateInDocument } from '../documents/document-complaints.ts';
import type { DocumentPath, DocumentValue } from '../documents/document-value.ts';

/** Anchors can be used this often, in total and nested: more would multiply the document without limit. */
const MAX_ALIASES = 1_000;

/** The values after anchors are replaced. */
const MAX_NODES = 200_000;

/** Styles are nested a dozen levels deep; the limit protects the stack. */
const MAX_DEPTH = 64;

/**
 * YAML is parsed recursively, in more than linear time. Each level needs at least one column of a block, a bracket, or
 * an indicator in the same line.
 */
const MAX_INDENT = 200;
const MAX_INDICATORS = 40;

export interface ParsedYaml {
  readonly root: DocumentValue;
  readonly locate: LocateInDocument;
  readonly errors: readonly YamlError[];
}

interface YamlError {
  readonly offset: number;
  /** In lower case, without a full stop. */
  readonly message: string;
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
  // The package compares each key with all others; checkNodes does it in linear time.
  const options = { merge: true, prettyErrors: false, strict: true, uniqueKeys: false };
  const document = loadPackage().parseDocument(text, options);
  const found = document.errors.map(({ pos, message }) => ({
    offset: pos[0],
    message: (message.split('\n')[0] ?? '')
      .slice(0, 200)
      .replace(/\.$/, '')
      .replace(/^./, (first) => first.toLowerCase()),
  }));
  const errors = found.length > 0 ? found : checkNodes(document);
  return {
    root: errors.length === 0 ? readRoot(document) : null,
    locate: (path, part) => locate(document, path, part),
    errors,
  };
}

function checkDepth(text: string): void {
  const isNested = text.split('\n').some((line) => {
    const indent = line.search(/\S/);
    if (indent > MAX_INDENT) return true;
    return line[indent] !== '#' && (line.match(/(?<!\S)[-?:](?!\S)/g)?.length ?? 0) > MAX_INDICATORS;
  });
  let [depth, deepest] = [0, 0];
  for (const character of text) {
    if (character === '[' || character === '{') deepest = Math.max(deepest, ++depth);
    else if (character === ']' || character === '}') depth = Math.max(0, depth - 1);
  }
  if (isNested || deepest > MAX_DEPTH) throw problem('document-too-deep', { limit: MAX_DEPTH });
}

/** Finds repeated keys, and aliases inside the value that they repeat. Throws `document-too-deep`. */
function checkNodes(document: Document): readonly YamlError[] {
  const { isAlias, isMap, isPair, isScalar, isSeq } = loadPackage();
  const errors: YamlError[] = [];
  const anchors = new Map<string, unknown>();
  const open = new Set<unknown>();
  const check = (node: unknown): void => {
    if (isAlias(node)) {
      const message = `the alias '*${excerpt(node.source)}' is inside the value that it repeats`;
      if (open.has(anchors.get(node.source))) errors.push({ offset: node.range?.[0] ?? 0, message });
      return;
    }
    if (isScalar(node) || isMap(node) || isSeq(node)) if (node.anchor !== undefined) anchors.set(node.anchor, node);
    if (isPair(node)) {
      check(node.key);
      check(node.value);
    }
    if (!isMap(node) && !isSeq(node)) return;
    if (open.size >= MAX_DEPTH) throw problem('document-too-deep', { limit: MAX_DEPTH });
    open.add(node);
    if (isMap(node)) errors.push(...findRepeatedKeys(node));
    for (const item of node.items) check(item);
    open.delete(node);
  };
  check(document.contents);
  return errors;
}

function findRepeatedKeys({ items }: YAMLMap): readonly YamlError[] {
  const { isScalar } = loadPackage();
  const names = new Set<string>();
  return items.flatMap(({ key }) => {
    const name = isScalar(key) ? String(key.value) : undefined;
    if (name === undefined || name === '<<') return [];
    if (names.has(name) && isScalar(key)) return [{ offset: key.range?.[0] ?? 0, message: 'map keys must be unique' }];
    names.add(name);
    return [];
  });
}

function readRoot(document: Document): DocumentValue {
  let value: unknown;
  try {
    value = document.toJS({ mapAsMap: true, maxAliasCount: MAX_ALIASES });
  } catch (error) {
    // The package reports an excessive use of aliases as a ReferenceError.
    if (error instanceof ReferenceError)
      throw problem('document-too-busy', { limit: MAX_ALIASES, what: 'values that aliases repeat' });
    throw error;
  }
  let nodes = 0;
  const convert = (part: unknown, depth: number): DocumentValue => {
    nodes += 1;
    if (nodes > MAX_NODES) throw problem('document-too-busy', { limit: MAX_NODES });
    if (depth > MAX_DEPTH) throw problem('document-too-deep', { limit: MAX_DEPTH });
    if (part instanceof Map)
      return new Map([...part].map(([name, member]) => [String(name), convert(member, depth + 1)]));
    if (Array.isArray(part)) return part.map((item) => convert(item, depth + 1));
    if (part === null || typeof part === 'string' || typeof part === 'number' || typeof part === 'boolean') return part;
    return part === undefined ? null : String(part);
  };
  return convert(value, 0);
}

/** Returns the offset of the value or key at a path, or of the innermost existing value around it. */
function locate(document: Document, path: DocumentPath, part: 'key' | 'value'): number {
  const { isMap, isNode, isScalar, isSeq } = loadPackage();
  let node: unknown = document.contents;
  let offset = 0;
  for (const [index, step] of path.entries()) {
    const pair = isMap(node)
      ? node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step))
      : undefined;
    const isKey = part === 'key' && index === path.length - 1;
    node = isSeq(node) ? node.items[Number(step)] : isKey ? pair?.key : pair?.value;
    if (!isNode(node)) return offset;
    offset = node.range?.[0] ?? offset;
  }
  return offset;
}

/** Whether a text without a media type is probably a style in YAML: it has a well-known key. */
export function isYamlStyle(text: string): boolean {
  return /^(?:feature-styles|rules|symbolizers|point|line|polygon|raster|sld-name|define|grid)\s*:(?:\s|$)/m.test(text);
}
