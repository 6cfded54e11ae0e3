/** What an upload did, as a document and in plain words: what is published under which names, what is not, what to know. */
import type { Uploaded, WrittenType } from '../../catalog/uploads/upload.ts';
import type { DocumentWriter } from '../../http/documents/document.ts';
import type { OutputMember, OutputNode } from '../../http/formats/output-tree.ts';
import { featureTypePath } from '../feature-types/representation.ts';
import { storePath } from '../resources/representation.ts';

const strings = { type: 'object', properties: { string: { type: 'array', items: { type: 'string' } } } } as const;
const href = { type: 'string', format: 'uri' } as const;

export const uploadReport: DocumentWriter<Uploaded> = {
  root: 'upload',
  schema: {
    type: 'object',
    properties: {
      upload: {
        type: 'object',
        properties: {
          store: { type: 'object', properties: { name: { type: 'string' }, href }, required: ['name', 'href'] },
          featureTypes: {
            type: 'object',
            properties: {
              featureType: {
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
        required: ['store', 'featureTypes', 'unpublished', 'warnings'],
      },
    },
    required: ['upload'],
  },
  write: ({ view, types, unpublished, warnings }) => ({
    root: 'upload',
    title: `Upload to the data store ${view.store.name}`,
    node: {
      kind: 'object',
      members: [
        {
          name: 'store',
          node: { kind: 'object', members: [textMember('name', view.store.name)], link: storePath(view) },
        },
        { name: 'featureTypes', node: { kind: 'list', itemName: 'featureType', items: types.map(typeNode) } },
        { name: 'unpublished', node: textList(unpublished) },
        { name: 'warnings', node: textList(warnings) },
      ],
    },
  }),
};

/** For who names no format. */
export function uploadSentences({ view, types, unpublished, warnings }: Uploaded): string {
  const lines = [
    ...types.map((each) => typeSentence(each)),
    ...(types.length === 0 ? [`Nothing of the store ${view.store.name} was published.`] : []),
    ...(unpublished.length === 0 ? [] : [`Not published: ${unpublished.join(', ')}.`]),
    ...warnings.map((warning) => `Warning: ${warning}`),
  ];
  return `${lines.join('\n')}\n`;
}

function typeSentence({ view: { type, workspace }, isNew }: WrittenType): string {
  const source = type.nativeName === type.name ? '' : `, which the data calls ${type.nativeName}`;
  return `${isNew ? 'Published' : 'Updated'} ${workspace.name}:${type.name}${source} (${type.srs ?? 'of an unknown reference system'}).`;
}

function typeNode({ view, isNew }: WrittenType): OutputNode {
  const { name, nativeName, srs } = view.type;
  return {
    kind: 'object',
    members: [
      textMember('name', name),
      textMember('nativeName', nativeName),
      ...(srs === null ? [] : [textMember('srs', srs)]),
      textMember('outcome', isNew ? 'published' : 'updated'),
    ],
    link: featureTypePath(view),
  };
}

function textMember(name: string, value: string): OutputMember {
  return { name, node: { kind: 'value', value } };
}

function textList(texts: readonly string[]): OutputNode {
  return { kind: 'list', itemName: 'string', items: texts.map((value) => ({ kind: 'value', value })) };
}
