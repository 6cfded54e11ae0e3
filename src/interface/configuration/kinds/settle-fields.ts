/** Recognizes values of a document that the server stores in another spelling, so that they are no changes. */
import { areSameCrs } from '../../../crs/are-same-crs.ts';
import { matchWkt } from '../../../crs/match-wkt.ts';
import { isNoCrs, parseCrsCode } from '../../../crs/model/crs-code.ts';
import type { CrsReference } from '../../../crs/model/crs-reference.ts';
import { parseBinding } from '../../feature-types/bindings.ts';
import { type Fields, isList, isObject, type Json } from '../model/fields.ts';

/** The CRS of the data: a field of unverified resources only, since others read it from the data. */
export const NATIVE_CRS = 'nativeCRS';

/** The native and the geographic box, whose CRS follows from other fields. */
const BOXES = ['nativeBoundingBox', 'latLonBoundingBox'] as const;

/** For feature types, coverages and cascaded layers. */
export function settleResourceFields(former: Fields, wanted: Fields): Fields | Promise<Fields> {
  const { [NATIVE_CRS]: stated, ...others } = wanted;
  const settled: Record<string, Json> = { ...others };
  const { srs, attributes } = wanted;
  if (typeof srs === 'string' && isNoCrs(srs)) {
    settled['srs'] = null;
  } else if (typeof srs === 'string' && srs !== former['srs'] && parseCrsCode(srs) === former['srs']) {
    settled['srs'] = former['srs'] ?? null;
  }
  if (attributes !== undefined) settled['attributes'] = settleAttributes(former['attributes'], attributes);
  for (const name of BOXES) {
    const [box, was] = [wanted[name], former[name]];
    if (isObject(box) && isObject(was))
      settled[name] = { ...box, ...(was['crs'] === undefined ? {} : { crs: was['crs'] }) };
  }
  if (stated === undefined || !(NATIVE_CRS in former)) return settled;
  return settleCrs(former[NATIVE_CRS], stated, (crs) => ({ ...settled, [NATIVE_CRS]: crs }));
}

/** For layer groups, whose box has a CRS of its own. */
export function settleGroupFields(former: Fields, wanted: Fields): Fields | Promise<Fields> {
  const { bounds } = wanted;
  const was = former['bounds'];
  return isObject(bounds) && isObject(was) && bounds['crs'] !== undefined
    ? settleCrs(was['crs'], bounds['crs'], (crs) => ({ ...wanted, bounds: { ...bounds, crs } }))
    : wanted;
}

/** Only long definitions have to be parsed. */
function settleCrs(former: Json | undefined, wanted: Json, complete: (crs: Json) => Fields): Fields | Promise<Fields> {
  const [was, now] = [readCrsText(former), readCrsText(wanted)];
  if (former === undefined || was === undefined || now === undefined) return complete(wanted);
  const [code, other] = [parseCrsCode(was), parseCrsCode(now)];
  if (was === now || (code !== undefined && code === other)) return complete(former);
  if (code !== undefined && other !== undefined) return complete(wanted);
  return isSameDefinition(was, now).then((isSame) => complete(isSame ? former : wanted));
}

async function isSameDefinition(one: string, other: string): Promise<boolean> {
  return areSameCrs(await toCrsReference(one), await toCrsReference(other));
}

async function toCrsReference(text: string): Promise<CrsReference> {
  const code = parseCrsCode(text);
  return code === undefined ? matchWkt(text) : { code };
}

/** A text, or a text with a class as in XML. */
function readCrsText(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value.trim();
  return isObject(value) && typeof value['$'] === 'string' ? value['$'].trim() : undefined;
}

/** The members of an attribute that stay if a document omits them. */
const KEPT_MEMBERS = ['minOccurs', 'maxOccurs', 'nillable', 'binding', 'length', 'source', 'attributes'] as const;

function settleAttributes(former: Json | undefined, wanted: Json): Json {
  const [known, list] = [readAttributes(former), readAttributes(wanted)];
  if (known === undefined || list === undefined) return wanted;
  const byName = new Map(known.flatMap((each) => (isObject(each) ? [[String(each['name']), each] as const] : [])));
  return { attribute: list.map((each) => settleAttribute(byName, each)) };
}

function readAttributes(value: Json | undefined): readonly Json[] | undefined {
  const inner = isObject(value) ? value['attribute'] : undefined;
  if (isList(inner)) return inner;
  return isObject(inner) ? [inner] : undefined;
}

function settleAttribute(known: ReadonlyMap<string, Fields>, attribute: Json): Json {
  const was = isObject(attribute) ? known.get(String(attribute['name'])) : undefined;
  if (!isObject(attribute) || was === undefined) return attribute;
  const settled: Record<string, Json> = { ...attribute };
  // Files and databases state no length with 0.
  if (Number(settled['length']) === 0 && !('length' in was)) delete settled['length'];
  for (const member of KEPT_MEMBERS) {
    const value = was[member];
    if (value !== undefined && (settled[member] ?? null) === null) settled[member] = value;
  }
  if (isSameBinding(was['binding'], settled['binding'])) settled['binding'] = was['binding'] ?? null;
  return settled;
}

function isSameBinding(former: Json | undefined, wanted: Json | undefined): boolean {
  if (typeof former !== 'string' || typeof wanted !== 'string') return false;
  const [one, other] = [parseBinding(former), parseBinding(wanted)];
  if (one === undefined || other === undefined || one.kind !== other.kind) return false;
  return one.type === other.type;
}

/** For stores: locations with and without a slash at the end are the same, and files have no order. */
export function settleLocations(former: Fields, wanted: Fields): Fields {
  const { url, connectionParameters } = wanted;
  const parameters = former['connectionParameters'];
  const settled: Record<string, Json> = { ...wanted };
  if (isList(wanted['files'])) settled['files'] = wanted['files'].toSorted(compareFiles);
  if (url !== undefined) settled['url'] = settleLocation(former['url'], url);
  if (isObject(connectionParameters) && isObject(parameters)) {
    const entries = Object.entries(connectionParameters);
    settled['connectionParameters'] = Object.fromEntries(
      entries.map(([name, value]) => [name, settleLocation(parameters[name], value)]),
    );
  }
  return settled;
}

function compareFiles(one: Json, other: Json): number {
  const [path, next] = [one, other].map((file) => (isObject(file) ? String(file['path']) : ''));
  return (path ?? '') < (next ?? '') ? -1 : 1;
}

function settleLocation(former: Json | undefined, wanted: Json): Json {
  const isSame =
    typeof former === 'string' && typeof wanted === 'string' && normaliseLocation(former) === normaliseLocation(wanted);
  return isSame ? former : wanted;
}

/** `file:///data/` -> `file:/data` */
function normaliseLocation(location: string): string {
  return location
    .trim()
    .replace(/^file:\/+/, 'file:/')
    .replace(/\/+$/, '');
}
