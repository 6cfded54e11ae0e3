/** The result of a harvest as a document and as plain text: counts, skipped files with reasons, and warnings. */

import { formatSkippedFiles } from '../../catalog/mosaics/harvest-files.ts';
import type { HarvestOutcome } from '../../catalog/mosaics/harvest-mosaic.ts';
import type { DocumentWriter } from '../../http/documents/document.ts';
import type { OutputMember, OutputNode } from '../../http/serialization/output-tree.ts';
import { getStorePath } from '../resources/representation.ts';

const strings = { type: 'object', properties: { string: { type: 'array', items: { type: 'string' } } } } as const;
const integer = { type: 'integer' } as const;

export const harvestReport: DocumentWriter<HarvestOutcome> = {
  root: 'harvest',
  schema: {
    type: 'object',
    properties: {
      harvest: {
        type: 'object',
        properties: {
          store: {
            type: 'object',
            properties: { name: { type: 'string' }, href: { type: 'string', format: 'uri' } },
            required: ['name', 'href'],
          },
          files: { ...integer, description: 'Number of files examined, including skipped ones.' },
          granules: integer,
          skippedFiles: integer,
          skipped: {
            type: 'object',
            description: 'The first thousand skipped files.',
            properties: {
              file: {
                type: 'array',
                items: {
                  type: 'object',
                  properties: { name: { type: 'string' }, reason: { type: 'string' } },
                  required: ['name', 'reason'],
                },
              },
            },
          },
          newCoverages: { ...strings, description: 'Coverages that had no granule before the harvest.' },
          warnings: { ...strings, description: 'Warnings, also sent as Warning headers.' },
        },
        required: ['store', 'files', 'granules', 'skippedFiles', 'skipped', 'newCoverages', 'warnings'],
      },
    },
    required: ['harvest'],
  },
  write: ({ view, harvested: { counts, skipped, newCoverages, warnings } }) => ({
    root: 'harvest',
    title: `Harvest into the mosaic ${view.store.name}`,
    node: {
      kind: 'object',
      members: [
        {
          name: 'store',
          node: { kind: 'object', members: [toValueMember('name', view.store.name)], link: getStorePath(view) },
        },
        toValueMember('files', counts.files),
        toValueMember('granules', counts.granules),
        toValueMember('skippedFiles', counts.skipped),
        {
          name: 'skipped',
          node: {
            kind: 'list',
            itemName: 'file',
            items: skipped.map(({ name, reason }) => ({
              kind: 'object',
              members: [toValueMember('name', name), toValueMember('reason', reason)],
            })),
          },
        },
        { name: 'newCoverages', node: toTextList(newCoverages) },
        { name: 'warnings', node: toTextList(warnings) },
      ],
    },
  }),
};

/** For clients that request no format. */
export function formatHarvestReport({ view, harvested }: HarvestOutcome): string {
  const { counts, newCoverages, warnings } = harvested;
  const store = `${view.workspace.name}:${view.store.name}`;
  const lines = [
    `Harvested ${formatCount(counts.granules, 'granule')} from ${formatCount(counts.files, 'file')} into ${store}.`,
    ...(newCoverages.length === 0 ? [] : [`New coverages: ${newCoverages.join(', ')}.`]),
    ...formatSkippedFiles(harvested),
    ...warnings.map((warning) => `Warning: ${warning}`),
  ];
  return `${lines.join('\n')}\n`;
}

function formatCount(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function toValueMember(name: string, of: string | number): OutputMember {
  return { name, node: { kind: 'value', value: of } };
}

function toTextList(of: readonly string[]): OutputNode {
  return { kind: 'list', itemName: 'string', items: of.map((each) => ({ kind: 'value', value: each })) };
}
