/** Parses the document of a batch into operations and reports all problems together. */

import { formatJsonTree } from '../../lib/json/text.ts';
import type { JsonTree } from '../../lib/json/tree.ts';
import { type FieldError, problem } from '../../lib/problems/problem.ts';

export interface Batch {
  readonly message: string | undefined;
  readonly ifPosition: number | undefined;
  readonly operations: readonly BatchOperation[];
}

export interface BatchOperation {
  readonly id: string | undefined;
  readonly method: string;
  readonly path: string;
  readonly content: string | undefined;
  readonly contentType: string | undefined;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** One transaction holds the write lock for all operations. */
const MAX_OPERATIONS = 1_000;

/** The message is shown in one line of the history. */
const MAX_MESSAGE_CHARACTERS = 500;

/** Maximum number of problems reported for one document. */
const MAX_COMPLAINTS = 20;

export const acceptedHeaders = ['Accept', 'If-Match', 'If-None-Match', 'Prefer'] as const;

export function readBatch(document: JsonTree): Batch {
  const reading = new BatchReader();
  const batch = readMembers(document, reading);
  reading.throwIfInvalid();
  return batch;
}

class BatchReader {
  readonly #complaints: FieldError[] = [];

  complain(field: string, message: string): undefined {
    if (this.#complaints.length < MAX_COMPLAINTS) this.#complaints.push({ field, message: `${field} ${message}` });
    return undefined;
  }

  /** Throws if any problem was collected. */
  throwIfInvalid(): void {
    const [first] = this.#complaints;
    if (first !== undefined) throw problem('document-invalid', { complaints: this.#complaints, field: first.field });
  }

  /** Returns the members of an object and reports unknown ones. */
  readObject(tree: JsonTree, at: string, known: readonly string[]): ReadonlyMap<string, JsonTree> {
    if (tree.kind !== 'object') {
      this.complain(at === '' ? 'the document' : at, 'must be an object');
      return new Map();
    }
    for (const name of tree.members.keys()) {
      if (!known.includes(name))
        this.complain(joinFieldPath(at, name), `is unknown; allowed members: ${known.join(', ')}`);
    }
    return tree.members;
  }

  readText(tree: JsonTree | undefined, field: string): string | undefined {
    if (tree === undefined) return undefined;
    return tree.kind === 'string' ? tree.text : this.complain(field, 'must be a string');
  }
}

function joinFieldPath(at: string, name: string): string {
  return at === '' ? name : `${at}.${name}`;
}

function readMembers(document: JsonTree, reading: BatchReader): Batch {
  const members = reading.readObject(document, '', ['message', 'ifPosition', 'operations']);
  const message = reading.readText(members.get('message'), 'message');
  if (message !== undefined && [...message].length > MAX_MESSAGE_CHARACTERS) {
    reading.complain('message', `must have at most ${MAX_MESSAGE_CHARACTERS} characters`);
  }
  const operations = members.get('operations');
  if (operations?.kind !== 'array' || operations.items.length === 0) {
    reading.complain('operations', 'must be a list with at least one operation');
    return { message, ifPosition: undefined, operations: [] };
  }
  if (operations.items.length > MAX_OPERATIONS) {
    throw problem('batch-too-large', { limit: `${MAX_OPERATIONS} operations` });
  }
  const read = operations.items.map((each, index) => readOperation(each, `operations[${index}]`, reading));
  const ids = read.flatMap(({ id }) => id ?? []);
  for (const id of new Set(ids.filter((each, index) => ids.indexOf(each) < index))) {
    reading.complain('operations', `use the id '${id}' more than once`);
  }
  return { message, ifPosition: readPosition(members.get('ifPosition'), reading), operations: read };
}

function readPosition(tree: JsonTree | undefined, reading: BatchReader): number | undefined {
  if (tree === undefined) return undefined;
  const position = tree.kind === 'number' && /^\d{1,15}$/.test(tree.text) ? Number(tree.text) : undefined;
  return position ?? reading.complain('ifPosition', 'must be an integer of at least 0');
}

function readOperation(tree: JsonTree, at: string, reading: BatchReader): BatchOperation {
  const members = reading.readObject(tree, at, ['id', 'method', 'path', 'body', 'content', 'contentType', 'headers']);
  const readTextMember = (name: string) => reading.readText(members.get(name), joinFieldPath(at, name));
  const [method, path, content, contentType] = [
    readTextMember('method'),
    readTextMember('path'),
    readTextMember('content'),
    readTextMember('contentType'),
  ];
  const body = members.get('body');
  if (method === undefined) reading.complain(joinFieldPath(at, 'method'), 'is required');
  if (path === undefined || !isPlainPath(path)) {
    reading.complain(
      joinFieldPath(at, 'path'),
      "must begin with '/', be encoded as in a request line, and not contain '.' or '..' as a segment",
    );
  }
  if ((content === undefined) !== (contentType === undefined) || (content !== undefined && body !== undefined)) {
    reading.complain(at, 'must have either body, or content with contentType');
  }
  if (contentType !== undefined && !/^[ -~]+$/.test(contentType)) {
    reading.complain(joinFieldPath(at, 'contentType'), 'must be a media type');
  }
  return {
    id: readTextMember('id'),
    method: method ?? '',
    path: path ?? '',
    content: body === undefined ? content : formatJsonTree(body),
    contentType: body === undefined ? contentType : 'application/json',
    headers: readHeaders(members.get('headers'), joinFieldPath(at, 'headers'), reading),
  };
}

function readHeaders(tree: JsonTree | undefined, at: string, reading: BatchReader): Readonly<Record<string, string>> {
  if (tree === undefined) return {};
  const headers: Record<string, string> = {};
  for (const [name, value] of reading.readObject(tree, at, listKnownSpellings(tree))) {
    const text = reading.readText(value, joinFieldPath(at, name));
    if (text !== undefined && !/^[ -~]*$/.test(text))
      reading.complain(joinFieldPath(at, name), 'must consist of visible ASCII characters');
    else if (text !== undefined) headers[name.toLowerCase()] = text;
  }
  return headers;
}

/** Header names are case-insensitive. */
function listKnownSpellings(tree: JsonTree): readonly string[] {
  const accepted = acceptedHeaders.map((name) => name.toLowerCase());
  const sent = tree.kind === 'object' ? [...tree.members.keys()] : [];
  return [...new Set([...acceptedHeaders, ...sent.filter((name) => accepted.includes(name.toLowerCase()))])];
}

/** Also matches escaped dots. */
function isPlainPath(path: string): boolean {
  if (!/^\/(?:[!-"$&-~]|%[0-9A-Fa-f]{2})*$/.test(path)) return false;
  const [beforeQuery = ''] = path.split('?');
  return !beforeQuery.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment));
}
