/** Finds the coordinate reference system of PROJJSON by its identifier. */
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import { findCrs } from '../../crs/resolve-crs.ts';

/** Longitude and latitude, which is the default of GeoParquet. */
const LONGITUDE_LATITUDE = { code: 'EPSG:4326' };

/** Returns an empty reference for systems without a known identifier. */
export async function readProjJson(crs: unknown): Promise<CrsReference> {
  if (crs === undefined) return LONGITUDE_LATITUDE;
  if (typeof crs !== 'object' || crs === null) return {};
  for (const each of listCandidates(crs, 0)) {
    const { authority, code } = each;
    if (authority === 'OGC' && code === 'CRS84') return LONGITUDE_LATITUDE;
    const found = await findCrs(`${String(authority)}:${String(code)}`);
    if (found?.code !== undefined) return { code: found.code };
  }
  return {};
}

/** The CRS of the logical type GEOMETRY: an identifier, PROJJSON, or nothing for longitude and latitude. */
export async function readCrsText(text: string | undefined): Promise<CrsReference> {
  if (text === undefined || text === '') return LONGITUDE_LATITUDE;
  if (text.startsWith('{')) {
    try {
      return await readProjJson(JSON.parse(text));
    } catch {
      return {};
    }
  }
  const srid = /^srid:(\d{1,6})$/i.exec(text)?.[1];
  if (srid === undefined && /^OGC:CRS84$/i.test(text)) return LONGITUDE_LATITUDE;
  const code = (await findCrs(srid === undefined ? text : `EPSG:${srid}`))?.code;
  return code === undefined ? {} : { code };
}

interface Identifier {
  readonly authority?: unknown;
  readonly code?: unknown;
}

/** A compound system can be bound, and its component can be bound. */
const MAX_DEPTH = 4;

/** Its own identifiers, then those of its horizontal component or of the system that it is bound to. */
function listCandidates(crs: object, depth: number): readonly Identifier[] {
  if (depth > MAX_DEPTH) return [];
  const { id, ids, components, source_crs: source } = crs as Readonly<Record<string, unknown>>;
  const own = [id, ...(Array.isArray(ids) ? ids : [])].filter(isObject);
  const inner = [Array.isArray(components) ? components[0] : undefined, source].filter(isObject);
  return [...own, ...inner.flatMap((each) => listCandidates(each, depth + 1))];
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
