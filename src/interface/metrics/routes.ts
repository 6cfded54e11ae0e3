/** Metrics for Prometheus, next to the health checks and outside the REST root. */
import { ANYONE } from '../../http/auth/auth.ts';
import type { RouteTable } from '../../http/routes/route.ts';
import { ROLE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { expositionMediaType } from '../../operations/metrics/exposition.ts';
import { family, getContent, type Services } from '../common/services.ts';

export function metricsRoutes(access: 'administrators' | 'anyone'): RouteTable<Services> {
  return family('Metrics', { description: 'Metrics of the server.', formats: [], formatGroup: 'contents' }, [
    getContent(
      '/metrics',
      'Read all metrics in the Prometheus text format',
      { mediaType: expositionMediaType, role: access === 'anyone' ? ANYONE : ROLE_ADMINISTRATOR },
      ({ services }) => services.operations.formatMetrics(services.catalog),
    ),
  ]);
}
