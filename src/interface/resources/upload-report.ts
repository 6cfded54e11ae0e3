/** The report of an upload as a document and as plain text: published resources, unpublished names and warnings. */
import type { Resource } from '../../catalog/kinds/resource.ts';
import type { Store } from '../../catalog/kinds/store.ts';
import type { SampledAttribute, TypeDetails } from '../../catalog/uploads/describe-upload.ts';
import type { Bounds } from '../../crs/bounds.ts';
import type { DocumentWriter } from '../../http/documents/document.ts';
import type { OutputMember, OutputNode } from '../../http/serialization/output-tree.ts';
import type { Workspace } from '../../records/workspace.ts';
import { getResourcePath, getStorePath } from './representation.ts';

/** An upload of any kind of data. */
export interface ReportedUpload {
  readonly view: { readonly store: Store; readonly workspace: Workspace };
  readonly resources: readonly ReportedResource[];
  /** Other names in the uploaded data. */
  readonly unpublished: readonly string[];
  readonly warnings: readonly string[];
  /** Whether the report contains extents and the details of resources. */
  readonly hasDetails?: boolean;
}

export interface ReportedResource {
  readonly resource: Resource;
  /** Whether this upload published it; otherwise it was published before and has been refreshed. */
  readonly isNew: boolean;
  /** Tables may have no geometry, and then need no CRS. */
  readonly hasGeometry: boolean;
  readonly details?: TypeDetails | undefined;
}

const strings = { type: 'object', properties: { string: { type: 'array', items: { type: 'string' } } } } as const;
const detailSchemas = {
  geometryType: { type: 'string', description: 'With details: absent if the data has no geometries.' },
  count: { type: 'integer', description: 'With details: number of features.' },
  latLonBoundingBox: {
    type: 'object',
    description: 'With details: extent in longitude and latitude.',
    properties: {
      minx: { type: 'number' },
      maxx: { type: 'number' },
      miny: { type: 'number' },
      maxy: { type: 'number' },
    },
  },
  attributes: {
    type: 'object',
    description: 'With details: attributes with the values of the first feature as text. Null values are absent.',
    properties: {
      attribute: {
        type: 'array',
        items: {
          type: 'object',
          properties: { name: { type: 'string' }, type: { type: 'string' }, value: { type: 'string' } },
          required: ['name', 'type'],
        },
      },
    },
  },
} as const;
const href = { type: 'string', format: 'uri' } as const;

/**
 * The report for a kind of resource: `featureType` in a list of `featureTypes`, and `data store` as the name of the
 * store.
 */
export function createUploadReport(itemName: string, storeWords: string): DocumentWriter<ReportedUpload> {
  const listName = `${itemName}s`;
  return {
    root: 'upload',
    schemaName: `${itemName.charAt(0).toUpperCase()}${itemName.slice(1)}Upload`,
    schema: {
      type: 'object',
      properties: {
        upload: {
          type: 'object',
          properties: {
            store: { type: 'object', properties: { name: { type: 'string' }, href }, required: ['name', 'href'] },
            [listName]: {
              type: 'object',
              properties: {
                [itemName]: {
                  type: 'array',
                  items: {
                    type: 'object',
                    properties: {
                      name: { type: 'string', description: 'Published name.' },
                      nativeName: { type: 'string', description: 'Name in the data.' },
                      srs: { type: 'string', description: 'Absent if the data has no CRS.' },
                      outcome: { type: 'string', enum: ['published', 'updated'] },
                      href,
                      ...detailSchemas,
                    },
                    required: ['name', 'nativeName', 'outcome', 'href'],
                  },
                },
              },
            },
            unpublished: { ...strings, description: 'Other names in the uploaded data.' },
            warnings: { ...strings, description: 'Warnings, also sent as Warning headers.' },
          },
          required: ['store', listName, 'unpublished', 'warnings'],
        },
      },
      required: ['upload'],
    },
    write: (upload) => ({
      root: 'upload',
      title: `Upload to the ${storeWords} ${upload.view.store.name}`,
      node: {
        kind: 'object',
        members: [
          {
            name: 'store',
            node: {
              kind: 'object',
              members: [buildTextMember('name', upload.view.store.name)],
              link: getStorePath(upload.view),
            },
          },
          {
            name: listName,
            node: { kind: 'list', itemName, items: upload.resources.map((each) => buildResourceNode(upload, each)) },
          },
          { name: 'unpublished', node: buildTextList(upload.unpublished) },
          { name: 'warnings', node: buildTextList(upload.warnings) },
        ],
      },
    }),
  };
}

