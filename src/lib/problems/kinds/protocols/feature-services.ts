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
    'The table or file of a layer no longer exists, or is unavailable.',
    () => 'The features of this layer are unavailable: their table or file no longer exists, or cannot be reached.',
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
