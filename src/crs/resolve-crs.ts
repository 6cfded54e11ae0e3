/** Resolves the definition of a coordinate reference system from its code or from the WKT of the data. */
import { createLruCache } from '../lib/cache/lru-cache.ts';
import { parseCrsCode } from './model/crs-code.ts';
import type { CrsModel } from './model/crs-model.ts';
import type { CrsReference } from './model/crs-reference.ts';
import { formatProj4 } from './proj4-text.ts';
import { loadRegistry, type RegisteredCrs } from './registry/registry.ts';
import type { AreaOfUse } from './registry/registry-rows.ts';
import { readCrs } from './wkt/read-crs.ts';
import { parseWkt } from './wkt/wkt-node.ts';
import { writeCrs } from './wkt/write-crs.ts';

export interface CrsDefinition {
  readonly code?: string;
  readonly name: string;
  readonly kind: CrsModel['kind'] | 'other';
  /** The WKT of the data, or else generated with x before y. */
  readonly wkt: string;
  /** Undefined for the few systems without a model. */
  readonly proj4?: string;
  readonly areaOfUse?: AreaOfUse;
  /** The order of the authority; stored data is always x before y. */
  readonly axisOrder: 'east-north' | 'north-east';
  readonly model?: CrsModel;
}

/** The number of cached definitions of some kilobytes each: a server uses few systems, and every layer needs them. */
const MAX_DEFINITIONS = 128;

const definitions = createLruCache<CrsDefinition>(MAX_DEFINITIONS);

/** Returns the definition of a code in any spelling; undefined for an unknown code. */
export async function findCrs(code: string): Promise<CrsDefinition | undefined> {
  const parsed = parseCrsCode(code);
  if (parsed === undefined) return undefined;
  const known = definitions.get(parsed);
  if (known !== undefined) return known;
  const entry = (await loadRegistry()).find(parsed);
  if (entry === undefined) return undefined;
  const definition = toCrsDefinition(entry);
  definitions.set(parsed, definition, 1);
  return definition;
}

/** Returns the definition of a reference; undefined if it is empty or its WKT is unreadable. */
export async function resolveCrs(reference: CrsReference): Promise<CrsDefinition | undefined> {
  const known = reference.code === undefined ? undefined : await findCrs(reference.code);
  if (known !== undefined) return reference.wkt === undefined ? known : { ...known, wkt: reference.wkt };
  const node = reference.wkt === undefined ? undefined : parseWkt(reference.wkt);
  if (node === undefined || reference.wkt === undefined) return undefined;
  const model = readCrs(node);
  return {
    ...(reference.code === undefined ? {} : { code: reference.code }),
    name: String(node.values[0] ?? ''),
    kind: model?.kind ?? 'other',
    wkt: reference.wkt,
    ...(model === undefined ? {} : { proj4: formatProj4(model), model }),
    axisOrder: 'east-north',
  };
}

function toCrsDefinition(entry: RegisteredCrs): CrsDefinition {
  const { model } = entry;
  return {
    code: entry.code,
    name: entry.name,
    kind: model?.kind ?? 'other',
    wkt: model === undefined ? (entry.wkt ?? '') : writeCrs(model),
    ...(model === undefined ? {} : { proj4: formatProj4(model), model }),
    areaOfUse: entry.area,
    axisOrder: entry.isNorthFirst ? 'north-east' : 'east-north',
  };
}
