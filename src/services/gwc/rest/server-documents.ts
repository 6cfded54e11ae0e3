/** The documents of GeoWebCache about the server: global settings, statistics, stores and bounds. */
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { DocumentLimits } from '../../../lib/text/document-limits.ts';
import { excerpt } from '../../../lib/text/excerpt.ts';
import { escapeAttribute, escapeText } from '../../../lib/xml/escape.ts';
import { getMatrix } from '../../../tiles/tile-matrix-set.ts';
import { readParameters } from '../../ows/parameters.ts';
import { createParameterProblem } from '../../ows/service-parameters.ts';
import { findOfferedTiles, selectTileMatrixSet } from '../../tiles/tile-offer.ts';
import {
  createDocumentReply,
  createJsonReply,
  createListReply,
  createXmlReply,
  done,
  type Extension,
  selectFormat,
  writeElement,
} from './documents.ts';
import { computeMapBounds, type GwcRestCall, getPublishedMap, openAdminAccess } from './responses.ts';
import { readFields } from './seed-request.ts';

const globalFields = ['runtimeStatsEnabled', 'wmtsCiteCompliant', 'backendTimeout'];
const fixedFields = ['version', 'identifier', 'location'];

export async function readGlobal(call: GwcRestCall, extension: Extension): Promise<ServiceReply> {
  await openAdminAccess(call);
  return createDocumentReply(selectFormat(call, extension, 'json'), 'global', {
    runtimeStatsEnabled: true,
    wmtsCiteCompliant: false,
  });
}

/** The fields configure parts that this server does not have. */
export async function changeGlobal(call: GwcRestCall, limits: DocumentLimits): Promise<ServiceReply> {
  await openAdminAccess(call);
  const { root, fields } = await readFields(await call.text(), limits);
  if (root !== 'global') throw createParameterProblem('global', root, 'a document global');
  const fixed = fixedFields.find((name) => fields.has(name));
  if (fixed !== undefined) {
    throw createParameterProblem(fixed, excerpt(fields.get(fixed) ?? ''), 'no value: the field is read-only');
  }
  const names = [...fields.keys()].slice(0, MAX_LISTED);
  const known = names.filter((name) => globalFields.includes(name));
  const unknown = names.filter((name) => !globalFields.includes(name));
  const warnings = [
    ...(known.length === 0
      ? []
      : [`These fields have no effect: ${known.join(', ')}. /metrics has statistics; /rest/settings has time limits.`]),
    ...(unknown.length === 0 ? [] : [`Unknown fields are ignored: ${unknown.map(excerpt).join(', ')}.`]),
  ];
  return { ...done, ...(warnings.length === 0 ? {} : { warnings }) };
}

/** The number of names in a warning: it is a header. */
const MAX_LISTED = 10;

/** Of the tiles in the memory of the node that answers. */
export async function readStatistics(call: GwcRestCall, extension: Extension): Promise<ServiceReply> {
  await openAdminAccess(call);
  const { lookups, memory } = call.services.tileCache.count();
  const missCount = lookups.disk + lookups.miss;
  const totalCount = lookups.memory + missCount;
  const toPercent = (part: number, whole: number) => (whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 100);
  return createDocumentReply(selectFormat(call, extension, 'xml'), 'gwcInMemoryCacheStatistics', {
    hitCount: lookups.memory,
    missCount,
    evictionCount: memory.evictions,
    totalCount,
    hitRate: toPercent(lookups.memory, totalCount),
    missRate: toPercent(missCount, totalCount),
    currentMemoryOccupation: toPercent(memory.bytes, memory.maxBytes),
    totalSize: memory.maxBytes,
    actualSize: memory.bytes,
    diskHitCount: lookups.disk,
  });
}

/** Configuration is read from the storage by each request. */
export async function reload(call: GwcRestCall): Promise<ServiceReply> {
  await openAdminAccess(call);
  const sent = readParameters(`${call.rawQuery}&${(await call.text()).trim()}`).get('reload_configuration');
  if (sent !== '1') throw createParameterProblem('reload_configuration', excerpt(sent ?? ''), '1');
  return { contentType: 'text/html;charset=utf-8', body: '<p>The configuration is current: nodes always read it.</p>' };
}

/** The name of the only store. */
const STORE = 'tile-cache';

export async function listStores(call: GwcRestCall, path: string, extension: Extension): Promise<ServiceReply> {
  await openAdminAccess(call);
  const list = { root: 'blobStores', item: 'blobStore', names: [STORE], path };
  return createListReply(call, selectFormat(call, extension, 'xml'), list);
}

export async function readStore(call: GwcRestCall, written: string): Promise<ServiceReply> {
  await openAdminAccess(call);
  const [, name = written, extension] = /^(.+)\.(json|xml)$/.exec(written) ?? [];
  if (name !== STORE) throw problem('tile-store-unknown', { name, known: STORE });
  // A folder of the data directory of each node.
  const members = { id: STORE, enabled: true, baseDirectory: STORE };
  const format = selectFormat(call, extension === undefined ? undefined : extension === 'json' ? 'json' : 'xml', 'xml');
  if (format === 'json') return createJsonReply({ FileBlobStore: { '@default': 'true', ...members } });
  const elements = Object.entries(members).map(([each, value]) => writeElement(each, value));
  return createXmlReply(`<FileBlobStore default="true">${elements.join('')}</FileBlobStore>`);
}

export async function refuseStore(call: GwcRestCall, written: string): Promise<ServiceReply> {
  await openAdminAccess(call);
  throw problem('tile-store-fixed', { name: written.replace(/\.(?:json|xml)$/, '') });
}

/** The tiles of each level that the layer has, with rows from the south, as a literal of Java. */
export async function readBounds(
  call: GwcRestCall,
  { layer = '', gridSet = '', type = '' }: Readonly<Record<string, string | undefined>>,
): Promise<ServiceReply> {
  const map = await getPublishedMap(await openAdminAccess(call), layer);
  if (type !== 'java') throw createParameterProblem('type', excerpt(type), 'java');
  const offered = await selectTileMatrixSet(call.services.catalog, map, gridSet, 'gridSet');
  const box = await computeMapBounds(offered.set, map);
  const levels = offered.set.matrices.flatMap((_, level) => {
    const tiles = box && findOfferedTiles(offered, level, box);
    if (tiles === undefined) return [];
    const last = getMatrix(offered.set, level).rows - 1;
    return [`{${[tiles.minColumn, last - tiles.maxRow, tiles.maxColumn, last - tiles.minRow, level].join(', ')}}`];
  });
  return { contentType: 'text/plain;charset=utf-8', body: `{${levels.join(', ')}}` };
}

const resources = ['layers', 'seed', 'gridsets', 'masstruncate', 'diskquota', 'blobstores', 'global', 'statistics'];

export async function listResources(call: GwcRestCall, path: string): Promise<ServiceReply> {
  await openAdminAccess(call);
  const items = resources.map(
    (name) => `<li><a href="${escapeAttribute(`${call.baseUrl}${path}/${name}`)}">${escapeText(name)}</a></li>`,
  );
  const title = 'Tile administration';
  return {
    contentType: 'text/html;charset=utf-8',
    body: `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><h1>${title}</h1><ul>${items.join('')}</ul></body></html>`,
  };
}
