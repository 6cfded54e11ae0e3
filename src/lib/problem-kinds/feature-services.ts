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
} as const;
