/** Previews for people: a page with all that they may see, and one for each layer. */
import type { RouteTable } from '../../http/route.ts';
import { createServiceRouteBuilders } from '../../http/service-route.ts';
import type { MapServices } from '../maps/map-services.ts';
import { explainAsProblem } from '../ogc-api/common/explain.ts';

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
