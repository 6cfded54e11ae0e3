/** Parses a configuration document as a whole and collects all errors of its form. */
import { UnknownNames } from '../../../http/request/unknown-names.ts';
import { parseKeepingNumberText } from '../../../lib/json/keep-number-text.ts';
import type { ConfigurationError } from '../../../lib/problems/kinds/kind.ts';
import { type FieldError, problem } from '../../../lib/problems/problem.ts';
import { excerpt } from '../../../lib/text/excerpt.ts';
import { encodePath } from '../../changes/record-path.ts';
import { type Fields, isList, isObject, type Json } from '../model/fields.ts';
import type { ConfigurationKind, ResourceAddress } from '../model/kind.ts';
import { createNotSecretComplaint, isKeptSecret } from '../model/operations.ts';
import { readJsonPieces } from './json-pieces.ts';
import { FORMAT } from './representation.ts';
import type { TextBuffer, TextSlice } from './text-buffer.ts';

/** A resource of a document with its kind. Fields are parsed lazily because most resources are unchanged. */
export class DocumentResource {
  readonly row: ConfigurationKind;
  readonly path: string;
  /** The text as written. */
  readonly written: TextSlice;

  constructor(row: ConfigurationKind, path: string, written: TextSlice) {
    this.row = row;
    this.path = path;
    this.written = written;
  }

  get address(): ResourceAddress {
    return findAddress(this.row, this.path);
  }

  get fields(): Fields {
    // Already parsed.
    const { fields } = parseKeepingNumberText(this.written.toString()) as { readonly fields: Fields };
    return this.row.normalise?.(fields) ?? fields;
  }
}

export interface ConfigurationDocument {
  /** Message of the change; null if absent. */
  readonly message: string | null;
  /** The paths that the export was limited to. */
  readonly scope: readonly string[];
  /** The kinds that the document covers; empty for all. */
  readonly kinds: readonly string[];
  /** By path. */
  readonly resources: ReadonlyMap<string, DocumentResource>;
  /** The kinds of resources that are deleted if they exist, by path. */
  readonly deletions: ReadonlyMap<string, ConfigurationKind>;
  /** Unknown fields, and fields that keep a secret where none exists. */
  readonly unfitFields: readonly ConfigurationError[];
}

/** Maximum number of problems reported for one document. */
const MAX_COMPLAINTS = 20;

/** The message is shown in one line of the history. */
const MAX_MESSAGE = 500;

/** Depth limit of nested values. */
const MAX_DEPTH = 100;

const members = ['format', 'position', 'hash', 'scope', 'kinds', 'message', 'delete', 'resources'];
const resourceMembers = ['kind', 'path', 'fields'];

/**
 * Throws all errors of the form together; an invalid document is not processed further. The resources are kept in
 * `texts`.
 */
export async function readConfiguration(
  bytes: Buffer,
  kinds: readonly ConfigurationKind[],
  texts: TextBuffer,
): Promise<ConfigurationDocument> {
  const reading = new ConfigurationReader(kinds, texts);
  for await (const piece of readJsonPieces(bytes, 'resources', MAX_DEPTH)) {
    switch (piece.kind) {
      case 'list':
        reading.beginResources();
        break;
      case 'item':
        reading.addResource(piece.value, piece.text, piece.index);
        break;
      case 'member':
        reading.addMember(piece.name, piece.value);
    }
  }
  return reading.finish();
}

class ConfigurationReader {
  readonly #rows: ReadonlyMap<string, ConfigurationKind>;
  /** Paths without a variable: each belongs to exactly one kind. */
  readonly #places: ReadonlySet<string>;
  readonly #texts: TextBuffer;
  readonly #complaints: FieldError[] = [];
  readonly #unknown = new UnknownNames();
  readonly #resources = new Map<string, DocumentResource>();
  readonly #unfitFields: ConfigurationError[] = [];
  /** The same by position, for documents that also have errors of the form. */
  readonly #unfitComplaints: FieldError[] = [];
  readonly #members = new Map<string, Json>();
  #hasResources = false;

  constructor(kinds: readonly ConfigurationKind[], texts: TextBuffer) {
    this.#texts = texts;
    this.#rows = new Map(kinds.map((row) => [row.kind, row]));
    this.#places = new Set(kinds.flatMap(({ patterns }) => patterns).filter((pattern) => !pattern.includes(':')));
  }

