/**
 * A fast path for the tags of nearly all documents, several times faster than the full parser: ASCII names, comments,
 * and values and texts with no references but the five predefined ones. At anything else, valid or not, it stops, and
 * the full parser continues from there.
 */
import type { XmlAttribute } from './element.ts';
import { xmlnsNamespace } from './element.ts';
import { noAttributes, type XmlTree } from './tree.ts';

const xmlNamespace = 'http://www.w3.org/XML/1998/namespace';

/** A byte order mark and XML declaration that need no further checks. */
const opening = /^\uFEFF?(?:<\?xml version=(["'])1\.0\1(?: encoding=(["'])[A-Za-z][\w.-]*\2)?[ \t\n]*\?>)?/;

/** Characters that XML forbids or that are normalized. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters on purpose
const oddCharacters = /[\0-\x08\x0b-\x1f\ufffe\uffff]/;

/** The limit of attributes for pairwise comparison; the parser handles more with a set. */
const MAX_COMPARED = 20;

/** 2 for characters that can begin a name, 1 for those that can only continue it. */
const nameCharacters = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  return /[A-Za-z_]/.test(character) ? 2 : /[-.:0-9]/.test(character) ? 1 : 0;
});

interface ResolvedName {
  readonly name: string;
  readonly local: string;
  readonly uri: string;
}

/** The namespaces in scope of an element, and a cache of resolved names. */
interface Scope {
  readonly uris: ReadonlyMap<string, string>;
  readonly names: Map<string, ResolvedName | undefined>;
}

export class PlainTags {
  readonly #text: string;
  readonly #tree: XmlTree;
  readonly #scopes: Scope[] = [];
  /** The ranges of the start tags of the open elements. */
  readonly #starts: (readonly [number, number])[] = [];
  #scope: Scope = { uris: new Map([['xml', xmlNamespace]]), names: new Map() };
  #at: number;
  #attributes: XmlAttribute[] | undefined;
  #isAtEnd = false;

  constructor(text: string, tree: XmlTree) {
    this.#text = text;
    this.#tree = tree;
    const isOdd = oddCharacters.test(text) || text.includes(']]>');
    this.#at = isOdd ? -1 : (opening.exec(text)?.[0].length ?? 0);
  }

  /** The text before this offset was read completely. */
  get offset(): number {
    return Math.max(0, this.#at);
  }

  /** Returns the start tags of the open elements, which the full parser needs to continue. */
  joinOpenTags(): string {
    return this.#starts.map(([start, end]) => this.#text.slice(start, end)).join('');
  }

  /** Reads at least up to the offset. Returns false if it stopped at a construct for the full parser. */
  advance(end: number): boolean {
    if (this.#at < 0) return false;
    while (this.#at < end && !this.#isAtEnd) {
      if (!this.#readText() || !(this.#isAtEnd || this.#readTag())) return false;
    }
    return true;
  }

  /** Reads the text up to the next tag. */
  #readText(): boolean {
    const text = this.#text;
    const found = text.indexOf('<', this.#at);
    const end = found < 0 ? text.length : found;
    if (end > this.#at) {
      const part = text.slice(this.#at, end);
      if (this.#starts.length === 0) {
        if (/[^ \t\n]/.test(part)) return false;
      } else {
        const plain = decodeReferences(part);
        if (plain === undefined) return false;
        this.#tree.addText(plain);
      }
      this.#at = end;
    }
    this.#isAtEnd = found < 0;
    return true;
  }

  #readTag(): boolean {
    switch (this.#text.charCodeAt(this.#at + 1)) {
      case 0x2f:
        return this.#readEndTag();
      case 0x21:
        return this.#readComment();
      default:
        return this.#readStartTag();
    }
  }

  #readEndTag(): boolean {
    const name = this.#tree.innermost?.name;
    if (name === undefined || !this.#text.startsWith(name, this.#at + 2)) return false;
    const end = this.#skipSpace(this.#at + 2 + name.length);
    if (this.#text.charCodeAt(end) !== 0x3e) return false;
    this.#at = end + 1;
    this.#close();
    return true;
  }

  #readComment(): boolean {
    const start = this.#at + 4;
    const end = this.#text.indexOf('-->', start);
    // A comment cannot contain two hyphens elsewhere.
    if (!this.#text.startsWith('<!--', this.#at) || end < 0 || this.#text.indexOf('--', start) !== end) return false;
    this.#at = end + 3;
    return true;
  }

  #readStartTag(): boolean {
    const text = this.#text;
    const start = this.#at;
    const nameEnd = this.#skipName(start + 1);
    // The full parser reports a second root.
    if (nameEnd < 0 || (this.#starts.length === 0 && this.#tree.root !== undefined)) return false;
    let at = this.#readAttributes(nameEnd);
    if (at < 0) return false;
    const isEmpty = text.charCodeAt(at) === 0x2f;
    at += isEmpty ? 2 : 1;
    if (text.charCodeAt(at - 1) !== 0x3e) return false;

    const attributes = this.#attributes;
    const scope = attributes === undefined ? this.#scope : createScope(this.#scope, attributes);
    const resolved = scope && resolveName(scope, text.slice(start + 1, nameEnd));
    const resolvedAttributes = attributes === undefined ? noAttributes : scope && resolveAttributes(scope, attributes);
    if (scope === undefined || resolved === undefined || resolvedAttributes === undefined) return false;
    for (let count = 0; count < resolvedAttributes.length; count += 1) this.#tree.countAttribute();

    const { name, local, uri } = resolved;
    this.#tree.open({ name, local, uri, attributes: resolvedAttributes }, start);
    this.#scopes.push(this.#scope);
    this.#scope = scope;
    this.#starts.push([start, at]);
    this.#at = at;
    if (isEmpty) this.#close();
    return true;
  }

  #close(): void {
    this.#starts.pop();
    this.#scope = this.#scopes.pop() ?? this.#scope;
    this.#tree.close();
  }

  /** Reads attributes up to the end of the tag, without resolving names; -1 for a construct for the full parser. */
  #readAttributes(from: number): number {
    const text = this.#text;
    this.#attributes = undefined;
    let at = from;
    for (;;) {
      const nameStart = this.#skipSpace(at);
      const code = text.charCodeAt(nameStart);
      if (code === 0x3e || code === 0x2f) return nameStart;
      const nameEnd = nameStart === at ? -1 : this.#skipName(nameStart);
      if (nameEnd < 0 || text.charCodeAt(nameEnd) !== 0x3d) return -1;
      const quote = text.charCodeAt(nameEnd + 1);
      if (quote !== 0x22 && quote !== 0x27) return -1;
      const end = text.indexOf(quote === 0x22 ? '"' : "'", nameEnd + 2);
      const written = end < 0 ? undefined : text.slice(nameEnd + 2, end);
      // The full parser normalizes white space in attribute values.
      const value = written === undefined || /[<\t\n]/.test(written) ? undefined : decodeReferences(written);
      if (value === undefined) return -1;
      this.#attributes ??= [];
      if (this.#attributes.length === MAX_COMPARED) return -1;
      this.#attributes.push({ name: text.slice(nameStart, nameEnd), local: '', uri: '', value });
      at = end + 1;
    }
  }

  #skipSpace(from: number): number {
    let at = from;
    for (;;) {
      const code = this.#text.charCodeAt(at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x09) return at;
      at += 1;
    }
  }

  /** Returns the end of the name; -1 if there is none or it is not ASCII. */
  #skipName(from: number): number {
    const text = this.#text;
    let at = from;
    let code = text.charCodeAt(at);
    if (nameCharacters[code] !== 2) return -1;
    do {
      at += 1;
      code = text.charCodeAt(at);
    } while ((nameCharacters[code] ?? 0) > 0);
    // A non-ASCII character would continue the name.
    return code > 0x7f ? -1 : at;
  }
}

const references: ReadonlyMap<string, string> = new Map([
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&amp;', '&'],
  ['&quot;', '"'],
  ['&apos;', "'"],
]);

/** Decodes the five predefined references; undefined if the text contains any other. */
function decodeReferences(written: string): string | undefined {
  if (!written.includes('&')) return written;
  let isPlain = true;
  const meant = written.replace(/&[^&;]*;?/g, (reference) => {
    const character = references.get(reference);
    isPlain &&= character !== undefined;
    return character ?? '';
  });
  return isPlain ? meant : undefined;
}

/** Creates the scope with the declared namespaces; undefined for declarations that the full parser must check. */
function createScope(outer: Scope, attributes: readonly XmlAttribute[]): Scope | undefined {
  let uris: Map<string, string> | undefined;
  for (const { name, value } of attributes) {
    const prefix = name === 'xmlns' ? '' : name.startsWith('xmlns:') ? name.slice(6) : undefined;
    if (prefix === undefined) continue;
    const isUsual = prefix !== 'xml' && prefix !== 'xmlns' && value !== xmlNamespace && value !== xmlnsNamespace;
    if (!isUsual || value.trim() !== value || (value === '' && prefix !== '')) return undefined;
    uris ??= new Map(outer.uris);
    uris.set(prefix, internText(value));
  }
  return uris === undefined ? outer : { uris, names: new Map() };
}

/** Returns the internalized string, which V8 compares with string literals by reference. */
function internText(text: string): string {
  const [name = text] = Object.keys({ [text]: true });
  return name;
}

/** Resolves a qualified name; undefined if its prefix is not declared or it is malformed. */
function resolveName(scope: Scope, name: string): ResolvedName | undefined {
  let resolved = scope.names.get(name);
  if (resolved === undefined) {
    const colon = name.indexOf(':');
    const local = name.slice(colon + 1);
    const uri = colon < 0 ? (scope.uris.get('') ?? '') : scope.uris.get(name.slice(0, colon));
    const isWhole = local !== '' && colon !== 0 && !local.includes(':');
    resolved = uri === undefined || !isWhole ? undefined : { name, local: internText(local), uri };
    scope.names.set(name, resolved);
  }
  return resolved;
}

/** Resolves attributes; undefined if a prefix is not declared or two attributes are the same. */
function resolveAttributes(scope: Scope, attributes: readonly XmlAttribute[]): readonly XmlAttribute[] | undefined {
  const resolved: XmlAttribute[] = [];
  for (const { name, value } of attributes) {
    const { local, uri } = resolveAttribute(scope, name) ?? {};
    if (local === undefined || uri === undefined) return undefined;
    for (const each of resolved) if (each.local === local && each.uri === uri) return undefined;
    resolved.push({ name, local, uri, value });
  }
  return resolved;
}

/** Attributes without a prefix have no namespace, except for declarations. */
function resolveAttribute(scope: Scope, name: string): Pick<XmlAttribute, 'local' | 'uri'> | undefined {
  if (name === 'xmlns') return { local: name, uri: xmlnsNamespace };
  if (!name.includes(':')) return { local: name, uri: '' };
  return name.startsWith('xmlns:') ? resolveDeclaration(name) : resolveName(scope, name);
}

function resolveDeclaration(name: string): Pick<XmlAttribute, 'local' | 'uri'> | undefined {
  const local = name.slice(6);
  return local === '' || local.includes(':') ? undefined : { local, uri: xmlnsNamespace };
}
