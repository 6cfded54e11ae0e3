/**
 * The API definition, as OpenAPI 3.0 and as a page. It names no collection and is therefore the same for every
 * principal.
 */
import { type Html, html, text } from '../../../http/serialization/html-page.ts';
import type { ParameterTable } from '../../ows/service-parameters.ts';
import { describeParameter, formatParameters } from '../common/parameters.ts';
import {
  apiFormats,
  functionsFormats,
  pageFormats,
  queryablesFormats,
  readServiceTitle,
} from './collections/documents.ts';
import type { FeaturesContext } from './collections/features-context.ts';
import { itemFormats, itemsFormats } from './collections/item-formats.ts';
import { changeParameters, itemParameters, itemsParameters } from './collections/items-parameters.ts';
import { partMediaTypes, wholeMediaTypes } from './collections/sent-feature.ts';
import { writeFeaturesPage } from './pages/frame.ts';

type Json = Readonly<Record<string, unknown>>;

const string = { type: 'string' };

function createQueryParameter(name: string, description: string, schema: Json, more: Json = {}): Json {
  return { name, in: 'query', required: false, description, schema, ...more };
}

function createHeaderParameter(name: string, description: string): Json {
  return { name, in: 'header', required: false, description, schema: string };
}

const shared: Readonly<Record<string, Json>> = {
  collectionId: {
    name: 'collectionId',
    in: 'path',
    required: true,
    description: 'The name of a collection.',
    schema: string,
  },
  featureId: { name: 'featureId', in: 'path', required: true, description: 'The id of a feature.', schema: string },
  ...describeTable(itemsParameters),
  queryables: createQueryParameter(
    'queryables',
    'Returns only features with these attribute values; each attribute is a parameter.',
    { type: 'object', additionalProperties: string },
    { style: 'form', explode: true },
  ),
  ...describeTable(changeParameters),
  'If-Match': createHeaderParameter('If-Match', 'Applies the change only if the feature has one of these ETags.'),
  'If-None-Match': createHeaderParameter(
    'If-None-Match',
    'Applies the change only if the feature has none of these ETags.',
  ),
  'Content-Crs': createHeaderParameter('Content-Crs', 'The CRS of the coordinates in the body, enclosed in < and >.'),
};

/** Without the format, whose values differ between resources. */
function describeTable(table: ParameterTable): Readonly<Record<string, Json>> {
  return Object.fromEntries(listWithoutFormat(table).map((each) => [each.name, describeParameter(each)]));
}

function listWithoutFormat(table: ParameterTable) {
  return Object.values(table).filter((each) => each !== formatParameters.f);
}

function listReferences(table: ParameterTable): readonly string[] {
  return listWithoutFormat(table).map(({ name }) => name);
}

function createReference(name: string): Json {
  return { $ref: `#/components/parameters/${name}` };
}

function createFormatParameter(formats: readonly { readonly name: string }[]): Json {
  const { name, description } = formatParameters.f;
  return createQueryParameter(name, description, { type: 'string', enum: formats.map((each) => each.name) });
}

interface Operation {
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  readonly formats: readonly { readonly name: string; readonly mediaType: string }[];
  readonly parameters: readonly string[];
}

const operations: readonly Operation[] = [
  { path: '/', id: 'getLandingPage', summary: 'Returns the landing page', formats: pageFormats, parameters: [] },
  {
    path: '/conformance',
    id: 'getConformance',
    summary: 'Lists the conformance classes',
    formats: pageFormats,
    parameters: [],
  },
  {
    path: '/functions',
    id: 'getFunctions',
    summary: 'Lists the functions of filters',
    formats: functionsFormats,
    parameters: [],
  },
  { path: '/api', id: 'getApi', summary: 'Returns the API definition', formats: apiFormats, parameters: [] },
  {
    path: '/collections',
    id: 'getCollections',
    summary: 'Lists the collections',
    formats: pageFormats,
    parameters: [],
  },
  {
    path: '/collections/{collectionId}',
    id: 'describeCollection',
    summary: 'Returns a collection',
    formats: pageFormats,
    parameters: ['collectionId'],
  },
  {
    path: '/collections/{collectionId}/queryables',
    id: 'getQueryables',
    summary: 'Returns the queryables of a collection',
    formats: queryablesFormats,
    parameters: ['collectionId'],
  },
  {
    path: '/collections/{collectionId}/items',
    id: 'getFeatures',
    summary: 'Returns the features of a collection; its attributes are also query parameters',
    formats: itemsFormats,
    parameters: ['collectionId', ...listReferences(itemsParameters), 'queryables'],
  },
  {
    path: '/collections/{collectionId}/items/{featureId}',
    id: 'getFeature',
    summary: 'Returns a feature',
    formats: itemFormats,
    parameters: ['collectionId', 'featureId', ...listReferences(itemParameters)],
  },
];

interface Change {
  readonly method: 'post' | 'put' | 'patch' | 'delete';
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  readonly parameters: readonly string[];
  /** The accepted media types of the body. */
  readonly mediaTypes: readonly string[];
  readonly success: 201 | 204;
}