  addMember(name: string, value: Json): void {
    if (!members.includes(name)) {
      this.#unknown.addField('', name, members);
    } else if (this.#members.has(name)) {
      this.#complain(name, 'appears twice');
    }
    this.#members.set(name, value);
  }

  beginResources(): void {
    if (this.#hasResources) {
      this.#complain('resources', 'appears twice');
    }
    this.#hasResources = true;
  }

  addResource(value: Json, written: TextSlice, index: number): void {
    const at = `resources[${index}]`;
    if (!isObject(value)) {
      this.#complain(at, 'expected an object with kind, path and fields');
      return;
    }
    for (const name of Object.keys(value).filter((each) => !resourceMembers.includes(each))) {
      this.#unknown.addField(at, name, resourceMembers);
    }
    const { kind, path, fields } = value;
    const row = typeof kind === 'string' ? this.#rows.get(kind) : undefined;
    if (row === undefined) {
      const found = typeof kind === 'string' ? `'${excerpt(kind)}'` : 'another type';
      this.#complain(`${at}.kind`, `expected one of ${[...this.#rows.keys()].join(', ')}, found ${found}`);
    }
    if (typeof path !== 'string') {
      this.#complain(`${at}.path`, 'expected a path');
      return;
    }
    if (!isObject(fields)) {
      this.#complain(`${at}.fields`, 'expected an object of fields');
      return;
    }
    const isInPlace = row !== undefined && this.#isInPlace(row, path, at);
    if (this.#resources.has(path)) {
      this.#complain(`${at}.path`, `'${excerpt(path)}' appears twice`);
    } else if (isInPlace) {
      this.#resources.set(path, new DocumentResource(row, path, this.#texts.append(written.toString())));
      this.#noteUnfit(listUnfitFields(row, path, row.normalise?.(fields) ?? fields), at);
    }
  }

  #noteUnfit(unfit: readonly ConfigurationError[], at: string): void {
    this.#unfitFields.push(...unfit);
    for (const { field = '', message } of unfit.slice(0, MAX_COMPLAINTS - this.#unfitComplaints.length)) {
      this.#unfitComplaints.push({ field: `${at}.fields.${field.slice(1)}`, message });
    }
  }

  finish(): ConfigurationDocument {
    const format = this.#members.get('format');
    const message = this.#members.get('message') ?? null;
    if (format !== FORMAT) {
      const found = typeof format === 'string' ? `'${excerpt(format)}'` : 'no format';
      this.#complain('format', `expected '${FORMAT}', found ${found}`);
    }
    if (!this.#hasResources || this.#members.has('resources')) {
      this.#complain('resources', 'expected a list');
    }
    if (message !== null && (typeof message !== 'string' || message.length > MAX_MESSAGE)) {
      this.#complain('message', `expected text of at most ${MAX_MESSAGE} characters`);
    }
    const scope = this.#readTexts('scope', 'paths');
    const kinds = this.#readTexts('kinds', 'kinds');
    const deletions = this.#readDeletions();
    const unknown = this.#unknown.findProblem({ isStrict: false });
    const unknownNames = [...(unknown?.details.complaints ?? []), ...this.#unfitComplaints];
    const [first] = this.#complaints;
    if (first !== undefined) {
      throw problem('document-invalid', { complaints: [...this.#complaints, ...unknownNames], field: first.field });
    }
    if (unknown !== undefined) {
      const [field] = unknownNames;
      throw this.#unfitComplaints.length === 0
        ? unknown
        : problem('document-invalid', { complaints: unknownNames, ...(field && { field: field.field }) });
    }
    return {
      message: typeof message === 'string' ? message : null,
      scope,
      kinds,
      resources: this.#resources,
      deletions,
      unfitFields: this.#unfitFields,
    };
  }

  #readDeletions(): ReadonlyMap<string, ConfigurationKind> {
    const found = new Map<string, ConfigurationKind>();
    for (const [index, path] of this.#readTexts('delete', 'paths').entries()) {
      const segments = parseResourcePath(path);
      const row = segments && this.#findDeletable(path, segments);
      const reason = this.#resources.has(path) ? 'is also a resource of the document' : undefined;
      if (row !== undefined && reason === undefined) found.set(path, row);
      else
        this.#complain(
          `delete[${index}]`,
          `'${excerpt(path)}' ${reason ?? 'is no path of a resource that can be deleted'}`,
        );
    }
    return found;
  }

  #findDeletable(path: string, segments: readonly string[]): ConfigurationKind | undefined {
    const isMatch = (row: ConfigurationKind) =>
      (row.patterns.includes(path) || !this.#places.has(path)) && matchPatterns(row, segments) !== undefined;
    const row = [...this.#rows.values()].find(isMatch);
    return row?.isPermanent === true ? undefined : row;
  }

  #readTexts(member: string, what: string): readonly string[] {
    const list = this.#members.get(member) ?? [];
    const texts = isList(list) ? list.filter((each) => typeof each === 'string') : [];
    if (!isList(list) || texts.length < list.length) {
      this.#complain(member, `expected a list of ${what}`);
    }
    return texts;
  }

  #isInPlace(row: ConfigurationKind, path: string, at: string): boolean {
    const segments = parseResourcePath(path);
    if (segments === undefined) {
      const expected = 'expected a path in its normal form, percent-encoded as in a request line';
      this.#complain(`${at}.path`, `${expected}, found '${excerpt(path)}'`);
      return false;
    }
    const isTaken = !row.patterns.includes(path) && this.#places.has(path);
    const isOfKind = !isTaken && matchPatterns(row, segments) !== undefined;
    if (!isOfKind) {
      const expected = row.patterns.join(' or ');
      this.#complain(`${at}.path`, `'${excerpt(path)}' does not match its kind; expected ${expected}`);
    }
    return isOfKind;
  }

  #complain(field: string, message: string): void {
    if (this.#complaints.length < MAX_COMPLAINTS) {
      this.#complaints.push({ field, message });
    }
  }
}

