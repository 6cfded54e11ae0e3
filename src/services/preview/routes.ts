/** Routes of the preview: a page of all visible layers and one for each layer. */

import { createServiceRouteBuilders } from '../../http/route-table/service-route.ts';
import type { ServiceTable } from '../../http/routes/route.ts';
import type { MapServices } from '../maps/map-services.ts';
import { explainAsProblem } from '../problems/explain.ts';

export interface PreviewEnvironment {
  /** The context path, such as `/geoserver`. */
  readonly contextPath: string;
}

const { answer, service } = createServiceRouteBuilders<MapServices>();

/** The layer is a query parameter: as a path segment, its name would conflict with service names. */
export function previewRoutes({ contextPath }: PreviewEnvironment): ServiceTable<MapServices> {
  return service('Preview', { description: 'Preview pages of the published layers.', explain: explainAsProblem }, [
    answer('GET', `${contextPath}/preview`, 'Returns the preview page', async (call) =>
      (await import('./preview.ts')).answerPreview(call, `${call.baseUrl}${contextPath}`),
    ),
  ]);
}
