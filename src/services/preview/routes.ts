/** Previews for people: a page with all that they may see, and one for each layer. */

import { createServiceRouteBuilders } from '../../http/route-table/service-route.ts';
import type { RouteTable } from '../../http/routes/route.ts';
import type { MapServices } from '../maps/map-services.ts';
import { explainAsProblem } from '../problems/explain.ts';

export interface PreviewEnvironment {
  /** Before every path, such as `/geoserver`. */
  readonly contextPath: string;
}

const { answer, service } = createServiceRouteBuilders<MapServices>();

/** The layer stands in the query: below the path, names of layers would be taken for those of services. */
export function previewRoutes({ contextPath }: PreviewEnvironment): RouteTable<MapServices> {
  return service('Preview', { description: 'Layers for people to look at.', explain: explainAsProblem }, [
    answer('GET', `${contextPath}/preview`, 'What there is to see', async (call) =>
      (await import('./preview.ts')).answerPreview(call, `${call.baseUrl}${contextPath}`),
    ),
  ]);
}
