/** Health for orchestrators: no credentials, and nothing said but yes or no. */
import { ANYONE } from '../../http/authorization.ts';
import type { RouteTable } from '../../http/route.ts';
import { problem } from '../../lib/problem.ts';
import { family, getText, type Services } from '../services.ts';

export function healthRoutes(isReady: () => boolean): RouteTable<Services> {
  return family(
    'Health',
    { description: 'Whether the server lives and takes requests.', formats: [], formatGroup: 'contents' },
    [
      getText('/livez', 'Whether the process lives', { mediaType: 'text/plain', role: ANYONE }, async () => 'ok\n'),

      getText(
        '/readyz',
        'Whether the server takes requests',
        { mediaType: 'text/plain', role: ANYONE, problems: ['draining'] },
        async () => {
          if (!isReady()) {
            throw problem('draining', {});
          }
          return 'ok\n';
        },
      ),
    ],
  );
}
