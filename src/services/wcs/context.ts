/** What the operations of a WCS work with: who asks where, and what the server has. */
import type { Coverage } from '../../catalog/kinds/coverage.ts';
import { toXmlName } from '../../formats/gml/xml-names.ts';
import type { EncodingEnvironment } from '../../formats/in-thread/encode-collection.ts';
import type { Principal } from '../../lib/identity/principal.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { DimensionOptions } from '../../raster/pictures/dimension-options.ts';
import type { Catalog } from '../../records/catalog.ts';
import type { Access } from '../../security/access-rules/access.ts';
import type { MapAccess, MapAccessMode } from '../access/map-access.ts';
import { type CoverageServices, isCoverage, type OpenedCoverage, openCoverage } from '../access/open-coverage.ts';
import type { MapLayer, PublishedMap } from '../access/published-map.ts';
import type { Provider } from '../ows/ows-common.ts';
import { unescapeXmlName } from '../ows/resolve-selection.ts';

export interface WcsServices extends CoverageServices {
  readonly catalog: Catalog;
  readonly access: Access;
  readonly encoding: EncodingEnvironment;
}

export interface WcsContext extends Provider {
  readonly services: WcsServices;
  readonly principal: Principal;
  readonly mapAccess: MapAccess;
  /** Answers of more bytes than this are refused. */
  readonly maxBytes: number;
  /** Answers that need more bytes of samples than this are refused; infinite for no limit. */
  readonly maxInputBytes: number;
  /** How many values of a dimension a subset may have; infinite for no limit. */
  readonly maxDimensionValues: number;
  /** How hard files are packed, from 0 to 9; undefined for what is quick. */
  readonly deflateLevel: number | undefined;
  /** Codes of the systems that the capabilities list; any other can be asked for. */
  readonly crsCodes: readonly string[];
  /** Given when the client is gone. */
  readonly signal: AbortSignal;
}

export interface ServedCoverage extends MapLayer {
  readonly resource: Coverage;
}

export function isServedCoverage(map: PublishedMap): map is ServedCoverage {
  return map.kind === 'layer' && isCoverage(map.resource);
}

/**
 * As clients name it: identifiers are names of XML, which have no colon, and begin with a letter. What would be taken for the
 * place of the colon, or for a character that is written out, is written out itself: each identifier means one coverage.
 */
export function formatCoverageId({ qualifiedName }: Pick<MapLayer, 'qualifiedName'>): string {
  const colon = qualifiedName.indexOf(':');
  const escapeLiteral = (text: string) => text.replaceAll(/_(?=x[0-9A-F]{4,6}_)/g, '_x005F_');
  const workspace = escapeLiteral(qualifiedName.slice(0, colon)).replaceAll(/_(?=_|$)/g, '_x005F_');
  return toXmlName(`${workspace}__${escapeLiteral(qualifiedName.slice(colon + 1))}`);
}

/** The name that an identifier of ours means; undefined for what is none. */
function parseCoverageId(id: string): string | undefined {
  const parts = /^((?:_x[0-9A-F]{4,6}_|_(?!_)|[^_])+)__(.+)$/.exec(id);
  return parts === null ? undefined : [parts[1], parts[2]].map((part = '') => unescapeXmlName(part)).join(':');
}

/** What is hidden is as unknown as what is not there. */
export async function getServedCoverage(context: WcsContext, id: string, wish: MapAccessMode): Promise<ServedCoverage> {
  const found = await findServedCoverage(context, id, wish);
  if (found === undefined) throw problem('wcs-coverage-unknown', { id, field: 'coverageId' });
  return found;
}

export async function findServedCoverage(
  { mapAccess }: WcsContext,
  id: string,
  wish: MapAccessMode,
): Promise<ServedCoverage | undefined> {
  // Others are taken as they are, or with a colon where one may stand.
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
  const opened = await openCoverage(services, served.resource, dimensions);
  if (opened === undefined) throw new Error(`The layer '${served.qualifiedName}' shows no coverage.`);
  return opened;
}
