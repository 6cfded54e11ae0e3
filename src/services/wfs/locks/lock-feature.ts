/** LockFeature: locks the selected features, or starts the time of a lock again. */
import { toXmlName } from '../../../formats/gml/xml-names.ts';
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import { escapeText } from '../../../lib/xml/escape.ts';
import { requireLock } from '../../access/changed-rows.ts';
import type { LockResult } from '../../access/lock-features.ts';
import type { WfsContext } from '../context/context.ts';
import { openAll } from '../features/get-feature.ts';
import type { LockFeatureRequest, WfsVersion } from '../request/request.ts';
import { lockPage, refuseLocking } from './select-features.ts';

const everything = { offset: 0, limit: Number.POSITIVE_INFINITY };

export async function lockFeature(context: WfsContext, request: LockFeatureRequest): Promise<ServiceReply> {
  refuseLocking(context, request);
  const { featureLocks } = context.services;
  if (request.lockId !== undefined) {
    await requireLock(featureLocks, request.lockId);
    await featureLocks.renew(request.lockId, request.seconds);
    return createReply(request.version, { id: request.lockId, locked: [], notLocked: [] });
  }
  const queries = await openAll(context, { ...request, isById: false }, { access: 'write' });
  try {
    const result = await lockPage(context, request, queries, everything);
    return createReply(request.version, result);
  } finally {
    for (const { opened } of queries) opened.release();
  }
}

type LockedIds = Pick<LockResult, 'id' | 'locked' | 'notLocked'>;

function createReply(version: WfsVersion, result: LockedIds): ServiceReply {
  return { contentType: 'text/xml;charset=utf-8', body: writeResponse(version, result) };
}

/** In pieces: a lock can hold many features. */
async function* writeResponse(version: WfsVersion, { id, locked, notLocked }: LockedIds): AsyncIterable<string> {
  const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
  const isNew = version === '2.0.0';
  const name = version === '1.0.0' ? 'WFS_LockFeatureResponse' : 'LockFeatureResponse';
  yield isNew
    ? `${head}<wfs:${name} xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:fes="http://www.opengis.net/fes/2.0" lockId="${id}">\n`
    : `${head}<wfs:${name} xmlns:wfs="http://www.opengis.net/wfs" xmlns:ogc="http://www.opengis.net/ogc">\n<wfs:LockId>${escapeText(id)}</wfs:LockId>\n`;
  yield* writeIds('FeaturesLocked', locked.flat(), isNew);
  yield* writeIds('FeaturesNotLocked', notLocked.flat(), isNew);
  yield `</wfs:${name}>\n`;
}

const IDS_AT_ONCE = 1_000;

function* writeIds(name: string, ids: readonly string[], isNew: boolean): Iterable<string> {
  if (ids.length === 0) return;
  yield `<wfs:${name}>`;
  for (let at = 0; at < ids.length; at += IDS_AT_ONCE) {
    const some = ids.slice(at, at + IDS_AT_ONCE).map(toXmlName);
    yield some.map((id) => (isNew ? `<fes:ResourceId rid="${id}"/>` : `<ogc:FeatureId fid="${id}"/>`)).join('');
  }
  yield `</wfs:${name}>\n`;
}
