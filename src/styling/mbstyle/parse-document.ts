/** Parses the JSON of a style, and finds the positions of its values. */
import { readJson } from '../../lib/json/reader.ts';
import { JsonScanner } from '../../lib/json/scanner.ts';
import type { JsonTree } from '../../lib/json/tree.ts';
import type { DocumentLimits } from '../../lib/text/document-limits.ts';
import type { DocumentPath, DocumentValue } from '../documents/document-value.ts';

/** Styles are read recursively, so that their depth is limited. */
const limits: DocumentLimits = { maxDepth: 64, maxNodes: 1_000_000 };

/** Throws the problems of JSON documents. */
export function parseDocument(text: string): DocumentValue {
  return toValue(readJson(text, limits));
}

function toValue(tree: JsonTree): DocumentValue {
  switch (tree.kind) {
    case 'object':
      return new Map([...tree.members].map(([name, member]) => [name, toValue(member)]));
    case 'array':
      return tree.items.map(toValue);
    case 'string':
      return tree.text;
    case 'number':
      return Number(tree.text);
    case 'boolean':
      return tree.value;
    case 'null':
      return null;
  }
}

/** Returns the offset of the value at a path, or of the innermost existing value around it. The text must be valid. */
export function locateValue(text: string, path: DocumentPath): number {
  const scanner = new JsonScanner(text);
  scanner.skipWhitespace();
  for (const part of path) {
    const start = scanner.offset;
    if (!enterPart(scanner, part)) return start;
  }
  return scanner.offset;
}

/** Moves from the start of an array or object to the start of one of its values. */
function enterPart(scanner: JsonScanner, part: string | number): boolean {
  const isArray = scanner.accept('[');
  if (!isArray && !scanner.accept('{')) return false;
  for (let index = 0; ; index += 1) {
    scanner.skipWhitespace();
    if (scanner.accept(isArray ? ']' : '}')) return false;
    const name = isArray ? index : readName(scanner);
    scanner.skipWhitespace();
    if (name === part) return true;
    skipValue(scanner);
    scanner.skipWhitespace();
    scanner.accept(',');
  }
}

function readName(scanner: JsonScanner): string {
  const name = scanner.isAtString() ? scanner.readString() : scanner.readIdentifier();
  scanner.skipWhitespace();
  scanner.accept(':');
  return name;
}

function skipValue(scanner: JsonScanner): void {
  let depth = 0;
  do {
    scanner.skipWhitespace();
    if (scanner.accept('[') || scanner.accept('{')) depth += 1;
    else if (scanner.accept(']') || scanner.accept('}')) depth -= 1;
    else if (scanner.isAtString()) scanner.readString();
    else if (!scanner.accept(',') && !scanner.accept(':') && scanner.readWord() === '') return;
  } while (depth > 0);
}
