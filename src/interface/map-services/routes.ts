/** Where clients of maps look for their service: told in one sentence that there is none yet. */
import { ANYONE } from '../../http/authorization.ts';
import type { RouteTable } from '../../http/route.ts';
import { problem } from '../../lib/problem.ts';
import { family, getText, postNamed, type Services } from '../services.ts';

/** At the root, below the context path, and below each workspace. */
export function mapServiceRoutes(contextPath: string): RouteTable<Services> {
  const prefixes = new Set(['', contextPath, `${contextPath}/:workspace`]);
  const options = { role: ANYONE, problems: ['map-service-missing'] } as const;
  const refuse = async (): Promise<never> => {
    throw problem('map-service-missing', {});
  };
  return family(
    'Map services',
    { description: 'Not served yet.', formats: [], formatGroup: 'contents', errorStyle: 'service' },
    [...prefixes].flatMap((prefix) => [
      getText(`${prefix}/wms`, 'Nothing yet', { ...options, mediaType: 'application/xml' }, refuse),
      postNamed(`${prefix}/wms`, 'Nothing yet', options, refuse),
    ]),
  );
}
