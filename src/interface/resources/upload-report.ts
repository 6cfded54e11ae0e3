/** The report of an upload as a document and as plain text: published resources, unpublished names and warnings. */
import type { Resource } from '../../catalog/kinds/resource.ts';
import type { Store } from '../../catalog/kinds/store.ts';
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
}

export interface ReportedResource {
  readonly resource: Resource;
  /** Whether this upload published it; otherwise it was published before and has been refreshed. */
  readonly isNew: boolean;
  /** Tables may have no geometry, and then need no CRS. */
  readonly hasGeometry: boolean;
}

const strings = { type: 'object', properties: { string: { type: 'array', items: { type: 'string' } } } } as const;
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

function buildResourceNode({ view }: ReportedUpload, { resource, isNew }: ReportedResource): OutputNode {
  const { name, nativeName, srs } = resource;
  return {
    kind: 'object',
    members: [
      buildTextMember('name', name),
      buildTextMember('nativeName', nativeName),
      ...(srs === null ? [] : [buildTextMember('srs', srs)]),
      buildTextMember('outcome', isNew ? 'published' : 'updated'),
    ],
    link: getResourcePath({ ...view, resource }),
  };
}

function buildTextMember(name: string, value: string): OutputMember {
  return { name, node: { kind: 'value', value } };
}

function buildTextList(texts: readonly string[]): OutputNode {
  return { kind: 'list', itemName: 'string', items: texts.map((value) => ({ kind: 'value', value })) };
}
