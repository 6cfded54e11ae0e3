/** Reads and changes the maximum size of the tile cache: a setting of WMTS, or an option of each node. */
import { changeServiceSettings } from '../../../catalog/settings/settings.ts';
import { readTileDefaults } from '../../../catalog/tile-layers/tile-defaults.ts';
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import { noPrecondition } from '../../../lib/problems/precondition.ts';
import type { DocumentLimits } from '../../../lib/text/document-limits.ts';
import { excerpt } from '../../../lib/text/excerpt.ts';
import { createParameterProblem } from '../../ows/service-parameters.ts';
import { createDocumentReply, type Extension, selectFormat } from './documents.ts';
import { type GwcRestCall, openAdminAccess } from './responses.ts';
import { type Fields, readFields } from './seed-request.ts';

/** The root of the manual of GeoWebCache, and the one that it writes. */
export type QuotaRoot = 'gwcQuotaConfiguration' | 'org.geowebcache.diskquota.DiskQuotaConfig';

export async function readDiskQuota(call: GwcRestCall, extension: Extension, root: QuotaRoot): Promise<ServiceReply> {
  await openAdminAccess(call);
  return createQuotaReply(call, extension, root);
}

async function createQuotaReply(call: GwcRestCall, extension: Extension, root: QuotaRoot): Promise<ServiceReply> {
  const { tileCache, catalog } = call.services;
  const { tiles, bytes } = await tileCache.getUsage();
  const { maxCacheBytes = tileCache.getLimits().defaultMaxBytes } = await readTileDefaults(catalog);
  return createDocumentReply(selectFormat(call, extension, 'xml'), root, {
    enabled: true,
    globalExpirationPolicyName: 'LRU',
    globalQuota: { bytes: maxCacheBytes },
    globalUsage: { bytes, tiles },
  });
}

const BYTES_PER_MB = 1_048_576;
/** The maximum of the setting. */
const MAX_MB = 100_000_000;

/** Fields of GeoWebCache that this server needs no value for. */
const ineffective = /^(?:id|cacheCleanUp\w+|maxConcurrentCleanUps|quotaStore|layerQuotas(?:\..*)?|globalQuota\.id)$/;
const effective = /^(?:enabled|globalExpirationPolicyName|globalQuota\.(?:bytes|value|units)|globalUsage(?:\..*)?)$/;

/** Absent fields are unchanged. */
export async function changeDiskQuota(
  call: GwcRestCall,
  extension: Extension,
  { limits, quotaRoot }: { readonly limits: DocumentLimits; readonly quotaRoot: QuotaRoot },
): Promise<ServiceReply> {
  await openAdminAccess(call);
  const { root, fields } = await readFields(await call.text(), limits);
  const roots: readonly string[] = ['gwcQuotaConfiguration', 'org.geowebcache.diskquota.DiskQuotaConfig'];
  if (!roots.includes(root)) throw createParameterProblem('diskquota', root, `a document ${roots.join(' or ')}`);
  checkEnabled(fields.get('enabled'));
  const value = readMegabytes(fields);
  if (value !== undefined) {
    const draft = [{ path: 'tileCacheMb', value }];
    const { catalog } = call.services;
    await changeServiceSettings(catalog, call.principal, { service: 'wmts' }, { draft, precondition: noPrecondition });
  }
  const warnings = listWarnings(fields);
  return { ...(await createQuotaReply(call, extension, quotaRoot)), ...(warnings.length === 0 ? {} : { warnings }) };
}

function checkEnabled(text: string | undefined): void {
  if (text === undefined || /^\s*true\s*$/i.test(text)) return;
  throw createParameterProblem('enabled', text, 'true: the cache always has a limit. Set a larger globalQuota instead');
}

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;

/** Returns undefined if the document has no limit. Fractions are rounded up, so that only 0 disables the cache. */
function readMegabytes(fields: Fields): number | undefined {
  const [value, bytes] = [fields.get('globalQuota.value'), fields.get('globalQuota.bytes')];
  if (value === undefined && bytes === undefined) return undefined;
  const [field, text] = value === undefined ? ['globalQuota.bytes', bytes ?? ''] : ['globalQuota.value', value];
  const number = /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : Number.NaN;
  const factor = value === undefined ? 1 : 1_024 ** findUnit(fields.get('globalQuota.units'));
  const megabytes = Math.ceil((number * factor) / BYTES_PER_MB);
  if (!(megabytes <= MAX_MB)) {
    throw createParameterProblem(field, excerpt(text), `a number of at most ${MAX_MB} MiB; 0 disables the cache`);
  }
  return megabytes;
}

function findUnit(text: string | undefined): number {
  const found = units.findIndex((unit) => unit.toLowerCase() === (text ?? 'B').trim().toLowerCase());
  if (found < 0) throw createParameterProblem('globalQuota.units', excerpt(text ?? ''), `one of ${units.join(', ')}`);
  return found;
}

function listWarnings(fields: Fields): readonly string[] {
  const warnings: string[] = [];
  const policy = fields.get('globalExpirationPolicyName');
  if (policy !== undefined && policy.toUpperCase() !== 'LRU') {
    warnings.push(
      `The policy '${excerpt(policy)}' has no effect: the least recently used tiles are removed first (LRU).`,
    );
  }
  const names = [...fields.keys()];
  const without = names.filter((name) => ineffective.test(name));
  if (without.length > 0) {
    warnings.push(`These fields have no effect: ${without.slice(0, MAX_LISTED).map(excerpt).join(', ')}.`);
  }
  const unknown = names.filter((name) => !ineffective.test(name) && !effective.test(name));
  if (unknown.length > 0) {
    warnings.push(`Unknown fields are ignored: ${unknown.slice(0, MAX_LISTED).map(excerpt).join(', ')}.`);
  }
  return warnings;
}

/** The number of names in a warning: it is a header. */
const MAX_LISTED = 10;
