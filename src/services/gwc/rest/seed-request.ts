/** Parses a request to seed, reseed or truncate the tiles of a layer, from XML, JSON or a form. */

import type { Bounds } from '../../../crs/bounds.ts';
import { readJson } from '../../../lib/json/reader.ts';
import type { JsonTree } from '../../../lib/json/tree.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { DocumentLimits } from '../../../lib/text/document-limits.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import { getFinestLevel, type TileMatrixSet } from '../../../tiles/tile-matrix-set.ts';
import { readDocument } from '../../ows/message.ts';
import type { Parameters } from '../../ows/parameters.ts';

export interface SeedRequest {
  readonly kind: 'seed' | 'reseed' | 'truncate';
  readonly set: TileMatrixSet;
  readonly minLevel: number;
  readonly maxLevel: number;
  /** As sent; undefined for all formats, or for PNG when seeding. */
  readonly format: string | undefined;
  readonly threads: number;
  /** In the CRS of the grid; undefined for the extent of the layer. */
  readonly bounds: Bounds | undefined;
  /** The parameters that clients would send with each tile: a style, a filter, a time. */
  readonly parameters: Parameters;
}

/** The texts of a document by path, such as `srs.number`. Repeated paths get a number. */
export type Fields = ReadonlyMap<string, string>;

/** Requests have some ten fields and a few parameters. */
const MAX_FIELDS = 1_000;

class FieldCollector {
  readonly #fields = new Map<string, string>();
  readonly #lastNumbers = new Map<string, number>();

  get fields(): Fields {
    return this.#fields;
  }

  add(path: string, text: string): void {
    if (this.#fields.size >= MAX_FIELDS) {
      throw problem('ows-request-unreadable', { reason: `it has more than ${MAX_FIELDS} fields` });
    }
    this.#fields.set(this.#findFreePath(path), text);
  }

