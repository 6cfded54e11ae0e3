/** Creates, replaces, updates and deletes features (OGC API Features, part 4), for principals with write access. */
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import { type Problem, problem } from '../../../lib/problems/problem.ts';
import { excerpt } from '../../../lib/text/excerpt.ts';
import { editType, type PublishedEdits, refuseReadOnlyService } from '../../access/edit-type.ts';
import { type OpenedType, openType } from '../../access/open-type.ts';
import { encodePathPart } from '../common/link.ts';
import { listNames, readParameters } from '../common/parameters.ts';
import { checkTag } from './collections/feature-tag.ts';
import {
  type FeaturesCall,
  type FeaturesContext,
  type FeaturesEnvironment,
  openFeaturesContext,
} from './collections/features-context.ts';
import { changeParameters } from './collections/items-parameters.ts';
import {
  partMediaTypes,
  readContentCrs,
  readSentFeature,
  type SentKind,
  wholeMediaTypes,
} from './collections/sent-feature.ts';
import { listSystems } from './collections/systems.ts';

const knownParameters = listNames(changeParameters);

const DONE: ServiceReply = { status: 204, contentType: 'text/plain', body: '' };

export function create(call: FeaturesCall, world: FeaturesEnvironment): Promise<ServiceReply> {
  return withOpenedCollection(call, world, async (visit, opened) => {
    const values = await readSentValues(visit, opened, 'new', wholeMediaTypes);
    const [id] = await edit(visit, opened, (edits) => edits.insert([values]));
    const location = `${visit.formatCollectionUrl(opened.published)}/items/${encodePathPart(id ?? '')}`;
    return { status: 201, contentType: 'text/plain', headers: { location }, body: '' };
  });
}

/** Replaces all attributes; absent ones become null. */
export function replace(call: FeaturesCall, world: FeaturesEnvironment): Promise<ServiceReply> {
  return changeOne(call, world, 'whole', wholeMediaTypes);
}

/** Updates the given attributes; absent ones keep their values. */
export function update(call: FeaturesCall, world: FeaturesEnvironment): Promise<ServiceReply> {
  return changeOne(call, world, 'changes', partMediaTypes);
}

function changeOne(
  call: FeaturesCall,
  world: FeaturesEnvironment,
  kind: SentKind,
  mediaTypes: readonly string[],
): Promise<ServiceReply> {
  return withOpenedCollection(call, world, async (visit, opened) => {
    const values = await readSentValues(visit, opened, kind, mediaTypes);
    await edit(visit, opened, async (edits) => {
      const filter = await getFeatureFilter(call, edits);
      // An empty update still requires that the feature exists.
      if (values.attributes.length === 0) return [];
      return kind === 'whole' ? edits.replace(values, filter) : edits.update(values, filter);
    });
    return DONE;
  });
}

export function remove(call: FeaturesCall, world: FeaturesEnvironment): Promise<ServiceReply> {
  return withOpenedCollection(call, world, async (visit, opened) => {
    await edit(visit, opened, async (edits) => edits.remove(await getFeatureFilter(call, edits)));
    return DONE;
  });
}

async function withOpenedCollection(
  call: FeaturesCall,
  world: FeaturesEnvironment,
  work: (visit: FeaturesContext, opened: OpenedType) => Promise<ServiceReply>,
): Promise<ServiceReply> {
  const parameters = readParameters(call.rawQuery, knownParameters);
  const visit = await openFeaturesContext(call, world, 'Transaction', parameters);
  const type = await visit.getCollection(call.params.collection ?? '', 'write');
  refuseReadOnlyService(visit.featureAccess);
  const opened = await openType(call.services.vectorData, type, call.signal());
  try {
    return await work(visit, opened);
  } finally {
    opened.release();
  }
}

function edit<T>(
  { call }: FeaturesContext,
  opened: OpenedType,
  work: (edits: PublishedEdits) => Promise<T>,
): Promise<T> {
  return editType(call.services, call.principal, opened, work);
}

/** Locks the feature of the path until the session ends, and checks its ETag. */
async function getFeatureFilter({ params, headers }: FeaturesCall, edits: PublishedEdits) {
  const id = params.feature ?? '';
  const filter = { kind: 'identifiers', identifiers: [id] } as const;
  const [found] = await edits.find(filter);
  if (found === undefined) {
    throw problem('feature-unknown', { id: excerpt(id) });
  }
  checkTag(headers, found);
  return filter;
}

async function readSentValues(
  { call, featureAccess }: FeaturesContext,
  opened: OpenedType,
  kind: SentKind,
  mediaTypes: readonly string[],
) {
  const mediaType = (call.headers['content-type'] ?? 'application/geo+json').split(';')[0]?.trim().toLowerCase() ?? '';
  if (!mediaTypes.includes(mediaType)) {
    throw createMediaTypeProblem(mediaType, mediaTypes);
  }
  const header = call.headers['content-crs'];
  const system = await readContentCrs(
    Array.isArray(header) ? header[0] : header,
    listSystems(opened.published, featureAccess.settings),
  );
  return readSentFeature(await call.text(), kind, opened, system);
}

function createMediaTypeProblem(found: string, expected: readonly string[]): Problem {
  return problem('body-type-unknown', { found: excerpt(found), expected });
}
