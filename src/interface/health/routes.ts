/** Health checks for orchestrators: without credentials, with a status and a reason only. */
import { ANYONE } from '../../http/auth/auth.ts';
import type { RouteTable } from '../../http/routes/route.ts';
import { problem } from '../../lib/problems/problem.ts';
import { family, getContent, type Services } from '../common/services.ts';

export interface Health {
  isDraining(): boolean;
  /** Whether changes are possible; reads work without them. */
  isWritable(): boolean;
}

/** Without limits for clients: a server that is not asked is taken for dead. */
export const healthPaths: ReadonlySet<string> = new Set(['/livez', '/readyz']);

export function healthRoutes(health: Health): RouteTable<Services> {
  return family(
    'Health',
    { description: 'Liveness and readiness of the server.', formats: [], formatGroup: 'contents' },
    [
      getContent(
        '/livez',
        'Check whether the process is alive',
        { mediaType: 'text/plain', role: ANYONE, access: 'none' },
        async () => 'ok\n',
      ),

      getContent(
        '/readyz',
        'Check whether the server accepts requests',
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
