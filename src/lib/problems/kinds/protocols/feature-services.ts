/** What can be wrong with a request for features, whichever service is asked. */
import { defineProblemKind } from '../kind.ts';

/** Parameters of a request; collections with many attributes have more. */
const MAX_LISTED = 40;

export const featureServiceProblems = {
  'feature-access-denied': defineProblemKind(
    403,
    'The user is known, but a rule does not let them do this with the layer.',
    () => 'You may not do this: an access rule of the layer, or of the service, names other roles.',
  ),
  'feature-service-disabled': defineProblemKind(
    404,
    'The services of features are switched off in their settings, for the server or for the workspace.',
    () => 'Features are not served here: the service is switched off.',
  ),
  'feature-data-missing': defineProblemKind(
    503,
    'The data of a layer has no such table or file any more, or cannot be reached.',
    () => 'The features of this layer cannot be had: their data is gone, or cannot be reached.',
  ),
  'feature-filter-unusable': defineProblemKind(
    503,
    'The filter by which features of a layer are given out does not fit its data any more, so that none is.',
    () => 'The features of this layer cannot be given out: the filter of the layer does not fit its data any more.',
  ),
  'feature-service-read-only': defineProblemKind(
    403,
    'The settings of the services of features let nobody change anything (serviceLevel BASIC).',
    () => 'Features are only read here: the service level is BASIC.',
  ),
  'attribute-not-writable': defineProblemKind(
    400,
    'An attribute of a feature is not there, or is computed from others, and so cannot be set.',
    (d: { attribute: string; name: string }) => `The attribute '${d.attribute}' of '${d.name}' cannot be set.`,
  ),
  'feature-invalid': defineProblemKind(
    400,
    'The feature that was sent cannot be read, or does not fit the collection.',
    (d: { reason: string }) => `The feature cannot be used: ${d.reason}.`,
  ),
  'parameter-unknown': defineProblemKind(
    400,
    'A query parameter is none that an OGC API knows at this address.',
    (d: { parameter: string; known: readonly string[] }) =>
      `The query parameter '${d.parameter}' is not known here; there are ${d.known.slice(0, MAX_LISTED).join(', ')}.`,
  ),
  'collection-unknown': defineProblemKind(
    404,
    'There is no collection of features of that name, or none that may be seen.',
    (d: { name: string }) => `No such collection: '${d.name}'.`,
  ),
  'feature-unknown': defineProblemKind(
    404,
    'The collection has no feature of that id.',
    (d: { id: string }) => `No such feature: '${d.id}'.`,
  ),
  'tile-matrix-set-unknown': defineProblemKind(
    404,
    'There is no grid of tiles of that name.',
    (d: { name: string; known: readonly string[] }) =>
      `No such grid of tiles: '${d.name}'. There are ${d.known.join(' and ')}.`,
  ),
  'tile-unknown': defineProblemKind(
    404,
    'The level, row and column of a tile lead out of its grid.',
    (d: { tile: string; set: string }) => `There is no tile '${d.tile}' in the grid ${d.set}.`,
  ),
  'service-path-unknown': defineProblemKind(
    404,
    'There is nothing at that address of a service.',
    () => 'There is nothing here.',
  ),
} as const;
