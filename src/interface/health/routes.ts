/** Health for orchestrators: no credentials, and nothing said but yes, or why not. */
import { ANYONE } from '../../http/auth/authorization.ts';
import type { RouteTable } from '../../http/routes/route.ts';
import { problem } from '../../lib/problems/problem.ts';
import { family, getText, type Services } from '../common/services.ts';

export interface Health {
  isDraining(): boolean;
  /** Whether changes can be made; without, everything can still be read. */
  isWritable(): boolean;
}

export function healthRoutes(health: Health): RouteTable<Services> {
  return family(
    'Health',
    { description: 'Whether the server lives and takes requests.', formats: [], formatGroup: 'contents' },
    [
      getText(
        '/livez',
        'Whether the process lives',
        { mediaType: 'text/plain', role: ANYONE, standsAlone: true },
        async () => 'ok\n',
      ),

      getText(
        '/readyz',
        'Whether the server takes requests',
        { mediaType: 'text/plain', role: ANYONE, problems: ['draining', 'storage-unavailable'] },
        async () => {
          if (health.isDraining()) {
            throw problem('draining', {});
          }
          if (!health.isWritable()) {
            throw problem('storage-unavailable', {});
          }
          return 'ok\n';
        },
      ),
    ],
  );
}
