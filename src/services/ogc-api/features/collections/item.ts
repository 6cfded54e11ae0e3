/** Reads a single feature. */
import { outputFormats } from '../../../../formats/formats.ts';
import type { DocumentLink, FeatureCollection } from '../../../../formats/port/port.ts';
import type { ServiceReply } from '../../../../http/session/service-reply.ts';
import { problem } from '../../../../lib/problems/problem.ts';
import { excerpt } from '../../../../lib/text/excerpt.ts';
import type { Feature, FeatureTypeDescription } from '../../../../vector/port/port.ts';
import { queryFeatures } from '../../../../vector/query/query-features.ts';
import type { OpenedType } from '../../../access/open-type.ts';
import type { PublishedType } from '../../../access/published-type.ts';
import { encodePathPart } from '../../common/link.ts';
import { formatQuery } from '../../common/parameters.ts';
import { createSelfLinks } from './documents.ts';
import { computeFeatureTag, computeShapeTag } from './feature-tag.ts';
import type { FeaturesContext } from './features-context.ts';
import { type ItemsFormat, itemFormats } from './item-formats.ts';
import { openCollection, selectMaxAge } from './items.ts';
import { type ItemsQuery, readItemShape } from './items-query.ts';
import { createCollectionLink } from './page-links.ts';
import { listSystems } from './systems.ts';
import { createCrsHeaders, createFeatureCollection } from './written-collection.ts';

/** A single feature with its description. */
export interface FoundItem {
  readonly type: PublishedType;
  readonly description: FeatureTypeDescription;
  readonly feature: Feature;
  readonly links: readonly DocumentLink[];
}

/** Answers the feature of the path. */
export async function createItemReply(
  visit: FeaturesContext,
  type: PublishedType,
  format: ItemsFormat,
  asPage: (found: FoundItem) => string,
): Promise<ServiceReply> {
  const id = visit.call.params.feature ?? '';
  const opened = await openCollection(visit, type);
  try {
    const shape = await readItemShape(visit.parameters, type, listSystems(type, visit.featureAccess.settings));
    // The tag is computed from all values, so that it is the same in every shape.
    const tag = computeFeatureTag((await getFeature(opened, {}, id)).feature);
    const { description, feature } = await getFeature(opened, shape, id);
    const links = [
      ...createSelfLinks(`${visit.formatCollectionUrl(type)}/items/${encodePathPart(id)}`, visit, itemFormats, format),
      createCollectionLink(visit, type),
    ];
    const etag = computeShapeTag(
      tag,
      formatQuery(visit.parameters, { f: format.output === undefined ? 'html' : undefined }),
    );
    const common = { ...createCrsHeaders(shape), ...selectMaxAge(type), etag };
    if (format.output === undefined) {
      const body = asPage({ type, description, feature, links });
      return { contentType: 'text/html; charset=utf-8', body, ...common };
    }
    const encoder = await outputFormats.geojson.load();
    const collection: FeatureCollection = {
      ...createFeatureCollection({
        type,
        description,
        query: { ...shape, limit: 1 },
        batches: iterateFeature(feature),
        readAt: visit.now(),
        numberMatched: () => undefined,
        links: () => links,
      }),
    };
    const body = await encoder.encodeFeature?.(collection, opened.signal);
    return { contentType: format.mediaType, body: body ?? '', ...common };
  } finally {
    opened.release();
  }
}

/** Reads a feature by id; throws a Problem if it does not exist. */
export async function getFeature(
  opened: OpenedType,
  shape: Pick<ItemsQuery, 'crs' | 'attributes'>,
  id: string,
): Promise<{ readonly description: FeatureTypeDescription; readonly feature: Feature }> {
  const { crs, attributes } = shape;
  const filter = { kind: 'identifiers', identifiers: [id] } as const;
  const query = {
    filter,
    limit: 1,
    ...(crs === undefined ? {} : { crs }),
    ...(attributes === undefined ? {} : { attributes }),
  };
  const answer = await queryFeatures(opened, query, opened.signal);
  for await (const [feature] of opened.withTimeout(answer.batches)) {
    if (feature !== undefined) {
      return { description: answer.description, feature };
    }
  }
  throw problem('feature-unknown', { id: excerpt(id) });
}

async function* iterateFeature(feature: Feature): AsyncGenerator<readonly Feature[]> {
  yield [feature];
}
