/** Where clients of maps and features look for their services: told in one sentence that there are none yet. */
import { ANYONE } from '../../http/authorization.ts';
import type { RouteTable } from '../../http/route.ts';
import { problem } from '../../lib/problem.ts';
import { family, getText, postNamed, type Services } from '../services.ts';

const services = ['wms', 'wfs', 'ows'] as const;

/** At the root, below the context path, and below each workspace. */
export function mapServiceRoutes(contextPath: string): RouteTable<Services> {
  const prefixes = new Set(['', contextPath, `${contextPath}/:workspace`]);
  const options = { role: ANYONE, problems: ['map-service-missing'] } as const;
  return family(
    'Map services',
    { description: 'Not served yet.', formats: [], formatGroup: 'contents', errorStyle: 'service' },
    [...prefixes].flatMap((prefix) =>
      services.flatMap((service) => {
        const path = `${prefix}/${service}`;
        const refuse = async (): Promise<never> => {
          throw problem('map-service-missing', { service: service.toUpperCase() });
        };
        return [
          getText(path, 'Nothing yet', { ...options, mediaType: 'application/xml' }, refuse),
          postNamed(path, 'Nothing yet', options, refuse),
        ];
      }),
    ),
  );
}
