/** Routes of the classification service, below `/rest` as in other servers, with the permissions of maps. */

import { createServiceRouteBuilders } from '../../http/route-table/service-route.ts';
import type { ServiceTable } from '../../http/routes/route.ts';
import type { MapServices } from '../maps/map-services.ts';
import { mergeParameters, type NamedOperations } from '../ows/merge-parameters.ts';
import { explainAsProblem } from '../problems/explain.ts';
import type { ClassificationCall, Extension } from './responses.ts';

const { answer, service } = createServiceRouteBuilders<MapServices>();

/** Loaded with the first request. */
const loadResponses = () => import('./responses.ts');
const loadOperations = async () => (await import('./parameters.ts')).classificationOperations;

type ResponseName = keyof Awaited<ReturnType<typeof loadResponses>>;

const noOperations = async (): Promise<NamedOperations> => ({});

const paths: readonly (readonly [
  path: string,
  summary: string,
  name: ResponseName,
  extensions: readonly Extension[],
  load: () => Promise<NamedOperations>,
])[] = [
  [
    '/:layer/classify',
    'Classifies the values of a layer',
    'classify',
    [undefined, 'xml', 'json', 'sld'],
    async () => ({ classify: (await loadOperations()).classify }),
  ],
  [
    '/:layer/rasterize',
    'Creates a colour map between two values',
    'rasterize',
    [undefined, 'xml', 'json', 'sld'],
    async () => ({ rasterize: (await loadOperations()).rasterize }),
  ],
  ['/:layer/attributes', 'Lists the attributes of a layer', 'attributes', [undefined, 'xml', 'json'], noOperations],
  ['/:layer/capabilities', 'Lists the methods', 'capabilities', [undefined, 'xml', 'json'], noOperations],
  ['/capabilities', 'Lists the methods', 'capabilities', [undefined, 'xml', 'json'], noOperations],
];

export function classificationRoutes({ restRoot }: { readonly restRoot: string }): ServiceTable<MapServices> {
  const rows = paths.flatMap(([path, summary, name, extensions, load]) =>
    extensions.map((extension) => ({
      ...answer(
        'GET',
        `${restRoot}/sldservice${path}${extension === undefined ? '' : `.${extension}`}`,
        summary,
        async (call) => (await loadResponses())[name](call as ClassificationCall, extension),
      ),
      loadParameters: async () => mergeParameters(await load()),
    })),
  );
  const description = 'Classes of values, as rules of styles.';
  return service('Classification', { description, explain: explainAsProblem }, rows);
}
