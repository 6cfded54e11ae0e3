/** The documents for locks of features. */
import type { DocumentWriter } from '../../http/documents/document.ts';
import type { JsonSchema } from '../../http/documents/schema.ts';
import { type Html, html, text } from '../../http/serialization/html-page.ts';
import type { OutputMember } from '../../http/serialization/output-tree.ts';
import { writeAnchor, writeRecordTable } from '../../http/serialization/write-html.ts';
import type { FeatureLock } from '../../lib/locks/feature-locks.ts';

const lockSchema: JsonSchema = {
  type: 'object',
  properties: {
    id: { type: 'string', description: 'The lock id of WFS.' },
    user: { type: 'string', description: 'The user who holds the lock.' },
    layers: { type: 'array', items: { type: 'string' } },
    features: { type: 'integer', description: 'The number of locked features.' },
    created: { type: 'string', format: 'date-time' },
    expires: { type: 'string', format: 'date-time' },
  },
};

export const lockDocument: DocumentWriter<FeatureLock> = {
  root: 'lock',
  schemaName: 'FeatureLock',
  schema: { type: 'object', properties: { lock: lockSchema }, required: ['lock'] },
  write: (lock) => ({
    root: 'lock',
    title: `Lock ${lock.id}`,
    node: { kind: 'object', members: createMembers(lock) },
  }),
};

export interface LockPage {
  readonly locks: readonly FeatureLock[];
  /** The query of the next page, if there is one. */
  readonly next?: Readonly<Record<string, string>>;
}

export const locksDocument: DocumentWriter<LockPage> = {
  root: 'locks',
  schemaName: 'FeatureLocks',
  schema: { type: 'object', properties: { locks: { type: 'array', items: lockSchema } }, required: ['locks'] },
  write: ({ locks, next }) => ({
    root: 'locks',
    title: 'Locks of features',
    node: {
      kind: 'sequence',
      members: locks.map((lock) => ({ name: 'lock', node: { kind: 'object', members: createMembers(lock) } })),
    },
    page: {
      writeContent: (context) =>
        html`${writeLockTable(locks)}
${next === undefined ? html`` : writeAnchor(`${context.buildUrl(['locks'])}.html?${new URLSearchParams(next)}`, 'Next page →')}`,
    },
  }),
};

function writeLockTable(locks: readonly FeatureLock[]): Html {
  if (locks.length === 0) return html`<p class="empty">No locks.</p>`;
  return writeRecordTable(
    ['User', 'Layers', 'Features', 'Expires', 'Id'],
    locks.map(({ id, who, layers, features, expiresAtMs }) =>
      [who, layers.join(', '), String(features), formatTime(expiresAtMs), id].map((each) => html`${text(each)}`),
    ),
  );
}

function createMembers({ id, who, layers, features, createdAtMs, expiresAtMs }: FeatureLock): readonly OutputMember[] {
  return [
    toMember('id', id),
    toMember('user', who),
    { name: 'layers', node: { kind: 'sequence', members: layers.map((layer) => toMember('layer', layer)) } },
    toMember('features', features),
    toMember('created', formatTime(createdAtMs)),
    toMember('expires', formatTime(expiresAtMs)),
  ];
}

function toMember(name: string, value: string | number): OutputMember {
  return { name, node: { kind: 'value', value } };
}

function formatTime(ms: number): string {
  return new Date(ms).toISOString();
}
