/** What an upload did, as a document and in plain words: what is published under which names, what is not, what to know. */
import type { Resource } from '../../catalog/resources/resource.ts';
import type { Store } from '../../catalog/stores/store.ts';
import type { DocumentWriter } from '../../http/documents/document.ts';
import type { OutputMember, OutputNode } from '../../http/formats/output-tree.ts';
import type { Workspace } from '../../records/workspace.ts';
import { resourcePath, storePath } from './representation.ts';

/** An upload of any kind of data. */
export interface ReportedUpload {
  readonly view: { readonly store: Store; readonly workspace: Workspace };
  readonly resources: readonly ReportedResource[];
  /** The names of what else is in the uploaded data. */
  readonly unpublished: readonly string[];
  readonly warnings: readonly string[];
}

export interface ReportedResource {
  readonly resource: Resource;
  /** Whether it was published by this upload; otherwise it was so before, and is up to date now. */
  readonly isNew: boolean;
}

const strings = { type: 'object', properties: { string: { type: 'array', items: { type: 'string' } } } } as const;
const href = { type: 'string', format: 'uri' } as const;

/** The report where resources are called so: `featureType`, in a list of `featureTypes`; the store is a `data store`. */
export function uploadReportOf(itemName: string, storeWords: string): DocumentWriter<ReportedUpload> {
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
                      name: { type: 'string', description: 'What it is published as.' },
                      nativeName: { type: 'string', description: 'What the data calls it.' },
                      srs: { type: 'string', description: 'Absent if the data does not say it.' },
                      outcome: { type: 'string', enum: ['published', 'updated'] },
                      href,
                    },
                    required: ['name', 'nativeName', 'outcome', 'href'],
                  },
                },
              },
            },
            unpublished: { ...strings, description: 'The names of what else is in the uploaded data.' },
            warnings: { ...strings, description: 'What to know, also sent as Warning headers.' },
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
              members: [textMember('name', upload.view.store.name)],
              link: storePath(upload.view),
            },
          },
          {
            name: listName,
            node: { kind: 'list', itemName, items: upload.resources.map((each) => resourceNode(upload, each)) },
          },
          { name: 'unpublished', node: textList(upload.unpublished) },
          { name: 'warnings', node: textList(upload.warnings) },
        ],
      },
    }),
  };
}

/** For who names no format. */
export function uploadSentences({ view, resources, unpublished, warnings }: ReportedUpload): string {
  const lines = [
    ...resources.map((each) => resourceSentence(view.workspace, each)),
    ...(resources.length === 0 ? [`Nothing of the store ${view.store.name} was published.`] : []),
    ...(unpublished.length === 0 ? [] : [`Not published: ${unpublished.join(', ')}.`]),
    ...warnings.map((warning) => `Warning: ${warning}`),
  ];
  return `${lines.join('\n')}\n`;
}

function resourceSentence(workspace: Workspace, { resource, isNew }: ReportedResource): string {
  const { name, nativeName, srs } = resource;
  const source = nativeName === name ? '' : `, which the data calls ${nativeName}`;
  return `${isNew ? 'Published' : 'Updated'} ${workspace.name}:${name}${source} (${srs ?? 'of an unknown reference system'}).`;
}

function resourceNode({ view }: ReportedUpload, { resource, isNew }: ReportedResource): OutputNode {
  const { name, nativeName, srs } = resource;
  return {
    kind: 'object',
    members: [
      textMember('name', name),
      textMember('nativeName', nativeName),
      ...(srs === null ? [] : [textMember('srs', srs)]),
      textMember('outcome', isNew ? 'published' : 'updated'),
    ],
    link: resourcePath({ ...view, resource }),
  };
}

function textMember(name: string, value: string): OutputMember {
  return { name, node: { kind: 'value', value } };
}

function textList(texts: readonly string[]): OutputNode {
  return { kind: 'list', itemName: 'string', items: texts.map((value) => ({ kind: 'value', value })) };
}