  #findFreePath(path: string): string {
    if (!this.#fields.has(path)) return path;
    let number = (this.#lastNumbers.get(path) ?? 0) + 1;
    while (this.#fields.has(`${path}.${number}`)) number += 1;
    this.#lastNumbers.set(path, number);
    return `${path}.${number}`;
  }
}

export async function readFields(
  text: string,
  limits: DocumentLimits,
): Promise<{ readonly root: string; readonly fields: Fields }> {
  const trimmed = text.trim();
  if (isForm(trimmed)) return { root: 'seedRequest', fields: readForm(trimmed) };
  const collector = new FieldCollector();
  if (trimmed.startsWith('<')) {
    const root = await readDocument(trimmed, limits);
    for (const child of root.children) if (child.kind === 'element') collectXml(collector, child.local, child);
    return { root: root.local, fields: collector.fields };
  }
  if (!trimmed.startsWith('{')) {
    throw problem('ows-request-unreadable', { reason: 'the document is neither XML, JSON nor a form' });
  }
  const parsed = readJson(trimmed, limits);
  const [only] = parsed.kind === 'object' ? parsed.members : [];
  if (only?.[1].kind !== 'object') {
    throw problem('ows-request-unreadable', { reason: 'expected a document such as {"seedRequest": {...}}' });
  }
  for (const [name, value] of only[1].members) collectJson(collector, name, value);
  return { root: only[0], fields: collector.fields };
}

function collectXml(collector: FieldCollector, path: string, element: XmlElement): void {
  const inner = element.children.filter((each): each is XmlElement => each.kind === 'element');
  if (inner.length === 0) {
    const text = element.children.map((each) => (each.kind === 'text' ? each.text : '')).join('');
    collector.add(path, text.trim());
  }
  for (const each of inner) collectXml(collector, `${path}.${each.local}`, each);
}

function collectJson(collector: FieldCollector, path: string, value: JsonTree): void {
  if (value.kind === 'array') for (const each of value.items) collectJson(collector, path, each);
  else if (value.kind === 'object')
    for (const [name, each] of value.members) collectJson(collector, `${path}.${name}`, each);
  else if (value.kind === 'number') collector.add(path, String(Number(value.text)));
  else if (value.kind !== 'null') collector.add(path, value.kind === 'string' ? value.text : String(value.value));
}

/** Detected by its text: curl labels every body as a form unless a script sets another type. */
export function isForm(text: string): boolean {
  return /^\s*\w+=/.test(text);
}

/** The fields of the HTML form of GeoWebCache, under the names of the document. */
function readForm(text: string): Fields {
  const form = new URLSearchParams(text);
  if (!form.has('type')) throw createParameterProblem('type', '', `expected one of ${kinds.join(', ')}`);
  const collector = new FieldCollector();
  for (const [name, value] of form) {
    if (value === '' || boundNames.includes(name)) continue;
    const parameter = /^parameter_(.+)$/.exec(name)?.[1];
    if (parameter === undefined) collector.add(name === 'tileFormat' ? 'format' : name, value);
    else for (const each of [parameter, value]) collector.add(PARAMETER_PATH, each);
  }
  const bounds = boundNames.map((name) => form.get(name) ?? '');
  // A form with empty bounds means the extent of the layer.
  if (bounds.some((each) => each !== '')) for (const each of bounds) collector.add(BOUNDS_PATH, each);
  return collector.fields;
}

const boundNames: readonly string[] = ['minX', 'minY', 'maxX', 'maxY'];
const BOUNDS_PATH = 'bounds.coords.double';
const PARAMETER_PATH = 'parameters.entry.string';

const kinds = ['seed', 'reseed', 'truncate'] as const;
/** More tasks of one request would only compete. */
const MAX_THREADS = 4;

/** `selectSet` finds a tile matrix set of the layer and throws a Problem for an unknown name. */
export async function readSeedRequest(
  fields: Fields,
  selectSet: (name: string, field: string) => Promise<TileMatrixSet>,
): Promise<SeedRequest> {
  const type = (fields.get('type') ?? 'seed').toLowerCase();
  const kind = kinds.find((each) => each === type);
  if (kind === undefined) throw createParameterProblem('type', type, `expected one of ${kinds.join(', ')}`);
  const set = await selectSet(fields.get('gridSetId') ?? `EPSG:${fields.get('srs.number') ?? '900913'}`, 'gridSetId');
  const finest = getFinestLevel(set);
  const minLevel = readInteger(fields, 'zoomStart', { low: 0, high: finest, otherwise: 0 });
  const maxLevel = readInteger(fields, 'zoomStop', {
    low: minLevel,
    high: finest,
    otherwise: kind === 'truncate' ? finest : minLevel,
  });
  const threads = readInteger(fields, 'threadCount', { low: 1, high: Number.MAX_SAFE_INTEGER, otherwise: 1 });
  return {
    kind,
    set,
    minLevel,
    maxLevel,
    format: fields.get('format'),
    threads: Math.min(MAX_THREADS, threads),
    bounds: readBounds(fields),
    parameters: readTileParameters(fields),
  };
}

interface IntegerRange {
  readonly low: number;
  readonly high: number;
  /** The value of an absent field. */
  readonly otherwise: number;
}

function readInteger(fields: Fields, name: string, { low, high, otherwise }: IntegerRange): number {
  const text = fields.get(name);
  if (text === undefined || text === '') return otherwise;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= low && value <= high))
    throw createParameterProblem(name, text, `expected an integer from ${low} to ${high}`);
  return value;
}

export function readBounds(fields: Fields): Bounds | undefined {
  const path = BOUNDS_PATH;
  if (!fields.has(path)) return undefined;
  const sent = [path, `${path}.1`, `${path}.2`, `${path}.3`].map((each) => fields.get(each) ?? '');
  const numbers = sent.map((each) => (each.trim() === '' ? Number.NaN : Number(each)));
  const [minX = 0, minY = 0, maxX = 0, maxY = 0] = numbers;
  if (!numbers.every(Number.isFinite) || minX > maxX || minY > maxY) {
    throw createParameterProblem(
      'bounds',
      sent.join(','),
      'expected four numbers: minimum x, minimum y, maximum x, maximum y',
    );
  }
  return { minX, minY, maxX, maxY };
}

/** Names, in lower case, and values alternate. Empty values are absent. */
export function readTileParameters(fields: Fields): Parameters {
  const path = PARAMETER_PATH;
  const texts: string[] = [];
  for (let at = 0; ; at += 1) {
    const text = fields.get(at === 0 ? path : `${path}.${at}`);
    if (text === undefined) break;
    texts.push(text);
  }
  const pairs = texts.flatMap((name, at) => (at % 2 === 0 ? [[name.toLowerCase(), texts[at + 1] ?? ''] as const] : []));
  return new Map(pairs.filter(([, value]) => value !== ''));
}

function createParameterProblem(parameter: string, value: string, expected: string): Error {
  return problem('ows-parameter-invalid', { parameter, value, expected, field: parameter });
}
