/** The OpenAPI document of the OGC services with key-value pairs, generated from their declared parameters. */

import { viewAsParameter } from '../http/auth/view-as.ts';
import type { JsonSchema } from '../http/documents/schema.ts';
import type { QueryParameters } from '../http/request/query.ts';
import { createServiceRouteBuilders } from '../http/route-table/service-route.ts';
import type { ServiceTable } from '../http/routes/route.ts';
import { explainAsProblem } from './problems/explain.ts';

export interface OpenApiEnvironment {
  /** The context path, such as `/geoserver`. */
  readonly contextPath: string;
  readonly version: string;
}

const { answer, service } = createServiceRouteBuilders<unknown>();

const description = [
  'Maps, features, coverages and tiles. Names of query parameters are case-insensitive.',
  'An unknown parameter is ignored with a Warning header.',
  'The addresses of WMS, WFS and WCS also accept POST with the same parameters as a form, or with an XML document.',
].join(' ');

/** Describes the rows of these tables that declare parameters. */
export function servicesOpenApiRoutes(
  tables: readonly ServiceTable<never>[],
  { contextPath, version }: OpenApiEnvironment,
): ServiceTable<unknown> {
  return service('OpenAPI of services', { description: 'Parameters of the OGC services.', explain: explainAsProblem }, [
    answer('GET', `${contextPath}/ows/openapi.json`, 'Returns the OpenAPI 3.1 document', async ({ baseUrl }) => {
      const rows = await Promise.all(tables.map(loadRows));
      const document = {
        openapi: '3.1.0',
        info: {
          title: 'Graticule services',
          version,
          description,
          license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
        },
        servers: [{ url: baseUrl }],
        // Layers can be readable without credentials.
        security: [{}, { basic: [] }],
        tags: tables.map(({ family: name, description: purpose }) => ({ name, description: purpose })),
        ...buildPaths(rows.flat()),
      };
      return { contentType: 'application/json', body: JSON.stringify(document) };
    }),
  ]);
}

interface DescribedRow {
  readonly family: string;
  readonly path: string;
  readonly summary: string;
  readonly parameters: QueryParameters;
}

async function loadRows({ routes }: Pick<ServiceTable<never>, 'routes'>): Promise<readonly DescribedRow[]> {
  const rows = routes.map(async ({ family, path, summary, loadParameters }): Promise<readonly DescribedRow[]> => {
    return loadParameters === undefined ? [] : [{ family, path, summary, parameters: await loadParameters() }];
  });
  return (await Promise.all(rows)).flat();
}

interface DescribedParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: true;
  readonly description?: string;
  readonly schema: JsonSchema;
}

function buildPaths(rows: readonly DescribedRow[]) {
  const names = new Map<string, string>();
  const shared: Record<string, unknown> = {};
  /** Most addresses exist several times, with the same parameters. */
  const refer = (parameter: DescribedParameter) => {
    const text = JSON.stringify(parameter);
    const plain = parameter.name.replaceAll(/[^\w.-]/g, '.');
    const name = names.get(text) ?? (Object.hasOwn(shared, plain) ? `${plain}.${names.size}` : plain);
    names.set(text, name);
    shared[name] = parameter;
    return { $ref: `#/components/parameters/${name}` };
  };
  const paths = rows.map((row) => [row.path.replaceAll(/[:*](\w+)/g, '{$1}'), { get: buildOperation(row, refer) }]);
  return {
    paths: Object.fromEntries(paths),
    components: { securitySchemes: { basic: { type: 'http', scheme: 'basic' } }, parameters: shared },
  };
}

function buildOperation(
  { family, path, summary, parameters }: DescribedRow,
  refer: (parameter: DescribedParameter) => object,
) {
  const variables = [...path.matchAll(/[:*](\w+)/g)].map(([, name = '']) => name);
  const schema = { type: 'string' };
  const words = path.split(/\W+/).filter((word) => word !== '');
  return {
    operationId: ['get', ...words].map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(''),
    summary,
    tags: [family],
    parameters: [
      ...variables.map((name) => refer({ name, in: 'path', required: true, schema })),
      ...Object.entries(parameters).map(([name, { description: purpose, schema: values }]) =>
        refer({ name, in: 'query', description: purpose, schema: values }),
      ),
      refer(viewAsParameter),
    ],
    responses: {
      200: { description: 'The response in the requested format.' },
      '4XX': { description: 'An error, as the standard of the service defines it.' },
    },
  };
}
