/** Problems with requests for features, in every service. */
import { excerpt } from '../../../text/excerpt.ts';
import { defineProblemKind } from '../kind.ts';

/** Limit on the parameter names in a message: collections with many attributes support more. */
const MAX_LISTED = 40;

export const featureServiceProblems = {
  'feature-access-denied': defineProblemKind(
    403,
    'The user is authenticated, but an access rule does not allow the operation on the layer.',
    () => 'Access denied: an access rule of the layer or of the service requires another role.',
  ),
  'feature-service-disabled': defineProblemKind(
    404,
    'The feature services are disabled in the settings of the server or of the workspace.',
    () => 'Feature services are disabled.',
  ),
  'feature-data-missing': defineProblemKind(
    503,
    'The table or file of a layer no longer exists, or its server is unavailable.',
    () => 'The data of this layer is unavailable: its table or file no longer exists, or its server cannot be reached.',
  ),
  'feature-data-damaged': defineProblemKind(
    503,
    'The file of a layer is damaged, or its content is not supported. The log of the server has the reason.',
    (d: { fault: string }) =>
      `The data of this layer is unavailable: its file ${d.fault}. An administrator can replace the file; the log of the server has the reason.`,
  ),
  'feature-data-changing': defineProblemKind(
    503,
    'The data of a layer changed while it was read.',
    () => 'The data of this layer changed while it was read. Retry the request.',
  ),
  'feature-filter-unusable': defineProblemKind(
    503,
    'The filter of a layer no longer matches its data, so no features are returned.',
    () => 'The features of this layer are unavailable: the filter of the layer no longer matches its data.',
  ),
  'feature-service-read-only': defineProblemKind(
    403,
    'The feature services are read-only (serviceLevel BASIC).',
    () => 'Feature services are read-only: the service level is BASIC.',
  ),
  'feature-locked': defineProblemKind(
    409,
    'Another client has locked a feature, which cannot be changed until the lock is released or expires.',
    (d: { id: string }) =>
      `The feature '${excerpt(d.id)}' is locked. Send a WFS transaction with the id of the lock, or wait until it is released or expires.`,
  ),
  'lock-unknown': defineProblemKind(
    404,
    'No lock has that id, or it was released.',
    (d: { id: string }) => `No such lock: '${excerpt(d.id)}'. Lock the features again.`,
  ),
  'lock-expired': defineProblemKind(
    404,
    'The lock has expired.',
    (d: { id: string }) => `The lock '${excerpt(d.id)}' has expired. Lock the features again.`,
  ),
  'features-not-lockable': defineProblemKind(
    409,
    'Features cannot be locked, because another lock holds one of them, or because one is read-only.',
    (d: { id: string; count: number }) =>
      `${d.count} ${d.count === 1 ? 'feature is' : 'features are'} locked by others or read-only, such as '${excerpt(d.id)}'. Lock the other features with lockAction=SOME, or wait.`,
  ),
  'features-to-lock-too-many': defineProblemKind(
    400,
    'A request selects more features than one lock can hold.',
    (d: { limit: number }) => `A lock can hold ${d.limit} features. Select fewer features.`,
  ),
  'feature-locks-too-many': defineProblemKind(
    400,
    'The user holds too many locks of features.',
    (d: { limit: number }) =>
      `A user can hold ${d.limit} locks. Release locks with a transaction, or wait until some expire.`,
  ),
  'attribute-not-writable': defineProblemKind(
    400,
    'The attribute of a feature does not exist or is computed, so it cannot be set.',
    (d: { attribute: string; name: string }) => `The attribute '${d.attribute}' of '${d.name}' cannot be set.`,
  ),
  'feature-invalid': defineProblemKind(
    400,
    'The feature is malformed, or does not match the collection.',
    (d: { reason: string }) => `The feature is invalid: ${d.reason}.`,
  ),
  'parameter-unknown': defineProblemKind(
    400,
    'The resource of an OGC API does not support the query parameter.',
    (d: { parameter: string; known: readonly string[] }) =>
      `Unknown query parameter '${d.parameter}'. Supported parameters: ${d.known.slice(0, MAX_LISTED).join(', ')}.`,
  ),
  'collection-unknown': defineProblemKind(
    404,
    'No collection has that id, or the user has no access to it.',
    (d: { name: string; mapTiles?: string }) =>
      d.mapTiles === undefined
        ? `No such collection: '${d.name}'.`
        : `The collection '${d.name}' has no vector tiles. Its map tiles are at ${d.mapTiles}.`,
  ),
  'collection-style-unknown': defineProblemKind(
    404,
    'The collection has no style of that name.',
    (d: { style: string; collection: string }) =>
      `No such style: '${excerpt(d.style)}' of the collection '${excerpt(d.collection)}'.`,
  ),
  'feature-unknown': defineProblemKind(
    404,
    'The collection has no feature with that id.',
    (d: { id: string }) => `No such feature: '${d.id}'.`,
  ),
  'tile-matrix-set-unknown': defineProblemKind(
    404,
    'No tile matrix set has that name.',
    (d: { name: string; known: readonly string[] }) =>
      `No such tile matrix set: '${d.name}'. Supported: ${d.known.join(', ')}.`,
  ),
  'tile-unknown': defineProblemKind(
    404,
    'The level, row or column of a tile is outside of its tile matrix set.',
    (d: { tile: string; set: string }) => `No such tile: '${d.tile}' in the tile matrix set ${d.set}.`,
  ),
  'service-path-unknown': defineProblemKind(
    404,
    'No resource of the service exists at this path.',
    () => 'No resource exists at this path.',
  ),
} as const;