/** For clients that request no format. */
export function formatUploadReport({ view, resources, unpublished, warnings }: ReportedUpload): string {
  const lines = [
    ...resources.map((each) => formatResourceSentence(view.workspace, each)),
    ...(resources.length === 0 ? [`Nothing was published from the store ${view.store.name}.`] : []),
    ...formatUnpublished(view, unpublished),
    ...warnings.map((warning) => `Warning: ${warning}`),
  ];
  return `${lines.join('\n')}\n`;
}

function formatUnpublished(view: ReportedUpload['view'], [first, ...others]: readonly string[]): readonly string[] {
  if (first === undefined) return [];
  const [collection, itemName] =
    view.store.kind === 'coverageStore' ? ['coverages', 'coverage'] : ['featuretypes', 'featureType'];
  const path = [...getStorePath(view), collection].map(encodeURIComponent).join('/');
  const example = JSON.stringify({ [itemName]: { name: first } });
  return [
    `Not published: ${[first, ...others].join(', ')}. To publish one, POST a document such as ${example} to /${path}.`,
  ];
}

function formatResourceSentence(workspace: Workspace, { resource, isNew, hasGeometry }: ReportedResource): string {
  const { name, nativeName, srs } = resource;
  const source = nativeName === name ? '' : `, named ${nativeName} in the data`;
  return `${isNew ? 'Published' : 'Updated'} ${workspace.name}:${name}${source} (${srs ?? (hasGeometry ? 'unknown CRS' : 'no geometry')}).`;
}

function buildResourceNode({ view, hasDetails }: ReportedUpload, reported: ReportedResource): OutputNode {
  const { resource, isNew } = reported;
  const { name, nativeName, srs } = resource;
  return {
    kind: 'object',
    members: [
      buildTextMember('name', name),
      buildTextMember('nativeName', nativeName),
      ...(srs === null ? [] : [buildTextMember('srs', srs)]),
      buildTextMember('outcome', isNew ? 'published' : 'updated'),
      ...(hasDetails ? buildDetailMembers(reported) : []),
    ],
    link: getResourcePath({ ...view, resource }),
  };
}

/** A long text or many bytes would make the report useless. */
const MAX_SAMPLE_LENGTH = 200;

function buildDetailMembers({ resource: { latLonBounds }, details }: ReportedResource): readonly OutputMember[] {
  const { geometryType, count, attributes } = details ?? {};
  return [
    ...(geometryType === undefined ? [] : [buildTextMember('geometryType', geometryType)]),
    ...(count === undefined ? [] : [buildValueMember('count', count)]),
    ...(latLonBounds === null ? [] : [{ name: 'latLonBoundingBox', node: buildBoxNode(latLonBounds) }]),
    ...(attributes === undefined
      ? []
      : [
          {
            name: 'attributes',
            node: { kind: 'list', itemName: 'attribute', items: attributes.map(buildAttributeNode) } as const,
          },
        ]),
  ];
}

function buildBoxNode({ minX, maxX, minY, maxY }: Bounds): OutputNode {
  const members = Object.entries({ minx: minX, maxx: maxX, miny: minY, maxy: maxY });
  return { kind: 'object', members: members.map(([name, value]) => buildValueMember(name, value)) };
}

function buildAttributeNode({ name, type, value }: SampledAttribute): OutputNode {
  const sample = value instanceof Date ? formatDate(value, type) : value instanceof Uint8Array ? null : value;
  return {
    kind: 'object',
    members: [
      buildTextMember('name', name),
      buildTextMember('type', type),
      ...(sample === null ? [] : [buildTextMember('value', shorten(String(sample)))]),
    ],
  };
}

function formatDate(value: Date, type: string): string {
  return type === 'date' ? value.toISOString().slice(0, 'yyyy-mm-dd'.length) : value.toISOString();
}

function shorten(text: string): string {
  return text.length <= MAX_SAMPLE_LENGTH ? text : `${text.slice(0, MAX_SAMPLE_LENGTH).toWellFormed()}…`;
}

function buildValueMember(name: string, value: number): OutputMember {
  return { name, node: { kind: 'value', value } };
}

function buildTextMember(name: string, value: string): OutputMember {
  return { name, node: { kind: 'value', value } };
}

function buildTextList(texts: readonly string[]): OutputNode {
  return { kind: 'list', itemName: 'string', items: texts.map((value) => ({ kind: 'value', value })) };
}
