/** What can be wrong with a request for features, whichever service is asked. */
import { kind } from './kind.ts';

export const featureServiceProblems = {
  'feature-access-denied': kind(
    403,
    'The user is known, but a rule does not let them do this with the layer.',
    () => 'You may not do this: an access rule of the layer, or of the service, names other roles.',
  ),
  'feature-service-disabled': kind(
    404,
    'The services of features are switched off in their settings, for the server or for the workspace.',
    () => 'Features are not served here: the service is switched off.',
  ),
  'feature-data-missing': kind(
    503,
    'The data of a layer has no such table or file any more, or cannot be reached.',
    () => 'The features of this layer cannot be had: their data is gone, or cannot be reached.',
  ),
  'feature-filter-unusable': kind(
    503,
    'The filter by which features of a layer are given out does not fit its data any more, so that none is.',
    () => 'The features of this layer cannot be given out: the filter of the layer does not fit its data any more.',
  ),
} as const;
