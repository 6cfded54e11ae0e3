/** The numbers for Prometheus and its like, beside the health checks and outside the REST root. */
import { ANYONE } from '../../http/auth/authorization.ts';
import type { RouteTable } from '../../http/routes/route.ts';
import { ROLE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { expositionMediaType } from '../../operations/metrics/exposition.ts';
import { family, getText, type Services } from '../common/services.ts';

export function metricsRoutes(access: 'administrators' | 'anyone'): RouteTable<Services> {
  return family(
    'Metrics',
    { description: 'What the server has been doing, in numbers.', formats: [], formatGroup: 'contents' },
    [
      getText(
        '/metrics',
        'Read all numbers in the text format of Prometheus',
        { mediaType: expositionMediaType, role: access === 'anyone' ? ANYONE : ROLE_ADMINISTRATOR },
        ({ services }) => services.operations.formatMetrics(services.catalog),
      ),
    ],
  );
}