/** Unknown fields, and fields that keep a secret where none exists. */
function listUnfitFields(
  { kind, fieldNames, secrets = [] }: ConfigurationKind,
  path: string,
  fields: Fields,
): readonly ConfigurationError[] {
  return Object.keys(fields).flatMap((name) => {
    if (!fieldNames.includes(name)) {
      const message = `unknown field of a ${kind}; allowed fields: ${fieldNames.join(', ')}`;
      return [{ path, field: `/${name}`, code: 'names-unknown', message }];
    }
    return isKeptSecret(fields[name]) && !secrets.includes(name) ? [createNotSecretComplaint(path, `/${name}`)] : [];
  });
}

/** The decoded segments of a path; undefined where it is not in the form of exports. */
export function parseResourcePath(path: string): readonly string[] | undefined {
  try {
    const written = path.split('/');
    written.shift();
    const segments = path.includes('%') ? written.map(decodeURIComponent) : written;
    const isPlain = segments.every((segment) => segment !== '' && segment !== '.' && segment !== '..');
    return isPlain && segments.length > 0 && encodePath(segments) === path ? segments : undefined;
  } catch {
    return undefined;
  }
}

/** The address of an existing or valid path of this kind. */
export function findAddress(row: ConfigurationKind, path: string): ResourceAddress {
  const match = matchPatterns(row, parseResourcePath(path) ?? []);
  if (match === undefined) {
    throw new Error(`'${path}' is not the path of a ${row.kind}`);
  }
  return { path, ...match };
}

/** The pattern of this kind that a path matches, and its variables. */
function matchPatterns(
  { patterns }: Pick<ConfigurationKind, 'patterns'>,
  segments: readonly string[],
): Pick<ResourceAddress, 'pattern' | 'names'> | undefined {
  for (const pattern of patterns) {
    const names = matchPattern(pattern, segments);
    if (names !== undefined) {
      return { pattern, names };
    }
  }
  return undefined;
}

function matchPattern(pattern: string, segments: readonly string[]): Readonly<Record<string, string>> | undefined {
  const parts = parsePattern(pattern);
  if (parts.length !== segments.length) {
    return undefined;
  }
  const names: Record<string, string> = {};
  for (const [index, { text, isVariable }] of parts.entries()) {
    const segment = segments[index] ?? '';
    if (isVariable) {
      names[text] = segment;
    } else if (text !== segment) {
      return undefined;
    }
  }
  return names;
}

interface PatternPart {
  /** A literal segment, or the name of a variable. */
  readonly text: string;
  readonly isVariable: boolean;
}

/** Caches the few patterns of the kinds. */
const parsedPatterns = new Map<string, readonly PatternPart[]>();

function parsePattern(pattern: string): readonly PatternPart[] {
  let parts = parsedPatterns.get(pattern);
  if (parts === undefined) {
    const segments = pattern.split('/').slice(1);
    parts = segments.map((each) => ({ text: each.replace(/^:/, ''), isVariable: each.startsWith(':') }));
    parsedPatterns.set(pattern, parts);
  }
  return parts;
}
