/** The context of WCS operations: access to maps, limits and settings. */
import type { Coverage } from '../../../catalog/kinds/coverage.ts';
import { toXmlName } from '../../../formats/gml/xml-names.ts';
import type { EncodingEnvironment } from '../../../formats/in-thread/encode-collection.ts';
import type { Principal } from '../../../lib/identity/principal.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { DimensionOptions } from '../../../raster/pictures/dimension-options.ts';
import type { Catalog } from '../../../records/catalog.ts';
import type { Access } from '../../../security/access-rules/access.ts';
import type { FeatureServices } from '../../access/feature-access.ts';
import type { MapAccess } from '../../access/map-access.ts';
import { type CoverageServices, isCoverage, type OpenedCoverage, openCoverage } from '../../access/open-coverage.ts';
import type { MapLayer, PublishedMap } from '../../access/published-map.ts';
import type { MapAccessMode } from '../../access/visible-maps.ts';
import type { Provider } from '../../ows/ows-common.ts';
import { unescapeXmlName } from '../../ows/resolve-selection.ts';

export interface WcsServices extends CoverageServices, Pick<FeatureServices, 'vectorData'> {
  readonly catalog: Catalog;
  readonly access: Access;
  readonly encoding: EncodingEnvironment;
}

export interface WcsContext extends Provider {
  readonly services: WcsServices;
  readonly principal: Principal;
  readonly mapAccess: MapAccess;
  /** The maximum response size in bytes. */
  readonly maxBytes: number;
  /** The maximum size of the samples that a response reads; Infinity for no limit. */
  readonly maxInputBytes: number;
  /** The maximum number of dimension values in a subset; Infinity for no limit. */
  readonly maxDimensionValues: number;
  /** The compression level from 0 to 9; undefined for a fast default. */
  readonly deflateLevel: number | undefined;
  /** The CRS codes that the capabilities list; all other known CRSs are accepted too. */
  readonly crsCodes: readonly string[];
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

export interface ServedCoverage extends MapLayer {
  readonly resource: Coverage;
}

export function isServedCoverage(map: PublishedMap): map is ServedCoverage {
  return map.kind === 'layer' && isCoverage(map.resource);
}

/**
 * Formats the coverage id. Ids are XML names: they have no colon and begin with a letter. Character sequences that
 * look like an escaped colon or character are escaped themselves, so that each id denotes one coverage.
 */
export function formatCoverageId({ qualifiedName }: Pick<MapLayer, 'qualifiedName'>): string {
  const colon = qualifiedName.indexOf(':');
  const escapeLiteral = (text: string) => text.replaceAll(/_(?=x[0-9A-F]{4,6}_)/g, '_x005F_');
  const workspace = escapeLiteral(qualifiedName.slice(0, colon)).replaceAll(/_(?=_|$)/g, '_x005F_');
  return toXmlName(`${workspace}__${escapeLiteral(qualifiedName.slice(colon + 1))}`);
}

/** Decodes a coverage id; undefined for other texts. */
function parseCoverageId(id: string): string | undefined {
  const parts = /^((?:_x[0-9A-F]{4,6}_|_(?!_)|[^_])+)__(.+)$/.exec(id);
  return parts === null ? undefined : [parts[1], parts[2]].map((part = '') => unescapeXmlName(part)).join(':');
}

/** Hidden coverages are reported as unknown. */
export async function getServedCoverage(
  context: WcsContext,
  { id, field }: { readonly id: string; readonly field: string },
  wish: MapAccessMode,
): Promise<ServedCoverage> {
  const found = await findServedCoverage(context, id, wish);
  if (found === undefined) throw problem('wcs-coverage-unknown', { id, field });
  return found;
}

export async function findServedCoverage(
  { mapAccess }: WcsContext,
  id: string,
  wish: MapAccessMode,
): Promise<ServedCoverage | undefined> {
  // Other names are accepted as they are, or with a colon for the double underscore.
  const names = [parseCoverageId(id) ?? id, id.replace('__', ':'), id, unescapeXmlName(id)];
  for (const name of new Set(names)) {
    const found = await mapAccess.find(name, wish);
    if (found !== undefined && isServedCoverage(found)) return found;
  }
  return undefined;
}

export async function openServedCoverage(
  { services }: WcsContext,
  served: ServedCoverage,
  dimensions: readonly DimensionOptions[] = [],
): Promise<OpenedCoverage> {
  const opened = await openCoverage(services, served, dimensions);
  if (opened === undefined) throw new Error(`The layer '${served.qualifiedName}' is not a coverage.`);
  return opened;
}