const changes: readonly Change[] = [
  {
    method: 'post',
    path: '/collections/{collectionId}/items',
    id: 'createFeature',
    summary: 'Creates a feature; the Location header contains its address',
    parameters: ['collectionId', 'dryRun', 'Content-Crs'],
    mediaTypes: wholeMediaTypes,
    success: 201,
  },
  {
    method: 'put',
    path: '/collections/{collectionId}/items/{featureId}',
    id: 'replaceFeature',
    summary: 'Replaces a feature',
    parameters: ['collectionId', 'featureId', 'dryRun', 'Content-Crs', 'If-Match', 'If-None-Match'],
    mediaTypes: wholeMediaTypes,
    success: 204,
  },
  {
    method: 'patch',
    path: '/collections/{collectionId}/items/{featureId}',
    id: 'updateFeature',
    summary: 'Updates the given members of a feature',
    parameters: ['collectionId', 'featureId', 'dryRun', 'Content-Crs', 'If-Match', 'If-None-Match'],
    mediaTypes: partMediaTypes,
    success: 204,
  },
  {
    method: 'delete',
    path: '/collections/{collectionId}/items/{featureId}',
    id: 'deleteFeature',
    summary: 'Deletes a feature',
    parameters: ['collectionId', 'featureId', 'dryRun', 'If-Match', 'If-None-Match'],
    mediaTypes: [],
    success: 204,
  },
];

export function buildApiDocument(visit: FeaturesContext): Json {
  const { title, description } = readServiceTitle(visit);
  const paths = operations.map((operation) => [
    operation.path,
    {
      get: buildOperation(operation),
      ...Object.fromEntries(
        changes.filter(({ path }) => path === operation.path).map((each) => [each.method, buildChangeOperation(each)]),
      ),
    },
  ]);
  return {
    openapi: '3.0.3',
    info: { title, version: '1.0.0', ...(description === '' ? {} : { description }) },
    servers: [{ url: visit.root }],
    tags: [{ name: 'Features' }],
    paths: Object.fromEntries(paths),
    components: {
      parameters: shared,
      securitySchemes: { basic: { type: 'http', scheme: 'basic' } },
      responses: {
        problem: {
          description: 'A problem document that describes the error.',
          content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/problem' } } },
        },
      },
      schemas: {
        problem: {
          type: 'object',
          properties: {
            type: string,
            title: string,
            status: { type: 'integer' },
            detail: string,
          },
        },
      },
    },
  };
}

function buildOperation({ id, summary, formats, parameters }: Operation): Json {
  const hasCollection = parameters.includes('collectionId');
  const problemResponse = { $ref: '#/components/responses/problem' };
  const content = formats.map(({ mediaType }) => [
    mediaType,
    { schema: mediaType.startsWith('text/') ? string : { type: 'object' } },
  ]);
  return {
    tags: ['Features'],
    operationId: id,
    summary,
    parameters: [...parameters.map(createReference), createFormatParameter(formats)],
    responses: {
      200: { description: summary, content: Object.fromEntries(content) },
      400: problemResponse,
      ...(hasCollection ? { 404: problemResponse } : {}),
      406: problemResponse,
      default: problemResponse,
    },
  };
}

function buildChangeOperation({ id, summary, parameters, mediaTypes, success }: Change): Json {
  const problemResponse = { $ref: '#/components/responses/problem' };
  const content = Object.fromEntries(mediaTypes.map((each) => [each, { schema: { type: 'object' } }]));
  const location = { Location: { description: 'The address of the new feature.', schema: string } };
  return {
    tags: ['Features'],
    operationId: id,
    summary: `${summary}. Requires write access to the layer`,
    security: [{ basic: [] }],
    parameters: parameters.map(createReference),
    ...(mediaTypes.length === 0 ? {} : { requestBody: { required: true, content } }),
    responses: {
      [success]: { description: summary, ...(success === 201 ? { headers: location } : {}) },
      ...Object.fromEntries([400, 401, 403, 404, 412, 415].map((status) => [status, problemResponse])),
      default: problemResponse,
    },
  };
}

function writeParameterRow(name: string): Html {
  const { description } = shared[name] as { readonly description: string };
  return html`<tr><th>${text(name)}</th><td>${text(description)}</td></tr>`;
}

export function writeApiPage(visit: FeaturesContext): string {
  const sections = operations.map(({ path, summary, parameters, formats }) => {
    const inFormats = formats.map(({ name }) => name).join(', ');
    return html`<h2>GET ${text(path)}</h2>
<p>${text(summary)} <span class="note">f: ${text(inFormats)}</span></p>
<table>${parameters.map(writeParameterRow)}</table>`;
  });
  const writes = changes.map(
    ({ method, path, summary, parameters }) => html`<h2>${text(method.toUpperCase())} ${text(path)}</h2>
<p>${text(summary)}. Requires write access to the layer.</p>
<table>${parameters.map(writeParameterRow)}</table>`,
  );
  return writeFeaturesPage(visit, {
    title: 'API definition',
    crumbs: [{ label: 'API definition' }],
    alternates: [{ label: 'OpenAPI 3.0', url: `${visit.root}/api?f=json` }],
    content: html`<p>Below ${text(visit.root)}:</p>
${sections}${writes}`,
  });
}
